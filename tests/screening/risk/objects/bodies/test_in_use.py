"""Which objects are in use, and which can change their path."""

import numpy as np
import pytest

from screening.risk.objects.bodies.body_classes import stations_of
from screening.risk.objects.bodies.in_use import KINDS, Movers, statuses, who_can_manoeuvre
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.vocabulary import OBJECT_TYPES

SEEN = "2024-10-30T06:00:00"
LAGEOS_1, ZARYA, ANY = 8820, 25544, 900_000_001


def status_of(word: str, object_type: str = "payload", *, lately: bool = False) -> str:
    found = statuses(
        np.array([OBJECT_TYPES.index(object_type)], np.int8), np.array([word]), np.array([lately])
    )
    return str(found[0])


def can(
    name: str,
    object_type: str = "payload",
    *,
    norad_id: int = ANY,
    status: str = "unknown",
    last_manoeuvre: str = "NaT",
    error_class: str = "ballistic",
    mass_kg: float = np.nan,
) -> tuple[str, str]:
    words, reasons = who_can_manoeuvre(
        Movers(
            stations_of(np.array([norad_id])) >= 0,
            np.array([name]),
            np.array([OBJECT_TYPES.index(object_type)], np.int8),
            np.array([status]),
            np.array([last_manoeuvre], "M8[us]"),
            np.array([ERROR_CLASSES.index(error_class)], np.int8),
            np.array([mass_kg]),
        )
    )
    return str(words[0]), str(reasons[0])


@pytest.mark.parametrize(
    ("word", "object_type", "lately", "expected"),
    [
        # The words are those of SATCAT's nine codes (celestrak.org/satcat/status.php).
        ("operational", "payload", False, "active"),
        ("partially_operational", "payload", False, "active"),
        ("backup", "payload", False, "active"),
        ("spare", "payload", False, "active"),
        ("extended_mission", "payload", False, "active"),
        ("nonoperational", "payload", False, "inactive"),
        ("decayed", "payload", False, "inactive"),
        ("nonoperational", "payload", True, "inactive"),
        ("", "debris", False, "inactive"),
        ("partially_operational", "debris", False, "inactive"),
        ("", "rocket_body", True, "inactive"),
        ("", "payload", False, "unknown"),
        ("", "payload", True, "active"),
        ("", "unknown", False, "unknown"),
    ],
)
def test_status_is_that_of_satcat_else_what_the_history_shows(
    word: str, object_type: str, lately: bool, expected: str
) -> None:
    assert status_of(word, object_type, lately=lately) == expected
    assert status_of(expected, object_type, lately=lately) == expected, "said twice is as said once"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (can("COSMOS 1408 DEB", "debris", last_manoeuvre=SEEN), ("no", "debris")),
        (can("SL-16 R/B", "rocket_body", status="inactive"), ("no", "a rocket body")),
        (
            can("LAGEOS 1", norad_id=LAGEOS_1, error_class="geodetic", status="active"),
            ("no", "a passive sphere"),
        ),
        (can("ENVISAT", status="inactive", last_manoeuvre=SEEN), ("no", "out of use")),
        (can("STARLINK-1008", status="inactive", error_class="manoeuvred"), ("no", "out of use")),
        (can("SENTINEL-1A", last_manoeuvre=SEEN), ("yes", "manoeuvre seen on 2024-10-30")),
        (can("STARLINK-1008"), ("yes", "satellites of its kind have thrusters")),
        (can("ONEWEB-0012", error_class="constellation"), ("yes", "satellites of its kind have thrusters")),
        (can("ISS (ZARYA)", norad_id=ZARYA), ("yes", "a space station")),
        (
            can("ASTRA 1N", status="active", error_class="geostationary"),
            ("yes", "in use in geostationary orbit"),
        ),
        (can("ASTRA 1N", error_class="geostationary"), ("yes", "holds its place in geostationary orbit")),
        (can("SWARM B", status="active"), ("unknown", "nothing says whether it has thrusters")),
        (can("UNKNOWN", "unknown"), ("unknown", "of unknown type")),
        # Drag changes their orbits too: what a history shows is no burn.
        (can("FLOCK 4Q-1", last_manoeuvre=SEEN), ("no", "satellites of its kind have no thrusters")),
        (can("SPACEBEE-10"), ("no", "satellites of its kind have no thrusters")),
        (can("OSCAR 1U", mass_kg=1.1), ("no", "of at most 2 kg, too small for thrusters")),
        (can("UWE-4", mass_kg=1.3, last_manoeuvre=SEEN), ("yes", "manoeuvre seen on 2024-10-30")),
        (can("COSMOS 1 DEB", "debris", mass_kg=0.1), ("no", "debris")),
    ],
)
def test_who_can_manoeuvre_and_why(answer: tuple[str, str], expected: tuple[str, str]) -> None:
    assert answer == expected


def test_every_kind_has_a_source() -> None:
    for kind in KINDS:
        assert len(kind.source) > 20, kind


def test_none_is_an_answer_for_none() -> None:
    nothing = np.zeros(0, np.int8)
    words, reasons = who_can_manoeuvre(
        Movers(
            np.zeros(0, np.bool_),
            np.zeros(0, "U8"),
            nothing,
            np.zeros(0, "U8"),
            np.zeros(0, "M8[us]"),
            nothing,
            np.zeros(0),
        )
    )
    assert len(words) == len(reasons) == 0
