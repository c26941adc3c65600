"""Read bodies from the General Catalog of Artificial Space Objects (GCAT, J. McDowell, CC BY 4.0).

Either its whole `satcat.tsv` (planet4589.org/space/gcat/tsv/cat/satcat.tsv), of which objects in orbit are
read that are payloads or stages, or a CSV with the columns of `_CSV`.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from screening.errors import InputError
from screening.orbits.elements import Rejection
from screening.orbits.texts.decoding import lines_of
from screening.orbits.texts.rejections import Rejections
from screening.risk.objects.bodies.shadow import Shapes, bounding_radius_m, mean_shadow_radius_m
from screening.vocabulary import LARGEST_RADIUS_M, MAX_NORAD_ID, SMALLEST_RADIUS_M
from storage.bodies.table import BODY_DTYPE, BodyArray

SOURCE = "gcat"
LARGEST_MASS_KG = 500_000.0  # the space station has 420,000
LARGEST_LENGTH_M = 120.0  # the space station has 109 from end to end
LARGEST_SPAN_M = 50_000.0  # with tethers
_LEAST_COMPARED, _MOST_OFF = 3, 2.0  # objects that show the units of a text, and by which factor
_LONGEST_LINE, _SHOWN = 4096, 120
_TSV_BEGINS = "#JCAT"
_NOTHING = ("", "-")

_TSV = {
    "norad_id": "Satcat",
    "mass_kg": "Mass",
    "length_m": "Length",
    "diameter_m": "Diameter",
    "span_m": "Span",
    "shape": "Shape",
    "name": "Name",
    "owner": "Owner",
    "state": "State",
}
_FLAGS = ("MassFlag", "LFlag", "DFlag", "SpanFlag")
_CSV = (*_TSV, "mass_estimated")
_IN_ORBIT = "-"  # in DDate
_READ_TYPES = ("P", "R")


class GcatBodies(NamedTuple):
    """The bodies of a text, and its rows that have none."""

    bodies: BodyArray  # sorted by number
    blank: int  # rows without length and diameter
    rejections: Rejections  # rows with numbers that no spacecraft has


class _Row(NamedTuple):
    norad_id: int
    mass_kg: float
    length_m: float
    diameter_m: float
    span_m: float
    shape: str
    name: str
    owner: str
    state: str
    sure: bool


def is_gcat(text: bytes) -> bool:
    """Return whether a text begins as one of GCAT does."""
    header = text[:_LONGEST_LINE].decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    return header.startswith(_TSV_BEGINS) or {"norad_id", "length_m", "span_m"} <= set(header.split(","))


def read_gcat(text: bytes) -> GcatBodies:
    """Return the bodies in a text of GCAT.

    Raises:
        InputError: it has not the columns of either form, is cut off, or has no body.
    """
    plain = text.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = lines_of(plain)
    header = next(lines, "")
    records = _of_tsv(header, lines) if header.startswith(_TSV_BEGINS) else _of_csv(header, lines)
    rows: dict[int, tuple[_Row, int]] = {}
    rejections, blank = Rejections(), 0
    for line, record in records:
        try:
            row = _row(record)
            if row.length_m or row.diameter_m:
                _check_possible(row)
                rows[row.norad_id] = row, line
            else:
                blank += 1
        except (ValueError, KeyError, TypeError) as problem:
            rejections.append(Rejection(line, str(record.get("norad_id"))[:_SHOWN], str(problem)[:_SHOWN]))
    if not rows:
        raise InputError(
            f"This GCAT text contains no bodies: of {blank + rejections.count:,} rows, {blank:,} have no "
            f"size and {rejections.count:,} are rejected."
        )
    if not plain.endswith("\n"):
        raise InputError("This GCAT text is cut off: its last line does not end.")
    bodies = _bodies([rows[number][0] for number in sorted(rows)])
    usable = (bodies["radius_m"] >= SMALLEST_RADIUS_M) & (bodies["radius_m"] <= LARGEST_RADIUS_M)
    for number, radius_m in bodies[["norad_id", "radius_m"]][~usable].tolist():
        reason = (
            f"its radius would be {radius_m:g} m; possible are {SMALLEST_RADIUS_M:g} to {LARGEST_RADIUS_M:g}"
        )
        rejections.append(Rejection(rows[number][1], str(number), reason))
    return GcatBodies(bodies[usable], blank, rejections)


def check_units(bodies: BodyArray, known: BodyArray) -> None:
    """Raise InputError if, in the median, sizes or masses are not those of the bodies known before."""
    _, ours, theirs = np.intersect1d(bodies["norad_id"], known["norad_id"], return_indices=True)
    if len(ours) < _LEAST_COMPARED:
        return
    for name, unit in (("radius_m", "metres"), ("mass_kg", "kilograms")):
        ratio = np.nanmedian(bodies[name][ours] / known[name][theirs])
        if not 1.0 / _MOST_OFF < ratio < _MOST_OFF:
            raise InputError(
                f"Is this GCAT text in {unit}? For {len(ours):,} objects already in the store, the median "
                f"of {name} is {ratio:.3g} times what it was."
            )


def _of_tsv(header: str, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    names = header.removeprefix("#").split("\t")
    _check_columns(names, (*_TSV.values(), *_FLAGS, "Type", "DDate"))
    for number, line in enumerate(lines, 2):
        if line.startswith("#") or not line.strip():
            continue
        texts = line.split("\t")
        if len(texts) != len(names):
            yield number, {"norad_id": texts[0]}
            continue
        cells = dict(zip(names, (text.strip() for text in texts), strict=True))
        if cells["Type"].startswith(_READ_TYPES) and cells["DDate"] == _IN_ORBIT:
            record = {ours: cells[theirs] for ours, theirs in _TSV.items()}
            yield number, record | {"mass_estimated": str(int(any("?" in cells[flag] for flag in _FLAGS)))}


def _of_csv(header: str, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    names = next(csv.reader([header]), [])
    _check_columns(names, _CSV)
    reader = csv.DictReader(lines, names)
    for record in reader:
        yield reader.line_num + 1, record


def _check_columns(names: Iterable[str], wanted: Iterable[str]) -> None:
    missing = sorted(set(wanted) - set(names))
    if missing:
        raise InputError(f"This is not a GCAT text: its columns lack {', '.join(missing)}.")


def _row(record: dict[str, str]) -> _Row:
    """Return a record as numbers; blank sizes are 0, a blank diameter is the length and the reverse."""
    if record.keys() < set(_CSV) or None in record.values():
        raise ValueError("it has more or fewer values than there are columns")
    length_m, diameter_m, span_m = (_number(record[f"{name}_m"]) for name in ("length", "diameter", "span"))
    owner, state = ("" if record[name] in _NOTHING else record[name] for name in ("owner", "state"))
    return _Row(
        int(record["norad_id"]),
        _number(record["mass_kg"]),
        length_m or diameter_m,
        diameter_m or length_m,
        span_m,
        record["shape"],
        record["name"],
        owner,
        state,
        record["mass_estimated"] == "0" and "?" not in record["shape"],
    )


def _number(cell: str) -> float:
    return 0.0 if cell in _NOTHING else float(cell)


def _check_possible(row: _Row) -> None:
    """Raise ValueError unless a spacecraft can be so; NaN cannot."""
    for name, value, least, most in (
        ("number", row.norad_id, 1, MAX_NORAD_ID),
        ("length in m", row.length_m, 0.0, LARGEST_LENGTH_M),
        ("diameter in m", row.diameter_m, 0.0, LARGEST_LENGTH_M),
        ("span in m", row.span_m, 0.0, LARGEST_SPAN_M),
        ("mass in kg", row.mass_kg, 0.0, LARGEST_MASS_KG),
    ):
        if not least <= value <= most:
            raise ValueError(f"its {name} is {value:g}; possible are {least:g} to {most:g}")


def _bodies(rows: list[_Row]) -> BodyArray:
    columns = dict(zip(_Row._fields, zip(*rows, strict=True), strict=True))
    lengths_m = (np.array(columns[f"{name}_m"], np.float64) for name in ("length", "diameter", "span"))
    shapes = Shapes(np.array(columns["shape"], np.str_), *lengths_m)
    bodies = np.zeros(len(rows), BODY_DTYPE)
    for name in ("norad_id", "mass_kg", "name", "owner", "state", "sure"):
        bodies[name] = columns[name]
    bodies["mass_kg"][bodies["mass_kg"] == 0.0] = np.nan
    bodies["radius_m"], bodies["bounding_radius_m"] = mean_shadow_radius_m(shapes), bounding_radius_m(shapes)
    bodies["body_source"] = SOURCE
    return bodies
