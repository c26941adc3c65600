"""Messages as JSON: the forms that senders have made up say what the standard's own forms say."""

import json
import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.messages.score import score_message
from screening.risk.messages.texts.entries import UnreadableMessage
from tests.screening.risk.expected_of_messages import EXPECTED
from tests.screening.risk.message_texts import SUMMARY, kvn, parts, read_messages
from tests.screening.risk.published import SharedFile

Part = list[tuple[str, str, str]]  # keyword, value, unit
_UNIT = re.compile(r"(.*?)\s*\[([^\]]*)\]\s*")


def taken_apart(text: str) -> list[Part]:
    """The header and both objects of a message as lines; comments keep what stands behind the word."""
    found: list[Part] = [[]]
    for line in text.splitlines():
        if not line.strip():
            continue
        keyword, _, value = (
            line.partition("=") if not line.startswith("COMMENT") else ("COMMENT", "", line[7:])
        )
        unit = None if line.startswith("COMMENT") else _UNIT.fullmatch(value.strip())
        if keyword.strip() == "OBJECT":
            found.append([])
        found[-1].append((keyword.strip(), *((unit[1], unit[2]) if unit else (value.strip(), ""))))
    return found


def space_track(text: str) -> dict[str, object]:
    """The form of Space-Track's class cdm: all strings, prefixes, units beside, comments by their names."""
    made: dict[str, object] = {"CDM_ID": "392735348", "FILENAME": "a.txt", "GID": None}
    for part, prefix in zip(taken_apart(text), ("", "SAT1_", "SAT2_"), strict=True):
        for keyword, value, unit in part:
            if keyword == "COMMENT":
                name, equals, number = value.partition("=")
                name = name.replace("DCP Sensitivity Vector RTN Pos", "DCP SENSITIVITY VECTOR POSITION")
                name = name.replace("DCP Sensitivity Vector RTN Vel", "DCP SENSITIVITY VECTOR VELOCITY")
                if equals and name.strip():
                    made[f"{prefix}COMMENT_{'_'.join(name.upper().split())}"] = number.strip()
                continue
            is_time = keyword in ("TCA", "CREATION_DATE")
            made[prefix + keyword] = value.replace("T", " ") if is_time and "-" in value[5:] else value
            if unit:
                made[f"{prefix}{keyword}_UNIT"] = unit
    return made


def nested(text: str) -> dict[str, object]:
    """The plain keywords, comments in a list, each object in an object of its own."""
    made: dict[str, object] = {}
    for part, name in zip(taken_apart(text), ("", "OBJECT1", "OBJECT2"), strict=True):
        inner = made.setdefault(name, {}) if name else made
        assert isinstance(inner, dict)
        inner["COMMENT"] = [value for keyword, value, _ in part if keyword == "COMMENT"]
        for keyword, value, unit in part:
            if keyword != "COMMENT":
                number = float(value) if re.fullmatch(r"-?\d+\.\d+", value) else value
                inner[keyword] = {"value": number, "units": unit} if unit else number
    return made


def segments(text: str) -> dict[str, object]:
    """The outline of the standard's XML."""
    header, *objects = taken_apart(text)
    plain = [
        {"metadata": {"OBJECT": f"OBJECT{n}"}, "data": nested(text)[f"OBJECT{n}"]}
        for n in range(1, len(objects) + 1)
    ]
    head: dict[str, object] = {
        keyword: f"{value} [{unit}]" if unit else value for keyword, value, unit in header
    }
    head["COMMENT"] = [value for keyword, value, _ in header if keyword == "COMMENT"]
    return {"cdm": {"header": head, "body": {"segment": plain}}}


def repeated(text: str) -> str:
    """One object in which OBJECT begins the second half, every keyword twice: what a naive writer makes."""
    lines = [
        f"{json.dumps(keyword)}: {json.dumps(f'{value} [{unit}]' if unit else value)}"
        for part in taken_apart(text)
        for keyword, value, unit in part
    ]
    return "{" + ",\n ".join(lines) + "}"


FORMS: dict[str, Callable[[str], str]] = {
    "space_track": lambda text: json.dumps([space_track(text)], indent=1),
    "nested": lambda text: json.dumps(nested(text)),
    "segments": lambda text: json.dumps(segments(text), indent=2),
    "repeated": repeated,
    "lower": lambda text: json.dumps({"data": [{k.lower(): v for k, v in space_track(text).items()}]}),
}


def read(text: str) -> ConjunctionMessage:
    (message,) = read_messages(text)
    return message


