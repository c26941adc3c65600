"""Read files with facts about objects, recognised by their columns: CARA's radii, GCAT's bodies, a SATCAT."""

import csv
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from screening.errors import InputError
from screening.orbits.elements import Rejection
from screening.orbits.texts.decoding import lines_of
from screening.orbits.texts.rejections import Rejections, check_records
from screening.orbits.texts.unreadable import rejection_text
from screening.vocabulary import LARGEST_RADIUS_M, MAX_NORAD_ID, SMALLEST_RADIUS_M
from storage.bodies.gcat import check_units, is_gcat, read_gcat
from storage.bodies.table import shipped_bodies
from storage.state.records import RadiusFact, SatcatFact

Kind = Literal["radii", "satcat", "bodies"]

# UNK: new launches too, so the name decides.
TYPES_OF_CODES = {"PAY": "payload", "R/B": "rocket_body", "DEB": "debris", "UNK": None, "": None}
# celestrak.org/satcat/status.php; Older files also have U, operational according to the UCS database.
STATUSES_OF_CODES = {
    "+": "operational",
    "-": "nonoperational",
    "P": "partially_operational",
    "B": "backup",
    "S": "spare",
    "X": "extended_mission",
    "D": "decayed",
    "U": "operational",
    "?": None,
    "": None,
}
# What CARA's table says of objects of which it knows nothing: the mean of a class.
NO_ESTIMATE = "Default"
# The largest published is 1,500 m2; the space station has 399 m2.
LARGEST_RCS_M2 = 10_000.0
_DOCKED = "DOC"  # in ORBIT_TYPE; ORBIT_CENTER then holds the number of what the object is docked to
_EXPECTED = (
    "Expected CSV with the columns of CARA's hard-body radii (ObjectID,HBR,HBRSource,...) or of CelesTrak's "
    "SATCAT (OBJECT_NAME,OBJECT_ID,NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE,...), or GCAT's satcat.tsv."
)
_LINE_CHARACTERS = 16384
_LINES_OF_A_RECORD = 100
_SHOWN = 80  # characters shown of an unexpected line


class FactFile(NamedTuple):
    """The content of a file; each of its records is in one of the three."""

    kind: Kind
    facts: Sequence[tuple[Any, ...]]  # one per object: RadiusFact, SatcatFact, or a row of BODY_DTYPE
    blank: int  # records without facts, such as CARA's defaults
    rejected: list[Rejection]  # the first of them
    more_rejected: int = 0


class _Form(NamedTuple):
    kind: Kind
    columns: tuple[str, ...]  # columns that it must have; the first holds the catalogue number
    more: tuple[str, ...]  # columns that are read too; blank where a file lacks them
    # Makes a fact from the number and the other columns, None from blank ones; ValueError says what is wrong.
    read: Callable[..., RadiusFact | SatcatFact | None]


def parse_facts(text: bytes, name: str) -> FactFile:
    """Read a file with facts about objects. Of several records for an object the first counts.

    Raises InputError, which says what is expected, if the text is not such a file, has no usable record, or
    has more records or longer lines than any real one; `name` names the file in messages.
    """
    if is_gcat(text):
        return _bodies(text)
    records = _records(text, name)
    try:
        _, header = next(records, (1, []))
        columns = [column.strip() for column in header]
        form = next((form for form in _FORMS if set(form.columns) <= set(columns)), None)
        if form is None:
            begins = ",".join(header)[:_SHOWN]
            raise InputError(
                f"{name} begins with {begins!r}, so it is not a file of object facts. {_EXPECTED}"
            )
        found = _read(records, columns, form)
    except csv.Error as error:
        raise InputError(f"{name} is not a CSV file ({error}). {_EXPECTED}") from error
    if not found.facts and not found.blank:
        first = "".join(f" The first: {rejection_text(rejection)}." for rejection in found.rejected[:1])
        raise InputError(f"{name} has no usable record.{first} {_EXPECTED}")
    return found


def _bodies(text: bytes) -> FactFile:
    found = read_gcat(text)
    check_units(found.bodies, shipped_bodies())
    rejected = found.rejections
    more = rejected.count - len(rejected.kept)
    return FactFile("bodies", found.bodies.tolist(), found.blank, rejected.kept, more)


