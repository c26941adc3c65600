"""Messages that cannot be scored: one error, which names the keyword and shows the line."""

import gzip
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.errors import InputError
from screening.risk.messages import read
from screening.risk.messages.encounter import encounter, remarks
from screening.risk.messages.read import MAX_BYTES, each_message
from screening.risk.messages.texts.entries import UnreadableMessage
from tests.screening.risk.message_texts import kvn, parts, read_messages, to_xml


def error_of(text: str | bytes) -> str:
    with pytest.raises(UnreadableMessage) as caught:
        read_messages(text, source_name="event.cdm")
    assert isinstance(caught.value, InputError)
    message = str(caught.value)
    assert message.startswith("Cannot read a conjunction data message from event.cdm: ")
    return message


def with_value(part: int, keyword: str, value: str) -> str:
    message = parts()
    message[part][keyword] = value
    return kvn(message)


def without(part: int, *keywords: str) -> str:
    message = parts()
    for keyword in keywords:
        del message[part][keyword]
    return kvn(message)


@pytest.mark.parametrize(
    ("part", "keyword", "value", "why"),
    [
        (0, "TCA", "yesterday", "must be YYYY-MM-DD"),
        (0, "TCA", "2024-13-02T00:00:00", "must be YYYY-MM-DD"),
        (0, "CREATION_DATE", "2024-366T24:00:00", "must be YYYY-MM-DD"),
        (0, "MISS_DISTANCE", "1 km", "must be a number"),
        (0, "MISS_DISTANCE", "1_000", "must be a number"),
        (0, "MISS_DISTANCE", "1e999", "must be a number below 1e+30"),
        (0, "RELATIVE_SPEED", "1 [km]]", "must be in [m/s]"),
        (0, "RELATIVE_SPEED", "1 [furlong]", "must be in [m/s]"),
        (0, "COLLISION_PROBABILITY", "1.01", "must be from 0 to 1"),
        (0, "COLLISION_PROBABILITY", "-0.1", "must be from 0 to 1"),
        (0, "COLLISION_PROBABILITY", "3 [%]", "must have no unit"),
        (0, "COLLISION_PROBABILITY", "3 [m]", "must have no unit"),
        (0, "HBR", "0", "must give a hard-body radius above 0"),
        (0, "HBR", "-3 [m]", "must give a hard-body radius above 0"),
        (1, "HBR", "-3 [m]", "must give a hard-body radius above 0"),
        (1, "REF_FRAME", "TEME", "must be EME2000, GCRF or ITRF"),
        (2, "REF_FRAME", "ITRF", "must be EME2000, like that of OBJECT1"),
        (2, "ORBIT_CENTER", "MOON", "must be EARTH"),
        (1, "X", "7000.0 [AU]", "must be in [km]"),
        (1, "X", "7.0 [km]", "must be from 1e+06"),
        (1, "X", "7e9 [km]", "must be from 1e+06 to 1e+10"),
        (1, "Y_DOT", "7500.0 [km/s]", "to 100000"),
        (2, "CT_R", "abc", "must be a number"),
        (2, "CT_R", "1.0 [m]", "must be in [m**2]"),
        (2, "CTDOT_R", "1.0 [m**2]", "must be in [m**2/s]"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(part: int, keyword: str, value: str, why: str) -> None:
    text = with_value(part, keyword, value)
    name = ("the message", "OBJECT1", "OBJECT2")[part]
    for form in (text, to_xml(text)):
        message = error_of(form)
        assert why in message
        assert name in message
        line = re.search(r"line (\d+) *: (\w+)", message)
        assert line is not None
        assert form.split("\n")[int(line[1]) - 1].strip().lstrip("<").startswith(line[2])
    assert f"{keyword} of {name}" in message or keyword in ("X", "Y_DOT")


@pytest.mark.parametrize(
    ("part", "keyword"),
    [(0, "TCA"), (1, "REF_FRAME"), (2, "X"), (2, "Z_DOT"), (1, "CR_R"), (2, "CN_N"), (2, "CTDOT_T")],
)
def test_a_missing_value_is_named(part: int, keyword: str) -> None:
    name = ("the message", "OBJECT1", "OBJECT2")[part]
    assert f"{keyword} of {name} is missing" in error_of(without(part, keyword))
    if keyword not in ("TCA", "REF_FRAME"):
        assert f"{keyword} of {name} is missing" in error_of(with_value(part, keyword, "NaN"))


def test_a_covariance_in_other_axes_than_those_that_are_read_is_refused() -> None:
    names = [keyword for keyword in parts()[2] if re.fullmatch(r"C[RTN](DOT)?_\w+", keyword)]
    without_rtn = without(2, *names)
    eigenvectors = without_rtn + "ALT_COV_TYPE = CSIG3EIGVEC3\nCSIG3EIGVEC3 = 1 2 3 4 5 6 7 8 9 10 11 12\n"
    assert "ALT_COV_TYPE of OBJECT2 must be XYZ if there is no covariance" in error_of(eigenvectors)
    assert "CX_X of OBJECT2 is missing" in error_of(without_rtn + "ALT_COV_TYPE = XYZ\n")
    cut = without_rtn + "ALT_COV_TYPE = XYZ\nCX_X = 1 [m**2]\n"
    assert "CY_X of OBJECT2 is missing" in error_of(cut)


@pytest.mark.parametrize("axes", ["ITRF", "TEME", "RTN"])
def test_a_covariance_along_axes_that_are_not_those_of_the_state_is_refused(axes: str) -> None:
    names = [keyword for keyword in parts()[2] if re.fullmatch(r"C[RTN](DOT)?_\w+", keyword)]
    matrix = "".join(f"C{pair} = 1 [m**2]\n" for pair in ("X_X", "Y_X", "Y_Y", "Z_X", "Z_Y", "Z_Z"))
    text = without(2, *names) + f"ALT_COV_TYPE = XYZ\nALT_COV_REF_FRAME = {axes}\n" + matrix
    assert "ALT_COV_REF_FRAME of OBJECT2 must be the frame of the state, EME2000" in error_of(text)


def test_a_covariance_that_is_not_symmetric_is_refused() -> None:
    text = with_value(2, "CT_R", "10.0 [m**2]")
    line = next(
        n for n, each in enumerate(text.splitlines(), 1) if each.startswith("CT_R") and "10.0" in each
    )
    message = error_of(text + "CR_T = 11.0 [m**2]\n")
    assert f"CR_T of OBJECT2 must equal CT_R of line {line}: a covariance is symmetric" in message
    assert read_messages(text + "CR_T = 10.0 [m**2]\n")


def test_objects_that_fly_together_do_not_meet() -> None:
    message = parts()
    for keyword in ("X_DOT", "Y_DOT", "Z_DOT"):
        message[2][keyword] = message[1][keyword]
    assert "without relative velocity there is no encounter" in error_of(kvn(message))


def test_two_values_of_one_keyword_are_a_contradiction() -> None:
    text = kvn().replace("OBJECT  ", "TCA = 2024-11-02T03:04:06.678\nOBJECT  ", 1)
    assert "TCA of the message must not differ from line 5" in error_of(text)
    assert read_messages(kvn().replace("OBJECT  ", "TCA = 2024-11-02T03:04:05.678\nOBJECT  ", 1))


def test_objects_must_be_two_and_different() -> None:
    header, first, second = parts()
    assert "OBJECT = OBJECT2 is missing" in error_of(kvn([header, first]))
    assert "OBJECT = OBJECT1 is missing" in error_of(kvn([header, second]))
    assert "each once" in error_of(kvn([header, first, first]))
    assert "each once" in error_of(kvn([header, {**first, "OBJECT": "OBJECT3"}, second]))


def test_one_covariance_of_the_velocity_alone_is_one_cut_off() -> None:
    for part in (1, 2):
        names = [keyword for keyword in parts()[part] if "DOT_" in keyword]
        assert f"CRDOT_R of OBJECT{part} is missing" in error_of(without(part, *names))


def test_a_text_cut_off_is_refused() -> None:
    text = kvn()
    last_number = len(text) - len("0.0001 [m**2/s**2]\n")  # which nothing would tell from a shorter one
    for end in range(0, last_number, 13):
        error_of(text[:end])
    xml = to_xml(text)
    for end in range(0, len(xml) - len("</cdm>\n"), 101):
        error_of(xml[:end])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it holds no message"),
        ("\n \n", "it holds no message"),
        ("COMMENT nothing", "it holds no message"),
        ("<cdm", "well-formed"),
        ("<ndm/>", "it holds no message"),
        ("<html><body>Not found</body></html>", "it holds no message"),
        ("TCA = 2024-01-01T00:00:00", "a message must begin with CCSDS_CDM_VERS"),
        ("CCSDS_CDM_VERS = 1.0\nnonsense", "a line must be of the form KEYWORD = value"),
        ("CCSDS_CDM_VERS = 1.0", "OBJECT = OBJECT1 is missing"),
        (b"\x1f\x8b\x08\x00damaged", "gzip data are damaged"),
        (gzip.compress(b" " * (MAX_BYTES + 1), mtime=0), "more than"),
    ],
)
def test_what_is_no_message(text: str | bytes, why: str) -> None:
    assert why in error_of(text)


ENTITIES = """<!DOCTYPE cdm [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>"""
FILE = """<!DOCTYPE cdm [<!ENTITY a SYSTEM "file:///etc/passwd">]>"""


@pytest.mark.parametrize("declared", [ENTITIES, FILE, "<!DOCTYPE cdm SYSTEM 'http://localhost/cdm.dtd'>"])
def test_a_document_type_is_refused(declared: str) -> None:
    first, _, rest = to_xml(kvn()).partition("\n")
    assert "declares a document type" in error_of(f"{first}\n{declared}\n{rest.replace('MADE UP', '&b;')}")


@pytest.mark.slow
@given(st.text(max_size=300))
def test_any_text_gives_messages_or_the_error(text: str) -> None:
    for form in (text, "CCSDS_CDM_VERS = 1.0\n" + text, "<cdm>" + text):
        with pytest.raises(UnreadableMessage):
            read_messages(form)


@given(st.binary(max_size=300))
def test_any_bytes_give_messages_or_the_error(data: bytes) -> None:
    with pytest.raises(UnreadableMessage):
        read_messages(data)


values = st.one_of(
    st.text(max_size=20),
    st.floats().map(repr),
    st.floats(-1e31, 1e31).map("{:g} [km]".format),
    st.sampled_from(
        ["", "NaN", "[", "]", "[]", "1e400", "9" * 400, "1 [m**2/s**2]", "ITRF", "OBJECT1", "-0"]
    ),
)


@given(st.integers(0, 2), st.data(), st.booleans())
def test_any_values_give_messages_or_the_error(part: int, data: st.DataObject, as_xml: bool) -> None:
    message = parts()
    for keyword in data.draw(st.lists(st.sampled_from(sorted(message[part])), max_size=4)):
        message[part][keyword] = data.draw(values)
    text = to_xml(kvn(message)) if as_xml else kvn(message)
    try:
        read = read_messages(text)
    except UnreadableMessage:
        return
    for each in read:
        remarks(each, encounter(each))  # warnings are errors


@pytest.mark.parametrize("line", ["X [km] = 7000.0", "X (km) = 7000.0"])
def test_a_unit_behind_the_keyword_is_refused_at_its_line(line: str) -> None:
    text = re.sub(r"(?m)^X .*$", line, kvn(), count=1)
    number = text.splitlines().index(line) + 1
    assert f"KEYWORD = value [unit].\n  line {number:<4}: {line}" in error_of(text)


@pytest.mark.parametrize(
    "value", ["[km] 7000.0", "7000.0 km", "7000.0km", "7000.0 [km] [km]", "7000.0 [km] more"]
)
def test_a_unit_elsewhere_than_behind_the_number_is_refused(value: str) -> None:
    assert "X of OBJECT1 must be a number" in error_of(with_value(1, "X", value))


@pytest.mark.parametrize("form", [kvn, lambda: to_xml(kvn())])
def test_a_message_without_end_is_refused(form: Callable[[], str]) -> None:
    text = form()
    filler = "<COMMENT>x</COMMENT>\n" if text.startswith("<") else "COMMENT x\n"
    at = text.index("\n", text.index("TCA")) + 1
    assert "a message may have 10,000 lines" in error_of(text[:at] + filler * 20_000 + text[at:])


def test_of_too_many_messages_the_rest_is_counted_as_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "MAX_MESSAGES", 3)
    found = list(each_message(kvn() * 5, source_name="many.cdm"))
    assert len(found) == 4
    assert str(found[3]) == "many.cdm holds more than 3 messages; the others are not read. Divide it."


@pytest.mark.parametrize("times", [0.0, 0.001])
def test_a_velocity_along_the_position_is_refused(times: float) -> None:
    message = parts()
    for keyword in ("X", "Y", "Z"):
        message[1][f"{keyword}_DOT"] = f"{times * float(message[1][keyword].split()[0])} [km/s]"
    with pytest.raises(UnreadableMessage, match="X_DOT of OBJECT1 and its companions lie along the position"):
        read_messages(kvn(message))
