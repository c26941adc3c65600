"""One event of a store with all that a report says of it, and as a notebook shows it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from api.errors import BadParameter, NotFound
from api.report.contents import report_on
from api.report.summary import main_numbers, sentences, title, words
from api.settings import ApiSettings
from screening.errors import InputError, UsageError
from skysieve.notebook import table
from storage.in_memory.snapshot import newest_snapshot
from storage.machine.kernel_folder import kernels_below
from storage.rows.words.numbers import instant
from storage.settings import load_settings


class Event:
    """An event as it was known when it was read; `Store.event` returns one.

    `skysieve.plot` draws it. Sent to another process, it is read again there.
    """

    def __init__(self, store: Path, event_id: int, seen_from: int | None = None) -> None:
        """Read an event of the store in a folder; `Store.event` says what it raises."""
        settings = load_settings(ApiSettings, store=store)
        kernels_below(settings.kernel_cache)
        self._asked = settings.store, event_id, seen_from
        try:
            self._report = report_on(
                newest_snapshot(settings.store), event_id, settings, datetime.now(UTC), seen_from=seen_from
            )
        except NotFound as error:
            raise InputError(
                f"There is no event {event_id} in {settings.store}, or its source does not allow sharing it."
            ) from error
        except BadParameter as error:
            raise UsageError(f"seen_from is {seen_from}: {error}") from error

    def __reduce__(self) -> tuple[type["Event"], tuple[Path, int, int | None]]:
        return Event, self._asked

    @property
    def store(self) -> Path:
        """The folder of its store."""
        return self._asked[0]

    @property
    def id(self) -> int:
        """Its id, the same in all runs."""
        return self._report.event.id

    @property
    def tca(self) -> datetime:
        """The time of closest approach, UTC."""
        return self._report.event.tca

    @property
    def row(self) -> dict[str, Any]:
        """The columns of the event (docs/schema.md), as known now; None for NULL."""
        row = self._report.event.row
        return {"event_id": row.pop("id"), **row}

    @property
    def headline(self) -> str:
        """One line: the level, both objects, how near, how likely."""
        return words(self._report).event.headline

    @property
    def sentences(self) -> list[str]:
        """What happens, how likely a collision is, what that rests on, and whom to ask."""
        return sentences(self._report)

    def __repr__(self) -> str:
        return f"<Event {self.id}: {self.headline}>"

    def _repr_html_(self) -> str:
        event = self._report.event
        rows = [("closest approach", f"{instant(self.tca)} UTC"), *main_numbers(self._report)]
        level = event.levels[0]
        text = " ".join([*self._report.notices, *self.sentences[:2]])
        return table(title(event), [("level", level), *rows, ("event", str(self.id))], text)
