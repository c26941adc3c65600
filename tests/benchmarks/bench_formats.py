"""How far a detour through TLE text, with its fewer digits, moves approaches: median, 99 % and largest.

.venv/bin/python tests/benchmarks/bench_formats.py [CATALOGUE]
"""

import sys
from pathlib import Path

import numpy as np
from sgp4.alpha5 import to_alpha5
from sgp4.exporter import export_tle
from sgp4.io import compute_checksum

from screening.kernel_files import keep_kernels_in
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import window
from screening.search.all_pairs.assemble import screen_catalogue
from storage.settings import StoreSettings, load_settings

REAL_CATALOGUE = Path(__file__).resolve().parents[3] / "shared" / "data" / "gp_onorbit_20241101.csv"
START = np.datetime64("2024-11-01T00:00:00", "us")
HOURS, THRESHOLD_KM = 6.0, 10.0
SAME_APPROACH_S = 5.0


def main() -> None:
    """Screen the catalogue as it is and as TLE, and compare the approaches that both have."""
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else REAL_CATALOGUE
    if not path.exists():
        sys.exit(f"{path} is missing: name a catalogue of about 2024-11-01 as an argument.")
    omm = parse_catalogue(path.read_bytes()).elements
    omm = omm[omm["norad_id"] <= 339_999]  # beyond, a number has no Alpha-5 form
    lines = []
    for number, record in zip(omm["norad_id"].tolist(), satrecs(omm), strict=True):
        for line in export_tle(record):
            numbered = f"{line[:2]}{to_alpha5(number)}{line[7:68]}"
            lines.append(f"{numbered}{compute_checksum(numbered)}")
    tle = parse_catalogue("\n".join(lines)).elements
    events = []
    for elements in (omm, tle):
        found = screen_catalogue(elements, window(START, HOURS), THRESHOLD_KM).encounters
        pairs = np.stack([elements["norad_id"][found[f"{who}_index"]] for who in ("primary", "secondary")])
        events.append((pairs, found["tca_s"], 1e3 * found["miss_distance_km"]))
    (pairs, tca_s, miss_m), (other_pairs, other_tca_s, other_miss_m) = events
    known: dict[tuple[int, int], list[tuple[float, float]]] = {(a, b): [] for a, b in other_pairs.T.tolist()}
    for (a, b), time_s, distance_m in zip(other_pairs.T.tolist(), other_tca_s, other_miss_m, strict=True):
        known[a, b].append((time_s, distance_m))
    moved_m = [
        abs(distance_m - other_m)
        for (a, b), time_s, distance_m in zip(pairs.T.tolist(), tca_s, miss_m, strict=True)
        for other_s, other_m in known.get((a, b), [])
        if abs(other_s - time_s) < SAME_APPROACH_S
    ]
    median, most, largest = np.percentile(moved_m, [50, 99, 100])
    print(
        f"{len(miss_m):,} approaches from OMM, {len(other_miss_m):,} from TLE, {len(moved_m):,} common; "
        f"miss distances moved by {median:.1f} m (median), {most:.0f} m (99 %), {largest:.0f} m at most"
    )


if __name__ == "__main__":
    main()
