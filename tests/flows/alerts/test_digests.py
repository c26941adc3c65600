"""Digests: what does not wait for one."""

from pathlib import Path

import pytest

from tests.flows.alerts.made_up_days import Meeting, at
from tests.flows.alerts.test_noted import MEETING, Watched


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
    tmp_path: Path, level: str, probability: float | None, miss_m: float, hours: float
) -> None:
    watched = Watched(tmp_path / "store", digest_hours=12.0)
    watched.note(0, MEETING)
    watched.deliver(0.1)
    watched.note(6, MEETING, Meeting(3, 40, at(22), level, probability, miss_m))
    told = [message.id for message in watched.waiting()]
    delivered = {when: [one.id for one in watched.deliver(when)] for when in (6.1, 12.1)}
    assert delivered[hours] == told
