"""What messages claim: over the disk, over the square, with or without shared drag errors."""

import numpy as np
import pytest

from screening.risk.messages.score import claimed_as, score_message
from tests.screening.risk.message_texts import read_messages
from tests.screening.risk.published import SharedFile
from tests.validation.risk import tracss


@pytest.mark.parametrize(
    ("claimed", "name"),
    [
        (1.0e-5, "disk"),
        (1.273e-5, "square"),
        (3.0e-5, "disk correlated"),
        (3.82e-5, "square correlated"),
        (1.1e-5, ""),
        (0.0, ""),
        (np.nan, ""),
    ],
)
def test_a_claim_is_named_by_the_integral_that_it_is(claimed: float, name: str) -> None:
    assert claimed_as(claimed, 1.0e-5, 3.0e-5) == name


def test_nothing_is_claimed_where_nothing_is_computed() -> None:
    assert claimed_as(1e-5, np.nan, np.nan) == ""
    assert claimed_as(0.0, 0.0, 0.0) == ""


def test_messages_of_cara_claim_the_disk(shared_file: SharedFile) -> None:
    files = sorted(shared_file("cdm").glob("0*.cdm"))
    assert len(files) == 25
    for path in files:
        (message,) = read_messages(path.read_bytes())
        found = score_message(message, message.hard_body_radius_m, samples=0, seed=1)
        assert found.claimed_as == "disk", path.name
        assert not any("4/pi" in remark for remark in found.remarks)


@pytest.mark.parametrize(
    ("name", "radius_m"),
    [("cdm/ION_SCV8_vs_STARLINK_1233.txt", 10.0), ("cara/DensityDecorrelationTestCaseCDM03.txt", 7.0)],
)
def test_the_us_centre_claims_the_square(name: str, radius_m: float, shared_file: SharedFile) -> None:
    (message,) = read_messages(shared_file(f"ndm/{name}").read_bytes())
    assert message.hard_body_radius_m == radius_m
    found = score_message(message, radius_m, samples=0, seed=1)
    assert found.claimed_as == "square"
    (remark,) = [remark for remark in found.remarks if "4/pi" in remark]
    assert f"{found.claimed_probability:.4g} is claimed by FOSTER-1992" in remark
    assert f"line {message.lines['COLLISION_PROBABILITY']}, COLLISION_PROBABILITY" in remark


def test_the_verification_set_of_tracss(shared_file: SharedFile) -> None:
    found = tracss.compare(shared_file(tracss.FILE).parents[1])
    assert found.number == 4
    assert [measure.name.partition(":")[0] for measure in found.measures] == list(tracss.COMPARED)
    assert all(measure.agrees for measure in found.measures)
    assert {measure.limit for measure in found.measures} == {tracss.FIVE_DIGITS}
