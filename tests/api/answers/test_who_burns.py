"""Which of two objects burns if nobody says."""

import pytest

from api.answers.manoeuvres import burns_by_default
from storage.in_memory.single_objects import ObjectDetails


def known(can: str | None, launch: str = "2019-074AB", object_type: str = "payload") -> ObjectDetails:
    return ObjectDetails(object_id=launch, object_type=object_type, can_manoeuvre=can)


@pytest.mark.parametrize(
    ("primary", "secondary", "expected"),
    [
        (known("yes", "1980-083A"), known("unknown", "2024-001A"), "primary"),
        (known("unknown", "1980-083A"), known("unknown", "2024-001A"), "secondary"),
        (known("yes", "2024-001A"), known("yes", "1980-083A"), "primary"),
        (known("no", "2024-001A"), known("unknown", "1980-083A"), "secondary"),
        (known("unknown", "1980-083A"), known("unknown", "2024-001A", "unknown"), "primary"),
        (known("no", object_type="debris"), known("unknown", object_type="unknown"), "secondary"),
        (known("no"), known("no", object_type="rocket_body"), None),
        (known("no"), known(None), None),
    ],
)
def test_one_that_can_goes_before_one_that_may(
    primary: ObjectDetails, secondary: ObjectDetails, expected: str | None
) -> None:
    assert burns_by_default({"primary": primary, "secondary": secondary}) == expected
