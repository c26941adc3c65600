"""KEYWORD = value messages, one after the other."""

import pytest

from screening.errors import UnreadableCatalogue
from screening.orbits.texts.catalogue import parse_catalogue

Texts = dict[str, str]
UNITS = {
    "MEAN_MOTION": "rev/day",
    "INCLINATION": "deg",
    "MEAN_ANOMALY": "deg",
    "BSTAR": "1/ER",
    "MEAN_MOTION_DOT": "rev/day**2",
    "MEAN_MOTION_DDOT": "rev/day**3",
}


def message(record: Texts) -> str:
    header = ["CCSDS_OMM_VERS = 2.0", "COMMENT of = 1", "CREATION_DATE = 2024-11-01T00:00:00", ""]
    metadata = [
        "CENTER_NAME = EARTH",
        "REF_FRAME = TEME",
        "TIME_SYSTEM = UTC",
        "MEAN_ELEMENT_THEORY = SGP/SGP4",
    ]
    return "\n".join([*header, *metadata, *(f"{key:<20}= {text}" for key, text in record.items()), ""])


def test_reads_messages_with_comments_blank_lines_and_units(five: list[Texts]) -> None:
    plain = parse_catalogue("".join(map(message, five)))
    with_units = [
        {key: text + (f"  [{UNITS[key]}]" if key in UNITS else "") for key, text in record.items()}
        for record in five
    ]
    catalogue = parse_catalogue(
        "\n\nCOMMENT all\n" + "\n".join(map(message, with_units)).replace("\n", "\r\n")
    )
    assert plain.text_format == catalogue.text_format == "omm-kvn"
    assert plain.rejected == catalogue.rejected == []
    assert plain.elements["norad_id"].tolist() == [1, 2, 3, 4, 5]
    assert plain.elements.tobytes() == catalogue.elements.tobytes()


def test_leaves_brackets_and_equals_signs_in_names(vanguard: Texts) -> None:
    catalogue = parse_catalogue(message(vanguard | {"OBJECT_NAME": "STARLINK = [DTC]", "OBJECT_ID": ""}))
    assert catalogue.elements["name"].tolist() == ["STARLINK = [DTC]"]
    assert catalogue.elements["object_id"].tolist() == [""]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"MEAN_MOTION": "0.0011 [rad/s]"}, "MEAN_MOTION is given in rad/s, must be in rev/day"),
        ({"ECCENTRICITY": "1.0"}, "ECCENTRICITY 1.0 must be at least 0 and below 1"),
        ({"EPOCH": "yesterday"}, "EPOCH 'yesterday' must be YYYY-MM-DDThh:mm:ss"),
        ({"BSTAR": ""}, "BSTAR is missing"),
        ({"BSTAR": "0\nNONSENSE"}, "line {line}, 'NONSENSE', must be of the form KEYWORD = value"),
        (
            {"BSTAR": "0\nNORAD_CAT_ID = 7"},
            "NORAD_CAT_ID occurs twice; each message must be separate",
        ),
    ],
)
def test_rejects_a_broken_record_in_the_middle(five: list[Texts], changed: Texts, reason: str) -> None:
    five[2] |= changed
    messages = list(map(message, five))
    lines_before_the_next = messages[2][: messages[2].rindex("MEAN_MOTION_DOT")].count("\n") - 1
    catalogue = parse_catalogue("".join(messages))
    assert catalogue.elements["norad_id"].tolist() == [1, 2, 4, 5]
    (rejection,) = catalogue.rejected
    assert rejection.line == 2 * messages[0].count("\n") + 1
    assert rejection.record == "3"
    assert rejection.reason.startswith(reason.format(line=rejection.line + lines_before_the_next))


def test_rejects_a_message_that_is_cut_off(five: list[Texts]) -> None:
    text = "".join(map(message, five))
    cut = text.index("MEAN_ANOMALY"), text.index("CCSDS", 10)
    catalogue = parse_catalogue(text[: cut[0]] + text[cut[1] :])
    assert catalogue.elements["norad_id"].tolist() == [2, 3, 4, 5]
    (rejection,) = catalogue.rejected
    assert rejection.record == "OBJECT 1 1958-002B"
    assert rejection.reason.startswith("NORAD_CAT_ID is missing, the number that identifies objects")


def test_a_message_that_has_lost_its_first_line_is_not_mixed_with_the_one_before(five: list[Texts]) -> None:
    messages = list(map(message, five))
    messages[3] = messages[3].removeprefix("CCSDS_OMM_VERS = 2.0\n")
    catalogue = parse_catalogue("".join(messages))
    assert catalogue.elements["norad_id"].tolist() == [1, 2, 5]
    assert [rejection.record for rejection in catalogue.rejected] == ["3"]


def test_rejects_what_stands_before_the_first_message(five: list[Texts]) -> None:
    catalogue = parse_catalogue("EPOCH = 2024-10-29T12:18:43\n" + "".join(map(message, five)))
    assert len(catalogue.elements) == 5
    assert [rejection.line for rejection in catalogue.rejected] == [1]


def test_refuses_a_message_without_elements() -> None:
    with pytest.raises(UnreadableCatalogue, match="its one record cannot be used"):
        parse_catalogue("CCSDS_OMM_VERS = 2.0\nORIGINATOR = NOBODY\n")
