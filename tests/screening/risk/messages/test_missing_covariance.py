"""Messages without one covariance, or both: the largest probability that any would give, and said so."""

import re

import numpy as np
import pytest

from screening.risk.messages.score import score_message
from screening.risk.messages.scores import MessageScore
from tests.screening.risk.message_texts import kvn, parts, read_messages, to_xml, without_covariance
from tests.screening.risk.published import SharedFile

# Their square of the disk's area, and a step of the search.
square_of_equal_area = 0.01


def scored(text: str, radius_m: float) -> MessageScore:
    (message,) = read_messages(text)
    return score_message(message, radius_m, samples=0, seed=1)


@pytest.mark.parametrize(
    ("case", "radius_m", "without_primary", "without_secondary"),
    [  # NASA CARA's unit tests, "previously validated case to Frisbee's data"
        ("1-1", 70.0, 3.1394e-6, 3.1860e-4),
        ("1-1", 20.0, 2.5628e-7, 2.6520e-5),
        ("1-5", 70.0, 9.8187e-7, 3.3912e-4),
        ("1-5", 20.0, 8.0154e-8, 2.8746e-5),
        ("1-9", 70.0, 1.3853e-4, 6.7446e-4),
        ("1-9", 20.0, 1.1309e-5, 5.5064e-5),
    ],
)
def test_published_maxima(
    case: str, radius_m: float, without_primary: float, without_secondary: float, shared_file: SharedFile
) -> None:
    text = shared_file(f"ndm/cara/SingleCovTestCase{case}.cdm").read_text()
    for which, name, expected in ((1, "primary", without_primary), (2, "secondary", without_secondary)):
        found = scored(without_covariance(text, which), radius_m)
        assert found.probability_2d == pytest.approx(expected, rel=square_of_equal_area)
        assert found.missing_covariance == name
        assert "missing_covariance" in found.probability_flag
        assert any(f"OBJECT{which} has no covariance" in remark for remark in found.remarks)


@pytest.mark.slow
def test_withholding_never_gives_less_than_the_full_message(shared_file: SharedFile) -> None:
    folder = shared_file("cdm")
    files = [*sorted(folder.glob("*.cdm")), shared_file("ndm/cdm/ION_SCV8_vs_STARLINK_1233.txt")]
    assert len(files) == 45
    for path in files:
        text = path.read_text()
        (message,) = read_messages(text)
        radius_m = 10.0 if np.isnan(message.hard_body_radius_m) else message.hard_body_radius_m
        full = score_message(message, radius_m, samples=0, seed=1)
        for withheld in ((1,), (2,), (1, 2)):
            found = scored(without_covariance(text, *withheld), radius_m)
            assert found.probability_2d >= np.fmax(full.probability_2d, full.probability_2d_unchecked) or (
                np.isnan(full.probability_2d_unchecked)
            ), (path.name, withheld)
            # The correlated one too, though it may exceed what the known covariance alone allows.
            assert not found.probability_2d < full.probability_2d_correlated, (path.name, withheld)


def test_a_level_that_rests_on_a_maximum_says_so() -> None:
    found = scored(without_covariance(kvn(), 2), 12.5)
    assert found.risk_basis == "maximum"
    assert found.risk_level == "critical"
    assert np.isfinite([found.probability, found.probability_2d, found.probability_max]).all()
    assert found.claimed_as == ""
    assert np.isnan(found.mahalanobis_distance)


def test_without_any_covariance_the_miss_alone_bounds_it() -> None:
    found = scored(without_covariance(kvn(), 1, 2), 12.5)
    assert found.missing_covariance == "both"
    # A Gaussian along the miss m whose sigma is m: at best 2 R exp(-1/2) / (sqrt(2 pi) m).
    assert found.probability_2d == pytest.approx(25.0 * np.exp(-0.5) / np.sqrt(2 * np.pi) / 1000.0, rel=1e-3)


@pytest.mark.parametrize("text", [without_covariance(kvn(), 1), to_xml(without_covariance(kvn(), 1))])
def test_all_forms_may_lack_it(text: str) -> None:
    assert scored(text, 12.5).missing_covariance == "primary"


@pytest.mark.parametrize("sigma_m", ["0.0", "4.0680631590769e13"])
def test_a_covariance_that_stands_for_none_is_none(sigma_m: str) -> None:
    message = parts()
    for keyword in [key for key in message[2] if re.fullmatch(r"C[RTN](DOT)?_\w+", key)]:
        message[2][keyword] = "0.0"
    for keyword in ("CR_R", "CT_T", "CN_N"):
        message[2][keyword] = sigma_m
    found = scored(kvn(message), 12.5)
    assert found.missing_covariance == "secondary"
    assert any("the covariance of OBJECT2 stands for none" in remark for remark in found.remarks)


def test_a_covariance_along_x_y_z_is_turned() -> None:
    message = parts()
    full = scored(kvn(message), 12.5)
    for keyword in [key for key in message[1] if re.fullmatch(r"C[RTN](DOT)?_\w+", key)]:
        value = message[1].pop(keyword)
        # OBJECT1 lies along x and moves along y: x, y, z are its R, T, N.
        message[1][keyword.translate(str.maketrans("RTN", "XYZ")).replace("DOY", "DOT")] = value
    message[1] |= {"ALT_COV_TYPE": "XYZ", "ALT_COV_REF_FRAME": "J2000"}
    turned = scored(kvn(message), 12.5)
    assert turned.missing_covariance == ""
    assert turned.probability_2d == pytest.approx(full.probability_2d, rel=1e-9)
