"""Cursors: where the next page begins, as a text that the client sends back."""

import base64
import binascii
from typing import Annotated

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from api.errors import BadParameter
from api.http.event_parameters import EventParameters
from storage.in_memory.event_table import KEY_LENGTHS, Key
from storage.rows.over_runs.event_ids import MAX_EVENT_ID

_CONDITIONS = (
    "risk_level",
    "probability_level",
    "norad_id",
    "owner",
    "fleet",
    "tca_from",
    "tca_to",
    "max_miss_m",
    "min_probability",
    "complexes",
    "restricted",
    "order",
)

SortKey = Annotated[float, Field(allow_inf_nan=False)]


class Cursor(BaseModel):
    """The run that is paged through, the conditions, and the key of the last row sent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str = Field(pattern=r"^[0-9]{8}T[0-9]{6}Z(-[0-9]{3,6})?$")
    wanted: EventParameters
    key: tuple[SortKey, ...]
    id: int = Field(ge=0, le=MAX_EVENT_ID)

    @property
    def after(self) -> Key:
        """Return the key of the last row sent, in the form that the store sorts by."""
        return (*self.key, self.id)


def encode(run_id: str, wanted: EventParameters, last: Key) -> str:
    """Return the cursor that continues after the row with the key `last`."""
    *key, event_id = last
    kept = wanted.model_dump(mode="json", include=set(_CONDITIONS), exclude_none=True)
    text = orjson.dumps({"run": run_id, "wanted": kept, "key": key, "id": event_id})
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def decode(text: str) -> Cursor:
    """Decode a cursor.

    Raises:
        BadParameter: it does not come from this release of the service.
    """
    try:
        cursor = Cursor.model_validate_json(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError, ValidationError) as error:
        raise _foreign() from error
    order = cursor.wanted.order or "risk"
    # Earlier releases began the key of `risk` with a level above 0; today's begins with minus a probability.
    if len(cursor.after) != KEY_LENGTHS[order] or (order == "risk" and cursor.key[0] > 0.0):
        raise _foreign()
    return cursor


def continued(given: EventParameters, cursor: Cursor) -> EventParameters:
    """Return the parameters of the next page: the cursor's conditions with the current limit and offset.

    Raises:
        BadParameter: a condition differs from that of the list's first page.
    """
    for name in _CONDITIONS:
        now, begun = getattr(given, name), getattr(cursor.wanted, name)
        if now is not None and now != begun and (name, now, begun) != ("order", "risk", None):
            began = "without it" if begun is None else f"with {begun}"
            raise BadParameter(
                name, f"{name} is {now}, but the cursor is from a list that was requested {began}."
            )
    return cursor.wanted.model_copy(update={"limit": given.limit, "offset": given.offset})


def _foreign() -> BadParameter:
    return BadParameter(
        "cursor",
        "The cursor does not come from this release of the service: use `next` of a page unchanged, or start "
        "the list again, without a cursor.",
    )
