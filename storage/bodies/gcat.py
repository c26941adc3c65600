"""Read bodies from the General Catalog of Artificial Space Objects (GCAT, J. McDowell, CC BY 4.0).

Either its whole `satcat.tsv` (planet4589.org/space/gcat/tsv/cat/satcat.tsv), of which objects in orbit are
read that are payloads or stages, or a CSV with the columns of `_CSV`.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.texts.decoding import lines_of
from screening.risk.objects.bodies.shadow import Shapes, bounding_radius_m, mean_shadow_radius_m
from screening.vocabulary import LARGEST_RADIUS_M, MAX_NORAD_ID, SMALLEST_RADIUS_M
from storage.bodies.table import BODY_DTYPE, BodyArray

SOURCE = "gcat"
LARGEST_MASS_KG = 500_000.0  # the space station has 420,000

_TSV = {
    "norad_id": "Satcat",
    "mass_kg": "Mass",
    "length_m": "Length",
    "diameter_m": "Diameter",
    "span_m": "Span",
    "shape": "Shape",
    "owner": "Owner",
    "state": "State",
}
_FLAGS = ("MassFlag", "LFlag", "DFlag", "SpanFlag")
_CSV = (*_TSV, "mass_estimated")
_IN_ORBIT = "-"  # in DDate
_READ_TYPES = ("P", "R")


class GcatBodies(NamedTuple):
    """The bodies of a text, and how many of its rows have none."""

    bodies: BodyArray  # sorted by number
    blank: int  # without length or diameter
    refused: int  # with numbers that no spacecraft has


class _Row(NamedTuple):
    norad_id: int
    mass_kg: float
    length_m: float
    diameter_m: float
    span_m: float
    shape: str
    owner: str
    state: str
    sure: bool


def read_gcat(text: bytes) -> GcatBodies:
    """Return the bodies in a text of GCAT.

    Raises:
        InputError: it has not the columns of either form, or no body.
    """
    lines = lines_of(text.decode("utf-8", "replace").replace("\r\n", "\n"))
    header = next(lines, "")
    records = _of_tsv(header, lines) if header.startswith("#JCAT") else _of_csv(header, lines)
    rows: dict[int, _Row] = {}
    blank = refused = 0
    for record in records:
        try:
            row = _row(record)
        except (ValueError, KeyError, TypeError):
            refused += 1
            continue
        if row.length_m == 0.0 and row.diameter_m == 0.0:
            blank += 1
        elif _possible(row):
            rows[row.norad_id] = row
        else:
            refused += 1
    if not rows:
        raise InputError(
            f"There is no body in this text of GCAT: of {blank + refused:,} rows, {blank:,} have no size and "
            f"{refused:,} are refused."
        )
    bodies = _bodies([rows[number] for number in sorted(rows)])
    usable = (bodies["radius_m"] >= SMALLEST_RADIUS_M) & (bodies["radius_m"] <= LARGEST_RADIUS_M)
    return GcatBodies(bodies[usable], blank, refused + int(np.count_nonzero(~usable)))


def _of_tsv(header: str, lines: Iterable[str]) -> Iterator[dict[str, str]]:
    names = header.removeprefix("#").split("\t")
    _check(names, (*_TSV.values(), *_FLAGS, "Type", "DDate"))
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        cells = dict(zip(names, (cell.strip() for cell in line.split("\t")), strict=False))
        if cells.get("Type", "").startswith(_READ_TYPES) and cells.get("DDate") == _IN_ORBIT:
            guessed = any("?" in cells.get(flag, "") for flag in _FLAGS)
            record = {ours: cells.get(theirs, "") for ours, theirs in _TSV.items()}
            yield record | {"mass_estimated": str(int(guessed))}


def _of_csv(header: str, lines: Iterable[str]) -> Iterator[dict[str, str]]:
    names = next(csv.reader([header]), [])
    _check(names, _CSV)
    return csv.DictReader(lines, names)


def _check(names: Iterable[str], wanted: Iterable[str]) -> None:
    missing = sorted(set(wanted) - set(names))
    if missing:
        raise InputError(f"This is not a text of GCAT: its columns lack {', '.join(missing)}.")


def _row(record: dict[str, str]) -> _Row:
    """Return a record as numbers; blank sizes are 0, a blank diameter is the length and the reverse."""
    length_m, diameter_m, span_m = (_number(record[f"{name}_m"]) for name in ("length", "diameter", "span"))
    return _Row(
        int(record["norad_id"]),
        _number(record["mass_kg"]),
        length_m or diameter_m,
        diameter_m or length_m,
        span_m,
        record["shape"],
        record["owner"],
        record["state"],
        record["mass_estimated"] == "0" and "?" not in record["shape"],
    )


def _number(cell: str) -> float:
    return 0.0 if cell in ("", "-") else float(cell)


def _possible(row: _Row) -> bool:
    """Tell whether a spacecraft can be so; NaN cannot."""
    sizes_m = (row.length_m, row.diameter_m)
    return (
        0 < row.norad_id <= MAX_NORAD_ID
        and all(0.0 < size_m <= 2.0 * LARGEST_RADIUS_M for size_m in sizes_m)
        and 0.0 <= row.span_m < np.inf
        and 0.0 <= row.mass_kg <= LARGEST_MASS_KG
    )


def _bodies(rows: list[_Row]) -> BodyArray:
    columns = dict(zip(_Row._fields, zip(*rows, strict=True), strict=True))
    lengths_m = (np.array(columns[f"{name}_m"], np.float64) for name in ("length", "diameter", "span"))
    shapes = Shapes(np.array(columns["shape"], np.str_), *lengths_m)
    bodies = np.zeros(len(rows), BODY_DTYPE)
    for name in ("norad_id", "mass_kg", "owner", "state", "sure"):
        bodies[name] = columns[name]
    bodies["mass_kg"][bodies["mass_kg"] == 0.0] = np.nan
    bodies["radius_m"], bodies["bounding_radius_m"] = mean_shadow_radius_m(shapes), bounding_radius_m(shapes)
    bodies["body_source"] = SOURCE
    return bodies
