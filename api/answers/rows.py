"""Rows of the store with the names of their fields as sent, and which of them are an owner's."""

from collections.abc import Iterable, Sequence

from api.errors import BadParameter
from storage.in_memory.event_columns import EVENT_COLUMNS
from storage.in_memory.object_fields import OBJECT_COLUMNS
from storage.in_memory.snapshot import Snapshot
from storage.rows.owners import UnknownOwner, numbers_of_owner
from storage.schema import PROXIMITIES, REJECTIONS, RUNS

# In answers `event_id` is called `id`.
EVENT_FIELDS = tuple("id" if name == "event_id" else name for name in EVENT_COLUMNS)
PROXIMITY_FIELDS = tuple(column.name for column in PROXIMITIES.columns)
RUN_FIELDS = tuple(column.name for column in RUNS.columns)
OBJECT_FIELDS = tuple(column.name for column in OBJECT_COLUMNS)
REJECTION_FIELDS = tuple(column.name for column in REJECTIONS.columns if column.name != "run_id")


def records(fields: Sequence[str], rows: Iterable[Sequence[object]]) -> list[dict[str, object]]:
    """Return rows with the names of their fields."""
    return [dict(zip(fields, row, strict=True)) for row in rows]


def owned(snapshot: Snapshot, owner: str, *, satellites: bool = False) -> list[int]:
    """Return the catalogue numbers of an owner's objects in the snapshot's run, or only of its satellites.

    Raises BadParameter if the run knows no such owner.
    """
    try:
        return numbers_of_owner(snapshot.rows, owner, satellites=satellites)
    except UnknownOwner as error:
        raise BadParameter("owner", str(error)) from error
