"""Facts about objects beyond their element sets, kept in `service.sqlite`.

Types, operational status, radar cross-sections, hard-body radii and bodies are imported from files; a user's
radius overrides all. A later import replaces what an earlier one said about the same object, and leaves other
objects unchanged.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import InputError, UsageError
from screening.vocabulary import LARGEST_RADIUS_M, SMALLEST_RADIUS_M
from storage.bodies.table import BODY_DTYPE, BodyArray, shipped_bodies
from storage.state.database import query_state, service_state
from storage.state.fact_files import FactFile, Kind, parse_facts
from storage.state.records import BODIES, FACT_IMPORTS, RADII, SATCAT, Table
from storage.state.sealed_rows import sealed
from storage.times import parse_time, time_text

# What an import of facts changes: how many objects are new, and which of the known ones differ.

SHOWN_CHANGES = 5
_SAME = 1e-6  # relative; the table of the package has seven digits

_NAME = "name"  # a catalogue has several of an object, and none matters to a run

Fact = Sequence[object]  # the catalogue number, then the values


class FactChanges(NamedTuple):
    """What differs from what was known before."""

    new: int  # objects of which nothing was known
    changed: int
    shown: list[str]  # the first SHOWN_CHANGES of the changed ones, in words


def fact_changes(before: Mapping[int, Fact], facts: Iterable[Fact], names: Sequence[str]) -> FactChanges:
    """Compare facts with those known before by number; `names` are those of their values, as in both."""
    new = changed = 0
    shown: list[str] = []
    for fact in facts:
        number = fact[0]
        assert isinstance(number, int)
        old = before.get(number)
        if old is None:
            new += 1
            continue
        differing = [
            f"{name} {_word(one)} -> {_word(other)}"
            for name, one, other in zip(names[1:], old[1:], fact[1:], strict=True)
            if name != _NAME and not _same(one, other)
        ]
        if differing:
            changed += 1
            if len(shown) < SHOWN_CHANGES:
                shown.append(f"{number}: {', '.join(differing)}")
    return FactChanges(new, changed, shown)


def _same(one: object, other: object) -> bool:
    one, other = _plain(one), _plain(other)
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_SAME)
    return one == other


def _plain(value: object) -> object:
    """Return NaN, as arrays have it, and an empty text as None."""
    return None if value == "" or value != value else value


def _word(value: object) -> str:
    value = _plain(value)
    if value is None:
        return "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


FactArray = npt.NDArray[np.void]

SATCAT_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("object_type", "U16"),
        ("status", "U24"),
        ("rcs_m2", "f8"),  # NaN: not known
        ("docked_to", "i8"),  # catalogue number; 0: nothing
    ]
)
RADIUS_DTYPE = np.dtype([("norad_id", "i8"), ("radius_m", "f8")])


_TABLES: dict[Kind, Table[Any]] = {"radii": RADII, "satcat": SATCAT, "bodies": BODIES}


class ObjectFacts(NamedTuple):
    """Facts about all objects; each array is sorted by number, and an empty text means unknown."""

    satcat: FactArray  # SATCAT_DTYPE
    radii: FactArray  # RADIUS_DTYPE
    overrides: FactArray  # RADIUS_DTYPE
    bodies: BodyArray  # BODY_DTYPE


NO_FACTS = ObjectFacts(
    np.zeros(0, SATCAT_DTYPE), np.zeros(0, RADIUS_DTYPE), np.zeros(0, RADIUS_DTYPE), np.zeros(0, BODY_DTYPE)
)


class Imported(NamedTuple):
    """The content of a file, and what it changes."""

    file: FactFile
    changes: FactChanges

    @property
    def words(self) -> str:
        """How many facts were imported, and how many of these say something new."""
        file, changes = self.file, self.changes
        rejected = len(file.rejected) + file.more_rejected
        said = f"{len(file.facts):,} imported, {file.blank:,} blank, {rejected:,} rejected"
        if changes.new == len(file.facts):
            return said
        return f"{said}; {changes.new:,} new, {changes.changed:,} changed"


class StoredFacts(NamedTuple):
    """Facts about one object, and their sources. Times are UTC with their zone."""

    object_type: str | None = None
    status: str | None = None
    rcs_m2: float | None = None
    docked_to: int | None = None
    satcat_source: str | None = None
    satcat_imported_at: datetime | None = None
    table_radius_m: float | None = None
    table_estimate: str | None = None
    table_source: str | None = None
    table_imported_at: datetime | None = None
    override_radius_m: float | None = None
    override_set_at: datetime | None = None


def import_file(store: Path, path: Path, now: datetime) -> Imported:
    """Import a file of CARA's hard-body radii, GCAT or a SATCAT.

    Raises:
        InputError: it cannot be read, or is none of these.
        ServiceStateError: the facts cannot be stored; the earlier ones are unchanged.
    """
    path = path.absolute()
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"The file {path} cannot be read ({error.strerror}). Expected CSV with CARA's hard-body radii or "
            "CelesTrak's SATCAT, or GCAT's satcat.tsv."
        ) from error
    return import_facts(store, text, str(path), now)


def import_facts(store: Path, text: bytes, source: str, now: datetime) -> Imported:
    """Import a text of any kind; `source` says where it is from. Raises as `import_file`."""
    found = parse_facts(text, source)
    table = _TABLES[found.kind].name
    *columns, _ = _TABLES[found.kind].columns  # the last one is the import's
    with service_state(store) as state, sealed(state, "fact_imports", table):
        known = state.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()  # noqa: S608
        before = {number: (number, *values) for number, *values in (*_shipped(found.kind), *known)}
        changes = fact_changes(before, found.facts, columns)
        digest = hashlib.sha256(text).hexdigest()
        values = {"kind": found.kind, "source": source, "sha256": digest, "at": now}
        import_id = FACT_IMPORTS.insert(state, values)
        state.executemany(
            f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}, import_id) "  # noqa: S608
            f"VALUES ({'?, ' * len(columns)}?)",
            ((*fact, import_id) for fact in found.facts),
        )
        of_any = " UNION ".join(f"SELECT import_id FROM {each.name}" for each in _TABLES.values())  # noqa: S608
        # The newest always stays, to say whether a text has already been imported.
        state.execute(
            f"DELETE FROM fact_imports WHERE id != ? AND id NOT IN ({of_any})",  # noqa: S608
            (import_id,),
        )
    return Imported(found, changes)


def _shipped(kind: Kind) -> list[tuple[Any, ...]]:
    return shipped_bodies().tolist() if kind == "bodies" else []


def is_newest_import(store: Path, text: bytes) -> bool:
    """Return whether a text is the last imported one of its kind."""
    # With max(), SQLite takes the other columns from the row with the maximum.
    sql = "SELECT sha256, max(id) FROM fact_imports GROUP BY kind"
    newest = query_state(store, sql, tables=["fact_imports"])
    return hashlib.sha256(text).hexdigest() in {sha256 for sha256, _ in newest}


def override_radius(store: Path, norad_id: int, radius_m: float, now: datetime) -> None:
    """Set the hard-body radius of an object, overriding files.

    Raises UsageError for a radius out of range.
    """
    if not SMALLEST_RADIUS_M <= radius_m <= LARGEST_RADIUS_M:  # NaN is refused too
        raise UsageError(
            f"The hard-body radius {radius_m:g} m is out of range; allowed are {SMALLEST_RADIUS_M:g} to "
            f"{LARGEST_RADIUS_M:g} m."
        )
    with service_state(store) as state, sealed(state, "hard_body_overrides"):
        state.execute(
            "INSERT OR REPLACE INTO hard_body_overrides (norad_id, radius_m, at) VALUES (?, ?, ?)",
            (norad_id, radius_m, time_text(now)),
        )


def clear_override(store: Path, norad_id: int) -> bool:
    """Remove the radius set for an object, and say whether there was one."""
    with service_state(store) as state, sealed(state, "hard_body_overrides"):
        removed = state.execute("DELETE FROM hard_body_overrides WHERE norad_id = ?", (norad_id,))
        return removed.rowcount > 0


def read_facts(store: Path) -> ObjectFacts:
    """Return the facts about all objects."""
    satcat = (
        "SELECT norad_id, coalesce(object_type, ''), coalesce(status, ''), rcs_m2, coalesce(docked_to, 0) "
        "FROM satcat ORDER BY norad_id"
    )
    radii = "SELECT norad_id, radius_m FROM hard_body_radii ORDER BY norad_id"
    overrides = "SELECT norad_id, radius_m FROM hard_body_overrides ORDER BY norad_id"
    bodies = f"SELECT {', '.join(BODY_DTYPE.names or ())} FROM bodies ORDER BY norad_id"  # noqa: S608
    return ObjectFacts(
        np.array(query_state(store, satcat, tables=["satcat"]), SATCAT_DTYPE),
        np.array(query_state(store, radii, tables=["hard_body_radii"]), RADIUS_DTYPE),
        np.array(query_state(store, overrides, tables=["hard_body_overrides"]), RADIUS_DTYPE),
        np.array(query_state(store, bodies, tables=["bodies"]), BODY_DTYPE),
    )


def stored_facts(store: Path, norad_id: int) -> StoredFacts:
    """Return the facts about one object, and their sources."""
    rows = query_state(
        store,
        "SELECT s.object_type, s.status, s.rcs_m2, s.docked_to, si.source, si.at, "
        "r.radius_m, r.estimate, ri.source, ri.at, o.radius_m, o.at FROM (SELECT ? AS norad_id) AS asked "
        "LEFT JOIN satcat AS s USING (norad_id) LEFT JOIN fact_imports AS si ON si.id = s.import_id "
        "LEFT JOIN hard_body_radii AS r USING (norad_id) LEFT JOIN fact_imports AS ri ON ri.id = r.import_id "
        "LEFT JOIN hard_body_overrides AS o USING (norad_id)",
        (norad_id,),
        tables=["satcat", "hard_body_radii", "hard_body_overrides", "fact_imports"],
    )
    if not rows:
        return StoredFacts()
    texts = dict(zip(StoredFacts._fields, rows[0], strict=True))
    times = {name: text and parse_time(text) for name, text in texts.items() if name.endswith("_at")}
    return StoredFacts(**(texts | times))
