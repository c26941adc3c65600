"""Messages of TraCSS: keywords in camel case say what the standard's own forms say."""

import json

import numpy as np
import pytest

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.texts.camel_case import as_keyword
from tests.screening.risk.expected_of_messages import EXPECTED
from tests.screening.risk.message_texts import kvn, read_messages
from tests.screening.risk.published import SharedFile
from tests.screening.risk.tracss_row import tracss_row


def read(text: str) -> ConjunctionMessage:
    (message,) = read_messages(text)
    return message


@pytest.mark.parametrize(
    ("key", "keyword"),
    [  # as the document of the interface spells them
        ("ccsdsCdmVers", "CCSDS_CDM_VERS"),
        ("messageId", "MESSAGE_ID"),
        ("tca", "TCA"),
        ("missDistanceUnit", "MISS_DISTANCE_UNIT"),
        ("relativePositionRValue", "RELATIVE_POSITION_R"),
        ("startScreeningPeriod", "START_SCREEN_PERIOD"),
        ("collisionMaxPcMethod", "COLLISION_MAX_PC_METHOD"),
        ("object1ObjectDesignator", "OBJECT1_OBJECT_DESIGNATOR"),
        ("object1RecommendedODSpanValue", "OBJECT1_RECOMMENDED_OD_SPAN"),
        ("object2HBRUnit", "OBJECT2_HBR_UNIT"),
        ("object2XDotValue", "OBJECT2_X_DOT"),
        ("object2CrdotRDotValue", "OBJECT2_CRDOT_RDOT"),
        ("object1CndotTUnit", "OBJECT1_CNDOT_T_UNIT"),
        ("object1DcpSensitivityVectorPositionValue", "OBJECT1_DCP_SENSITIVITY_VECTOR_POSITION"),
        ("object1DensityForecastUncertainty", "OBJECT1_DENSITY_FORECAST_UNCERTAINTY"),
        ("offset", ""),
        ("SAT1_X_UNIT", "SAT1_X_UNIT"),
        ("sat1_x_unit", "SAT1_X_UNIT"),
        ("somethingNew", "SOMETHINGNEW"),
    ],
)
def test_keys_become_keywords(key: str, keyword: str) -> None:
    assert as_keyword(key) == keyword


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "name", [each.file for each in EXPECTED if not each.refused_line and not each.file.endswith(".xml")]
)
def test_states_and_covariances_of_every_published_message_are_the_same(
    name: str, shared_file: SharedFile
) -> None:
    text = shared_file(name).read_text()
    made, original = read(json.dumps({"cdm_v2": [tracss_row(text, 7)]})), read(text)
    for field in ("message_id", "originator", "creation_date", "tca", "miss_distance_m", "probability"):
        np.testing.assert_array_equal(getattr(made, field), getattr(original, field), err_msg=field)
    for one, other in ((made.primary, original.primary), (made.secondary, original.secondary)):
        for field in ("designator", "name", "frame", "r_m", "v_m_s", "covariance_rtn", "covariance_method"):
            np.testing.assert_array_equal(getattr(one, field), getattr(other, field), err_msg=field)


def test_radii_of_both_objects_add_up() -> None:
    assert read(json.dumps(tracss_row(kvn()))).hard_body_radius_m == pytest.approx(12.5001)


def test_a_place_in_the_stream_is_no_content() -> None:
    """The same message from two places in the stream has the same entries."""
    from screening.risk.messages.read import each_with_text
    from storage.messages.rows import content_id

    ids = set()
    for offset in (5, 99):
        (found,) = each_with_text(json.dumps(tracss_row(kvn(), offset)))
        ids.add(content_id(found.entries))
    assert len(ids) == 1
