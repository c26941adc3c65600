"""How the catalogue of the newest run differs from an earlier one, as an answer."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from screening.answers import answer
from screening.fragmentation.launches import launches_of
from storage.disk.current import read_current
from storage.disk.faults import store_faults
from storage.sky.earlier import Row, changes_until, fragmentations, sets_known_by
from storage.times import datetime64_us

MOST_LISTED = 1000
_MOST_RUNS = 30


@answer(norad_id=49513, name="COSMOS 1408 DEB", object_id="1982-092D")
class CatalogueObject:
    """An object that one of two catalogues has."""

    norad_id: int
    """Its catalogue number."""
    name: str
    """Its name; empty: its sets have expired."""
    object_id: str
    """Its international designator; empty: it has none yet."""


@answer(was=80912, norad_id=49513)
class Renumbered:
    """An object that flies on under another number."""

    was: int
    """Its former number."""
    norad_id: int
    """Its number now."""


@answer(launch="2021-104", objects=57)
class CatalogueLaunch:
    """New objects of one launch."""

    launch: str
    """Year and number, the beginning of their international designators."""
    objects: int
    """How many are new."""


@answer(run_id="20241101T000000Z", objects=26834, new=12, gone=7, suspect=False)
class CatalogueOfRun:
    """The catalogue of one run, counted."""

    run_id: str
    """The run."""
    objects: int
    """Its objects."""
    new: int
    """Those that no catalogue had before."""
    gone: int
    """Those that only the catalogue compared with has."""
    suspect: bool
    """It is cut, or has objects twice."""


@answer(
    run_id="20241101T000000Z",
    base_run_id="20241031T160000Z",
    objects=26834,
    objects_before=26829,
    suspect=False,
    words=["26,834 objects, 26,829 in the catalogue before.", "New: 12; 9 come from 1 launch (2024-195)."],
)
class CatalogueChanges:
    """How the catalogue of the newest run differs from an earlier one."""

    run_id: str
    """The run; empty: none has compared its catalogue yet."""
    base_run_id: str | None
    """Run compared with: the last complete one of the week before; null: there is none."""
    epoch: datetime | None
    """Epoch that 99 % of its element sets are older than, UTC."""
    objects: int
    """Objects of its catalogue."""
    objects_before: int | None
    """Objects of the other catalogue."""
    suspect: bool
    """A tenth of the objects or more is missing or doubled, or a family of objects is missing as a whole: of
    no event is said that it is gone."""
    missing_families: list[str]
    """First words of the names of these families."""
    stale: int
    """Objects whose set is more than 7 days older than `epoch`."""
    repeated: int
    """Sets left out, as the text has a newer one of the same object."""
    doubled: int
    """New numbers with the element set of an object known before."""
    words: list[str]
    """What of that matters, as sentences."""
    launches: list[CatalogueLaunch]
    """Launches of which objects are new."""
    new: list[CatalogueObject]
    """Objects that no catalogue had before, at most 1,000 by number; without those of launches and pieces."""
    pieces: int
    """New objects that are pieces of break-ups."""
    back: list[CatalogueObject]
    """Objects that the other catalogue had not, but an earlier one; at most 1,000."""
    gone: list[CatalogueObject]
    """Objects that only the other catalogue has, without renumbered ones; at most 1,000."""
    gone_total: int
    """How many these are."""
    renumbered: list[Renumbered]
    """Objects that fly on under another number."""
    runs: list[CatalogueOfRun]
    """The last 30 runs of the same kind, the newest first."""


def catalogue_changes(store: Path) -> CatalogueChanges:
    """Return how the catalogue of the newest run differs from an earlier one; empty if none has compared it.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    current = read_current(store)
    with store_faults(store):
        rows = [] if current is None else changes_until(store, current.run_id)
        if not rows:
            return _NOTHING
        row = rows[-1]
        pieces = {number for one in fragmentations(store) for number in one["new_piece_norad_ids"]}
        gone = np.setdiff1d(row["gone_norad_ids"], row["former_norad_ids"])
        fresh = np.setdiff1d(row["new_norad_ids"], [*pieces, *row["doubled_norad_ids"]])
        asked = np.concatenate([fresh, gone[:MOST_LISTED], row["back_norad_ids"][:MOST_LISTED]])
        until = datetime64_us(row["epoch"] + timedelta(days=1))
        sets = sets_known_by(store, row["run_id"], asked.astype(np.int64), until)
    known = {
        int(number): (str(name), str(object_id), str(launch))
        for number, name, object_id, launch in zip(
            sets["norad_id"], sets["name"], sets["object_id"], launches_of(sets["object_id"]), strict=True
        )
    }

    def objects(numbers: Iterable[int]) -> list[CatalogueObject]:
        listed = [int(number) for number in numbers][:MOST_LISTED]
        return [CatalogueObject(number, *known.get(number, ("", ""))[:2]) for number in listed]

    of_launch = dict.fromkeys(row["launches"], 0)
    others = []
    for number in fresh.tolist():
        launch = known.get(number, ("", "", ""))[2]
        if launch in of_launch:
            of_launch[launch] += 1
        else:
            others.append(number)
    return CatalogueChanges(
        **{name: row[name] for name in _AS_STORED},
        doubled=len(row["doubled_norad_ids"]),
        launches=[CatalogueLaunch(*one) for one in of_launch.items()],
        new=objects(others),
        pieces=sum(number in pieces for number in row["new_norad_ids"]),
        back=objects(row["back_norad_ids"]),
        gone=objects(gone),
        gone_total=len(gone),
        renumbered=[
            Renumbered(*pair) for pair in zip(row["former_norad_ids"], row["present_norad_ids"], strict=True)
        ],
        runs=[_counted(one) for one in reversed(rows[-_MOST_RUNS:])],
    )


def newest_words(store: Path) -> list[str]:
    """Return what the newest run says of its catalogue, as sentences; nothing if it has not compared it.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    current = read_current(store)
    with store_faults(store):
        rows = [] if current is None else changes_until(store, current.run_id)
    newest = [row for row in rows if current and row["run_id"] == current.run_id]
    return list(newest[0]["words"]) if newest else []


def _counted(row: Row) -> CatalogueOfRun:
    new, gone = len(row["new_norad_ids"]), len(row["gone_norad_ids"])
    return CatalogueOfRun(row["run_id"], row["objects"], new, gone, row["suspect"])


_AS_STORED = (
    *("run_id", "base_run_id", "epoch", "objects", "objects_before", "suspect", "missing_families", "stale"),
    *("repeated", "words"),
)
_NOTHING = CatalogueChanges(
    run_id="",
    base_run_id=None,
    epoch=None,
    objects=0,
    objects_before=None,
    suspect=False,
    missing_families=[],
    stale=0,
    repeated=0,
    doubled=0,
    words=["No run has compared its catalogue with an earlier one yet."],
    launches=[],
    new=[],
    pieces=0,
    back=[],
    gone=[],
    gone_total=0,
    renumbered=[],
    runs=[],
)
