"""Parameters of requests about received messages, and the cursors of their list."""

import base64
import binascii
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from api.errors import BadParameter
from api.http.parameters import MAX_OFFSET, NoradId, NoradIds, ShortText, UtcTime
from storage.rows.over_runs.event_ids import MAX_EVENT_ID

_CONDITIONS = ("norad_id", "event_id", "originator", "since", "restricted")
_RESTRICTED = "Also messages whose sources forbid sharing them, as Space-Track does."


class MessageUploadParameters(BaseModel):
    """Parameters of `POST /messages`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: ShortText | None = Field(
        default=None, description="File or service that they came from.", examples=["inbox-2026-11-21.zip"]
    )


class MessageParameters(BaseModel):
    """Parameters of `GET /messages`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    norad_id: NoradIds | None = Field(
        default=None,
        description="Only messages about these objects, on either side: catalogue numbers, separated by "
        "commas.",
    )
    event_id: int | None = Field(
        default=None,
        ge=1,
        le=MAX_EVENT_ID,
        description="Only messages about this event, or about the encounter with this `encounter_id`.",
        examples=[5214368101946711],
    )
    originator: ShortText | None = Field(
        default=None, description="Only from this sender.", examples=["CARA"]
    )
    since: UtcTime | None = Field(
        default=None,
        description="Only messages received at this time or later. ISO 8601; without a zone: UTC.",
        examples=["2026-11-21T06:00:00Z"],
    )
    restricted: bool = Field(default=False, description=_RESTRICTED)
    limit: int = Field(default=100, ge=1, le=10_000, description="Most messages to return.")
    cursor: str | None = Field(
        default=None,
        max_length=16_384,
        description="`next` of the previous page; the conditions must be the same.",
    )


class InboxFileParameters(BaseModel):
    """Parameters of `POST /inbox`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: ShortText = Field(
        description="Name of the file. Starlink's ephemerides identify their satellite only by it.",
        examples=["25544.cdm"],
    )
    norad_id: NoradId | None = Field(
        default=None,
        description="Catalogue number of the object of an ephemeris, if the file does not name it.",
    )


class InboxParameters(BaseModel):
    """Parameters of `GET /inbox`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    norad_id: NoradIds | None = Field(
        default=None, description="Only about these objects: catalogue numbers, separated by commas."
    )
    originator: ShortText | None = Field(
        default=None, description="Only encounters that this sender tells.", examples=["CARA"]
    )
    restricted: bool = Field(default=False, description=_RESTRICTED)
    limit: int = Field(default=20, ge=1, le=100, description="Most encounters to return.")
    offset: int = Field(default=0, ge=0, le=MAX_OFFSET, description="Encounters to skip.")


class OneMessageParameters(BaseModel):
    """Parameters of `GET /messages/{id}`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "original"] = Field(
        default="json",
        description="`json`: what was read, and skysieve's numbers; `original`: the message itself.",
    )
    restricted: bool = Field(default=False, description=_RESTRICTED)


class MessageCursor(BaseModel):
    """The conditions of a list, and the last message sent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    wanted: MessageParameters
    after: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


def encode(wanted: MessageParameters, after: str) -> str:
    """Return the cursor that continues after the message with an id."""
    conditions = MessageParameters(**{name: getattr(wanted, name) for name in _CONDITIONS})
    text = MessageCursor(wanted=conditions, after=after).model_dump_json(exclude_defaults=True)
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def last_sent(given: MessageParameters) -> str | None:
    """Return the id of the last message of the previous page; None: this is the first page.

    Raises:
        BadParameter: the cursor does not come from this service, or belongs to another list.
    """
    if given.cursor is None:
        return None
    try:
        padded = given.cursor + "=" * (-len(given.cursor) % 4)
        cursor = MessageCursor.model_validate_json(base64.urlsafe_b64decode(padded))
    except (binascii.Error, ValueError, ValidationError) as error:
        raise BadParameter(
            "cursor", "The cursor does not come from this service: use `next` of a page unchanged."
        ) from error
    for name in _CONDITIONS:
        if getattr(given, name) != getattr(cursor.wanted, name):
            raise BadParameter(
                name, f"{name} differs from the value used for the list that this cursor belongs to."
            )
    return cursor.after