def assert_same(one: ConjunctionMessage, other: ConjunctionMessage) -> None:
    for name in ConjunctionMessage._fields:
        if name in ("primary", "secondary"):
            first, second = getattr(one, name), getattr(other, name)
            for field in first._fields:
                if field != "covariance_line":
                    np.testing.assert_array_equal(
                        getattr(first, field), getattr(second, field), err_msg=field
                    )
        elif name not in ("lines", "notes"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("form", FORMS)
def test_every_published_message_says_and_scores_the_same(form: str, shared_file: SharedFile) -> None:
    names = [each.file for each in EXPECTED if not each.refused_line and not each.file.endswith(".xml")]
    assert len(names) == 57
    for name in names:
        text = shared_file(name).read_text()
        made, original = read(FORMS[form](text)), read(text)
        assert_same(made, original)
        scores = [score_message(message, 10.0, samples=0, seed=1) for message in (made, original)]
        # As texts, since NaN differs from itself; remarks name other lines.
        assert str(scores[0]._replace(remarks=())) == str(scores[1]._replace(remarks=())), name


@pytest.mark.parametrize("form", FORMS)
def test_the_made_up_message_says_the_same(form: str) -> None:
    assert_same(read(FORMS[form](kvn())), read(kvn()))


@pytest.mark.parametrize(
    ("comments", "radius_m", "source"),
    [
        ({"COMMENT_EFFECTIVE_HBR": "Effective HBR = 8.0 [m]"}, 8.0, "combined"),
        ({"COMMENT_EFFECTIVE_HBR": "8.0"}, 8.0, "combined"),
        ({f"SAT{n}_COMMENT_OPERATOR_HARD_BODY_RADIUS": f"{n}.5" for n in (1, 2)}, 4.0, "operator"),
        (
            {f"SAT{n}_COMMENT_EXCLUSION_VOLUME_RADIUS": "Exclusion Volume Radius = 5 [m]" for n in (1, 2)},
            10.0,
            "exclusion_volume",
        ),
    ],
)
def test_space_tracks_radii(comments: dict[str, str], radius_m: float, source: str) -> None:
    made = space_track(kvn()) | {"HBR": None} | comments
    message = read(json.dumps({"conjunction": {"type": "cdm.json", "content": made}}))
    assert (message.hard_body_radius_m, message.hard_body_source) == (radius_m, source)


def test_space_tracks_fractions_of_a_second() -> None:
    made = space_track(kvn())
    for fraction, tca in (("678000", "05.678"), ("678", "05.678"), ("5000", "05.005"), ("0", "05.000")):
        made |= {"TCA": "2024-11-02 03:04:05", "TCA_FRACTION": fraction}
        assert read(json.dumps(made)).tca == np.datetime64(f"2024-11-02T03:04:{tca}", "us")


def test_cdm_public_has_no_states_and_is_rated_by_what_it_claims() -> None:
    message = read(json.dumps([SUMMARY]))
    assert not message.has_states
    assert (message.message_id, message.version) == ("392735348", "")
    assert message.creation_date == np.datetime64("2022-12-02T02:09:06", "us")
    assert message.tca == np.datetime64("2022-12-04T01:03:42.235", "us")
    assert (message.primary.designator, message.secondary.designator) == ("3740", "87650")
    assert (message.hard_body_radius_m, message.hard_body_source) == (10.0, "exclusion_volume")
    found = score_message(message, message.hard_body_radius_m, samples=1000, seed=1)
    assert (found.miss_distance_m, found.claimed_probability) == (886.0, 0.000173503)
    assert (found.risk_level, found.risk_basis) == ("critical", "claimed")
    assert np.isnan([found.probability, found.probability_2d, found.probability_mc]).all()
    assert any("without states" in remark for remark in found.remarks)


def test_cdm_public_without_a_probability_is_rated_by_distance() -> None:
    message = read(json.dumps(SUMMARY | {"PC": None, "SAT_1_EXCL_VOL": None}))
    found = score_message(message, message.hard_body_radius_m, samples=0, seed=1)
    assert (found.risk_level, found.risk_basis) == ("medium", "distance")
    assert np.isnan([found.claimed_probability, found.hard_body_radius_m]).all()


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"TCA": None}, "TCA of the message is missing"),
        ({"TCA": "soon"}, "TCA of the message must be YYYY-MM-DD"),
        ({"SAT_2_ID": ""}, "OBJECT_DESIGNATOR of OBJECT2 is missing"),
        ({"MIN_RNG": None}, "MISS_DISTANCE of the message is missing"),
        ({"MIN_RNG": "-5"}, "MISS_DISTANCE of the message must not be negative"),
        ({"MIN_RNG": "near"}, '"MIN_RNG": near'),
        ({"MIN_RNG": [1, 2]}, "MISS_DISTANCE of the message must be a number"),
        ({"PC": "2"}, "COLLISION_PROBABILITY of the message must be from 0 to 1"),
        ({"PC": 1e400}, "COLLISION_PROBABILITY of the message must be a number"),
        ({"SAT_1_EXCL_VOL": {"value": "5", "units": "furlong"}}, "must be in [m]"),
    ],
)
def test_a_summary_that_says_too_little_is_refused(changed: dict[str, object], why: str) -> None:
    text = json.dumps([SUMMARY | changed], indent=1)
    with pytest.raises(UnreadableMessage) as caught:
        read(text)
    assert why in str(caught.value)
    line = re.search(r"line (\d+) ", str(caught.value))
    assert line is not None
    assert 1 <= int(line[1]) <= len(text.splitlines())