def _records(text: bytes, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the line where it begins, from 1.

    Raises InputError for more records, longer lines or more lines per record than any real file has.
    """
    plain = text.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    line, count = 1, 0

    def lines() -> Iterator[str]:
        for number, content in enumerate(lines_of(plain), 1):
            if len(content) > _LINE_CHARACTERS:
                raise InputError(
                    f"Line {number} of {name} has {len(content):,} characters; {_LINE_CHARACTERS:,} are "
                    "allowed."
                )
            if number - line >= _LINES_OF_A_RECORD:
                raise InputError(
                    f"The record that begins in line {line} of {name} has more than {_LINES_OF_A_RECORD} "
                    "lines: a closing quote is missing."
                )
            yield content + "\n"

    rows = csv.reader(lines())
    for cells in rows:
        if cells:
            count += 1
            check_records(count)
            yield line, cells
        line = rows.line_num + 1


def _read(records: Iterator[tuple[int, list[str]]], columns: Sequence[str], form: _Form) -> FactFile:
    wanted = (*form.columns, *form.more)
    positions = [columns.index(column) if column in columns else None for column in wanted]
    found: dict[int, RadiusFact | SatcatFact | None] = {}
    rejected = Rejections()
    for line, cells in records:
        if len(cells) != len(columns):
            reason = f"it has {len(cells)} values for {len(columns)} columns"
            rejected.append(Rejection(line, ",".join(cells)[:_SHOWN], reason))
            continue
        number, *others = ["" if at is None else cells[at].strip() for at in positions]
        try:
            norad_id = _norad_id(number, form.columns[0])
            fact = form.read(norad_id, *others)
        except ValueError as problem:
            rejected.append(Rejection(line, number[:_SHOWN], str(problem)))
            continue
        if norad_id in found:
            rejected.append(Rejection(line, number, "an earlier record describes the same object"))
        else:
            found[norad_id] = fact
    facts = [fact for fact in found.values() if fact is not None]
    more = rejected.count - len(rejected.kept)
    return FactFile(form.kind, facts, len(found) - len(facts), rejected.kept, more)


def _norad_id(text: str, column: str) -> int:
    # int() alone would accept signs, underscores and digits of other scripts too.
    digits = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_NORAD_ID))
    if not digits or int(text) == 0:
        raise ValueError(f"{column} {text[:_SHOWN]!r} must be a number from 1 to {MAX_NORAD_ID}")
    return int(text)


def _radius(norad_id: int, radius: str, estimate: str) -> RadiusFact | None:
    if not radius or estimate == NO_ESTIMATE:
        return None
    radius_m = _number(radius, "HBR", "metres")
    if not SMALLEST_RADIUS_M <= radius_m <= LARGEST_RADIUS_M:  # NaN is refused too
        raise ValueError(f"HBR {radius_m:g} m must be from {SMALLEST_RADIUS_M:g} to {LARGEST_RADIUS_M:g} m")
    return RadiusFact(norad_id, radius_m, estimate)


def _satcat(
    norad_id: int, type_code: str, status_code: str, rcs: str, orbit_center: str, orbit_type: str
) -> SatcatFact:
    for column, code, meanings in (
        ("OBJECT_TYPE", type_code, TYPES_OF_CODES),
        ("OPS_STATUS_CODE", status_code, STATUSES_OF_CODES),
    ):
        if code not in meanings:
            allowed = ", ".join(filter(None, meanings))
            raise ValueError(f"{column} {code[:_SHOWN]!r} must be one of {allowed}, or blank")
    docked_to = _norad_id(orbit_center, "ORBIT_CENTER") if orbit_type == _DOCKED else None
    return SatcatFact(
        norad_id, TYPES_OF_CODES[type_code], STATUSES_OF_CODES[status_code], _rcs(rcs), docked_to
    )


def _rcs(text: str) -> float | None:
    if not text:
        return None
    rcs_m2 = _number(text, "RCS", "square metres")
    if not 0.0 <= rcs_m2 <= LARGEST_RCS_M2:
        raise ValueError(f"RCS {rcs_m2:g} m2 must be from 0 to {LARGEST_RCS_M2:g} m2")
    return rcs_m2 or None  # 0.0000: too small for its four decimals, or not measured


def _number(text: str, column: str, unit: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{column} {text[:_SHOWN]!r} must be a number of {unit}") from None


_FORMS = (
    _Form("radii", ("ObjectID", "HBR", "HBRSource"), (), _radius),
    _Form(
        "satcat",
        ("NORAD_CAT_ID", "OBJECT_TYPE", "OPS_STATUS_CODE"),
        ("RCS", "ORBIT_CENTER", "ORBIT_TYPE"),
        _satcat,
    ),
)
