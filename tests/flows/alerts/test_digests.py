"""Digests: what does not wait for one, and what they leave out."""

from pathlib import Path

import pytest

from tests.flows.alerts.made_up_days import Meeting, at
from tests.flows.alerts.test_outbox import MEETING, Watched


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("level", "probability", "miss_m", "hours"),
    [
        ("critical", 2e-4, 3000.0, 6.1),  # by its probability
        ("low", 1e-9, 99.9, 6.1),  # by its distance
        ("high", 2e-5, 100.0, 12.1),
        ("low", 1e-9, 100.0, 12.1),
        ("unknown", None, 3000.0, 12.1),
    ],
)
def test_what_is_critical_by_probability_or_distance_does_not_wait_for_a_digest(
    store: Path, level: str, probability: float | None, miss_m: float, hours: float
) -> None:
    watched = Watched(store, digest_hours=12.0)
    watched.note(0, MEETING)
    watched.deliver(0.1)
    watched.note(6, MEETING, Meeting(3, 40, at(22), level, probability, miss_m))
    told = [message.id for message in watched.waiting()]
    delivered = {when: [one.id for one in watched.deliver(when)] for when in (6.1, 12.1)}
    assert delivered[hours] == told


@pytest.mark.slow
def test_a_digest_leaves_out_what_came_and_went_and_the_next_one_does_not_wait_for_it(store: Path) -> None:
    watched = Watched(store, digest_hours=12.0)
    watched.note(0, MEETING)
    watched.deliver(0.1)
    for hours, meetings in ((3, [MEETING, Meeting(3, 40, at(22))]), (6, [MEETING]), (9, [MEETING])):
        watched.note(hours, *meetings)
    assert len(watched.waiting()) == 1
    assert watched.deliver(12.2) == []
    assert watched.waiting() == []
    watched.note(13, MEETING, Meeting(4, 41, at(23)))
    (message,) = watched.deliver(13.1)
    assert message.body["data"]["counts"] == {"new": 1, "raised": 0, "eased": 0, "resolved": 0, "closed": 0}


@pytest.mark.slow
def test_between_digests_of_a_receiver_that_was_away_are_their_hours_too(store: Path) -> None:
    """At most one message goes out per so many hours, counted from the one that arrived."""
    watched = Watched(store, digest_hours=12.0)
    watched.note(0, MEETING)
    watched.deliver(5.0)
    watched.note(6, MEETING, Meeting(3, 40, at(29)))
    assert watched.deliver(16.9) == []
    assert len(watched.deliver(17.0)) == 1
