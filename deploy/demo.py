"""Make a store to look around in: a week of real days if their element sets are at hand, else made-up ones.

Run by `make demo`. Real days are replays, every six hours, of the element sets published in May 2026.
"""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PUBLISHED = REPOSITORY.parent / "shared" / "data" / "history" / "published"
FIRST, LAST = datetime(2026, 5, 24, 12, tzinfo=UTC), datetime(2026, 5, 31, tzinfo=UTC)
STEP = timedelta(hours=6)
OBJECTS = 6000


def main(store: Path) -> None:
    """Make the store, if it is not there; a demonstration that was interrupted is begun anew elsewhere."""
    if store.exists():
        sys.exit(f"error: {store} exists: remove it, or give another folder (DEMO=folder)")
    if not PUBLISHED.is_dir():
        print(f"{PUBLISHED} is missing: a synthetic catalogue takes its place")
        catalogue = store.with_suffix(".csv")
        skysieve("synth", str(catalogue), "--objects", str(OBJECTS))
        skysieve("screen", str(catalogue), "--store", str(store))
        catalogue.unlink()
    else:
        skysieve("history", "import", str(PUBLISHED), "--store", str(store))
        count = (LAST - FIRST) // STEP + 1
        for place in range(count):
            as_of = f"{FIRST + place * STEP:%Y-%m-%dT%H:%M:%SZ}"
            print(f"run {place + 1} of {count}: {as_of}", flush=True)
            skysieve(
                *("screen", "--as-of", as_of, "--hours", "72", "--threshold-km", "5"),
                *("--store", str(store)),
                quiet=True,
            )
        skysieve("verify", "--store", str(store))
    print(f"\nLook around: skysieve serve --store {store}")


def skysieve(*arguments: str, quiet: bool = False) -> None:
    """Run a command of skysieve; what it says is shown if it fails."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "skysieve", *arguments], capture_output=quiet, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout or ''}{done.stderr or ''}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