def test_messages_may_be_the_values_of_an_object() -> None:
    by_id = {"public": {"1": SUMMARY, "2": SUMMARY | {"CDM_ID": "7"}}, "full": segments(kvn())}
    assert [message.message_id for message in read_messages(json.dumps(by_id))] == ["392735348", "7", "1"]


def test_an_error_names_the_line_of_its_key() -> None:
    text = json.dumps([SUMMARY, SUMMARY | {"MIN_RNG": "near"}], indent=1)
    first, second = each_message(text, source_name="public.json")
    assert isinstance(first, ConjunctionMessage)
    assert isinstance(second, UnreadableMessage)
    line = re.search(r"line (\d+) ", str(second))
    assert line is not None
    assert '"MIN_RNG": "near"' in text.splitlines()[int(line[1]) - 1]
    assert "public.json, message 2" in str(second)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "it holds no message"),
        ("{}", "it holds no message"),
        ('[{"a": 1}, 5]', "it holds no message"),
        ('{"error": "You are not logged in"}', "it holds no message"),
        ('{"TCA": "2024-01-01"', "well-formed JSON"),
        ('{"TCA": "2024-01-01T00:00:00"}', "OBJECT = OBJECT1 is missing"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[" * 40 + "]" * 40, "nested too deeply"),
    ],
)
def test_what_is_no_message(text: str, why: str) -> None:
    with pytest.raises(UnreadableMessage, match=re.escape(why)):
        read_messages(text)


TWO = json.dumps([SUMMARY] * 2, indent=1)


@pytest.mark.parametrize(
    ("text", "read_before", "why"),
    [
        (TWO[: TWO.rindex("MIN_RNG")], 1, "perhaps it is cut off"),
        (TWO.rstrip("]"), 2, "must continue with , or end with ]"),
        (TWO + " and more", 2, "text follows its end"),
        (json.dumps(SUMMARY) + json.dumps(SUMMARY), 1, "text follows its end"),
    ],
)
def test_what_stops_being_json_gives_the_messages_before(text: str, read_before: int, why: str) -> None:
    *before, last = each_message(text)
    assert [isinstance(each, ConjunctionMessage) for each in before] == [True] * read_before
    assert isinstance(last, UnreadableMessage)
    assert why in str(last)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.text(max_size=10)
    | st.sampled_from(["NaN", "1 [km]", "OBJECT1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(st.sampled_from(["full", "summary"]), st.data())
def test_any_values_give_messages_or_the_error(kind: str, data: st.DataObject) -> None:
    made = space_track(kvn()) if kind == "full" else dict(SUMMARY)
    for keyword in data.draw(st.lists(st.sampled_from(sorted(made)), min_size=1, max_size=4)):
        made[keyword] = data.draw(json_values)
    for each in each_message(json.dumps([made])):
        assert isinstance(each, (ConjunctionMessage, UnreadableMessage))


@given(st.text(max_size=200))
def test_any_text_gives_messages_or_the_error(text: str) -> None:
    for form in ("{" + text, "[" + text, '{"TCA": ' + text):
        for each in each_message(form):
            assert isinstance(each, (ConjunctionMessage, UnreadableMessage))


def test_the_objects_may_come_in_the_other_order() -> None:
    header, first, second = parts()
    assert_same(read(repeated(kvn([header, second, first]))), read(kvn()))
