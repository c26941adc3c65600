"""What `verify` prints, and the tables of it."""

from dataclasses import asdict

from storage.shell.output import print_json, print_table
from storage.verification.record import Verification

TABLES = {
    "Fate of warnings": "warnings",
    "Regions of the error of the miss": "regions",
    "Errors of objects, over their law": "errors",
    "Probabilities": "probabilities",
}

INTERVALS = "between"  # no column of tables


def print_verification(found: Verification, *, as_json: bool) -> None:
    """Print how earlier predictions did: sentences, then tables."""
    if as_json:
        print_json(asdict(found))
        return
    if found.since is not None:
        print(what_passed(found))  # noqa: T201 - this is what was asked for
    for sentence in (*found.words, *(one.words for one in found.suspects)):
        print(f"- {sentence}")  # noqa: T201
    for title, name in TABLES.items():
        rows = rows_of(found, name)
        if rows:
            print(f"\n{title}")  # noqa: T201
            print_table(tuple(rows[0]), [tuple(map(short, row.values())) for row in rows])


def rows_of(found: Verification, table: str) -> list[dict[str, object]]:
    """Return the rows of a table, without intervals, which pictures show."""
    rows = [asdict(one) for one in getattr(found, table)]
    return [{name: value for name, value in row.items() if name != INTERVALS} for row in rows]


def what_passed(found: Verification) -> str:
    """Say how many encounters were compared, and of which days."""
    return f"{found.encounters:,.0f} encounters from {found.since} to {found.until}, UTC"


def short(value: object) -> object:
    """Return a value of a table with as many digits as matter."""
    return float(f"{value:.3g}") if isinstance(value, float) and abs(value) < 1000.0 else value
