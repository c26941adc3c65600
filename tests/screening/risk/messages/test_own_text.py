"""The text of each message, cut out of what it came in, is the message: read again it is the same."""

import json

import pytest

from screening.risk.messages.read import ReadMessage, each_with_text
from screening.risk.messages.texts.entries import UnreadableMessage
from tests.screening.risk.message_texts import SUMMARY, kvn, parts, to_xml

XML = to_xml(kvn()).partition("\n")[2].rstrip("\n")


def other(number: int) -> str:
    header, first, second = parts()
    return kvn([header | {"MESSAGE_ID": str(number)}, first, second])


def texts(text: str | bytes) -> list[str]:
    found = list(each_with_text(text))
    assert all(isinstance(one, ReadMessage) for one in found), found
    return [one.text for one in found if isinstance(one, ReadMessage)]


ROWS = [SUMMARY | {"CDM_ID": str(number), "NOTE": 'a } and a " and \\'} for number in range(3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (other(1) + other(2), [other(1), other(2)]),
        ("\n\n" + other(1) + "\n" + other(2) + "\n", [other(1) + "\n", other(2) + "\n"]),
        (other(1).replace("\n", "\r\n"), [other(1)]),
        (f"<ndm>\n<!-- > -->{XML}{XML}</ndm>", [XML, XML]),
        (XML.replace("<cdm", "<n:cdm").replace("</cdm >", "</n:cdm>").replace("</cdm>", "</n:cdm>"), None),
        (json.dumps(ROWS), [json.dumps(row) for row in ROWS]),
        (json.dumps(ROWS, indent=2), None),
        (json.dumps({"data": {"rows": ROWS}, "more": []}), [json.dumps(row) for row in ROWS]),
        (json.dumps(ROWS[0]), [json.dumps(ROWS[0])]),
        ("\ufeff" + json.dumps(ROWS[0]), [json.dumps(ROWS[0])]),
    ],
)
def test_each_message_has_its_own_text(text: str, expected: list[str] | None) -> None:
    found = texts(text)
    assert found
    if expected is not None:
        assert found == expected
    whole = [one for one in each_with_text(text) if isinstance(one, ReadMessage)]
    for one, cut_out in zip(whole, found, strict=True):
        (again,) = each_with_text(cut_out)
        assert isinstance(again, ReadMessage)
        values = [[(e.keyword, e.value) for e in each.entries] for each in (one, again)]
        assert values[0] == values[1]


def test_names_of_more_octets_than_letters_move_nothing() -> None:
    named = XML.replace("SATELLITE", "SATELLITE ÄÖ€😀")
    assert texts(f"<ndm><comment>😀€</comment>{named}{named}</ndm>") == [named, named]


def test_errors_have_their_line_and_keyword_for_programs() -> None:
    (missing,) = each_with_text(kvn().replace("TCA   ", "TCB   "))
    (wrong,) = each_with_text(kvn().replace("7000.0 [km]", "far"))
    (cut,) = each_with_text("[")
    assert isinstance(missing, UnreadableMessage)
    assert isinstance(wrong, UnreadableMessage)
    assert isinstance(cut, UnreadableMessage)
    assert missing.keyword == "TCA"
    assert (wrong.keyword, kvn().splitlines()[wrong.line - 1].split()[0]) == ("X", "X")
    assert (cut.keyword, cut.line) == ("", 1)
