"""Links that open one event without a credential: whether an event may have one, and new ones."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from api.answers.geometry import event_details
from api.answers.stored_events import StoredEvent, stored_event
from api.errors import BadParameter, NotFound
from api.models.operators import MadeLink
from screening.answers import same_fields
from screening.errors import NotPossible, UsageError
from storage.in_memory.snapshot import Snapshot
from storage.state.operators.links import create_link, expiry, link_address
from storage.state.records import Credential
from storage.trajectories.trajectory_file import Trajectory
from storage.vocabulary import EVERYBODY

Seen = Callable[[int], Snapshot]  # the newest run as an organisation sees it


def made_link(
    store: Path,
    seen: Seen,
    event_id: int,
    expires: datetime | None,
    now: datetime,
    *,
    base_url: str,
    made_by: str,
    organisation_id: int,
    by: Credential | None = None,
) -> MadeLink:
    """Make a link to an event and return it; `by` None: on the command line.

    Raises NotFound if the organisation does not see such an event, NotPossible if nobody else does, or its
    ephemerides must not be shared; BadParameter if it cannot end then.
    """
    event = _shareable(seen, event_id, organisation_id)
    try:
        ends = expiry(event.tca, expires, now)
    except UsageError as error:
        raise BadParameter("expires", str(error)) from error
    new = create_link(
        store,
        event_id,
        ends,
        made_by,
        now,
        organisation_id=organisation_id,
        credential_id=by and by.id,
    )
    return MadeLink(**same_fields(MadeLink, new), url=link_address(base_url, event_id, new.key))


def _shareable(seen: Seen, event_id: int, organisation_id: int) -> StoredEvent:
    stored_event(seen(organisation_id), event_id, restricted=True)
    everybody = seen(EVERYBODY)
    try:
        event = stored_event(everybody, event_id)
    except NotFound as error:
        raise NotPossible(
            f"The event {event_id} is known only to your organisation: a link shows what everybody sees."
        ) from error
    refuse_restricted(event_details(everybody, event).trajectories)
    return event


def refuse_restricted(trajectories: tuple[Trajectory | None, Trajectory | None]) -> None:
    """Raise NotPossible if an event rests on an ephemeris that must not be shared."""
    if any(one is not None and one.about.restricted for one in trajectories):
        raise NotPossible("The event rests on an ephemeris whose source does not allow sharing it.")
