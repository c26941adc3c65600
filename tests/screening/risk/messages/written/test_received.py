"""Every readable published message: read, written in each form, read again, with every number kept."""

import json

import numpy as np
import pytest

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import ReadMessage, each_message, each_with_text
from screening.risk.messages.texts.entries import COMMENT, UnreadableMessage
from screening.risk.messages.written.layout import UNITS
from screening.risk.messages.written.lines import Line, Message
from screening.risk.messages.written.received import received as lines_of
from screening.risk.messages.written.text import message_text
from screening.vocabulary import MessageForm
from tests.screening.risk.expected_of_messages import EXPECTED
from tests.screening.risk.message_texts import SUMMARY, kvn, parts, to_xml
from tests.screening.risk.messages.written.schema import SharedFile, assert_valid
from tests.validation.messages.files_read import FOLLOWS_THE_STANDARD
from tests.validation.messages.numbers import numbers_of

READABLE = [expected.file for expected in EXPECTED if not expected.refused_line]


def received(text: bytes | str) -> Message:
    (found,) = each_with_text(text)
    assert isinstance(found, ReadMessage), found
    return lines_of(found)


def read(text: bytes | str) -> ConjunctionMessage:
    (message,) = each_message(text)
    assert isinstance(message, ConjunctionMessage), message
    return message


def words_of(message: ConjunctionMessage) -> list[object]:
    named = ("designator", "catalog_name", "name", "international_designator", "frame", "covariance_method")
    both = (message.primary, message.secondary)
    return [
        message.message_id,
        message.originator,
        message.creation_date,
        message.tca,
        message.probability_method,
        message.hard_body_source,
        [[getattr(each, name) for name in named] for each in both],
    ]


@pytest.mark.parametrize("form", ["kvn", "xml", "json"])
@pytest.mark.parametrize("file", READABLE)
def test_what_is_read_is_written_and_read_again(
    file: str, form: MessageForm, shared_file: SharedFile
) -> None:
    data = shared_file(file).read_bytes()
    first, written = received(data), message_text(received(data), form)
    if form == "kvn":  # has ASCII only; the standard's example has a minus of Unicode in a name
        data = data.decode().encode("ascii", "replace")
        first = received(data)
    np.testing.assert_array_equal(numbers_of(read(written)), numbers_of(read(data)))
    assert words_of(read(written)) == words_of(read(data))
    # And what is not read for scoring.
    assert values_of(received(written)) == values_of(first)
    assert comments_of(received(written)) == comments_of(first)


def values_of(message: Message) -> list[tuple[str, str, str]]:
    """Return all values of a message but comments, numbers as such."""
    given = [line for part in (message.header, *message.objects) for line in part if line.keyword != COMMENT]
    return sorted(
        (line.keyword, str(float(line.value)) if line.is_number else in_words(line), unit_of(line))
        for line in given
    )


def in_words(line: Line) -> str:
    """Return a text as XML has it, where blanks count once."""
    return " ".join(line.value.split())


def unit_of(line: Line) -> str:
    """Return the unit; JSON leaves out those of the standard, and so do some senders."""
    return "" if line.unit == UNITS.get(line.keyword) else line.unit


def comments_of(message: Message) -> list[str]:
    lines = (line for part in (message.header, *message.objects) for line in part)
    return sorted(in_words(line) for line in lines if line.keyword == COMMENT)


@pytest.mark.parametrize("file", [file for file in READABLE if FOLLOWS_THE_STANDARD.fullmatch(file)])
def test_what_follows_the_standard_makes_valid_xml(file: str, shared_file: SharedFile) -> None:
    assert_valid(message_text(received(shared_file(file).read_bytes()), "xml"), shared_file)


def test_a_message_in_the_wrong_order_is_put_in_order(shared_file: SharedFile) -> None:
    """Space-Track's JSON is in no order; comments stay before what they are about."""
    header, first, second = parts()
    backwards = [dict(reversed(part.items())) for part in (header, first, second)]
    backwards[1] = {"OBJECT": "OBJECT1", **backwards[1]}
    backwards[2] = {"OBJECT": "OBJECT2", **backwards[2]}
    del backwards[0]["HBR"]
    text = kvn(backwards).replace("X_DOT", "COMMENT on the velocity\nX_DOT", 1)
    text = "CCSDS_CDM_VERS = 1.0\n" + "".join(
        line for line in text.splitlines(keepends=True) if "CCSDS_CDM_VERS" not in line
    )
    for form in ("kvn", "xml"):
        lines = message_text(received(text), form).splitlines()
        place = next(i for i, line in enumerate(lines) if "on the velocity" in line)
        assert lines[place + 1].lstrip("<").startswith("X_DOT" if form == "kvn" else "X ")
    for each in backwards[1:]:
        each["MANEUVERABLE"] = "N/A"
    assert_valid(message_text(received(kvn([header_of(text), *backwards[1:]])), "xml"), shared_file)


def header_of(text: str) -> dict[str, str]:
    lines = (line.partition("=")[::2] for line in text.split("OBJECT ")[0].splitlines())
    return {key.strip(): value.strip() for key, value in lines}


def test_units_that_are_not_the_standards_are_told(shared_file: SharedFile) -> None:
    message = parts()
    message[0]["MISS_DISTANCE"] = "1 [km]"
    content = json.loads(message_text(received(kvn(message)), "json"))
    assert content["MISS_DISTANCE"] == {"value": 1, "units": "km"}
    assert content["RELATIVE_SPEED"] == 10606.6
    assert read(json.dumps(content)).miss_distance_m == 1000.0


def test_xml_and_kvn_of_the_same_message_are_the_same(shared_file: SharedFile) -> None:
    assert values_of(received(to_xml(kvn()))) == values_of(received(kvn()))


def test_a_summary_has_no_other_form() -> None:
    with pytest.raises(UnreadableMessage, match="X is missing, so the message is incomplete"):
        received(json.dumps(SUMMARY))
