"""Large JSON texts: read in pieces, each message scored or counted, refused where they stop being JSON."""

import json
import re
from collections.abc import Callable

import pytest

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.messages.texts import json_text
from screening.risk.messages.texts.entries import UnreadableMessage
from screening.risk.messages.texts.json_text import LARGEST_MESSAGE
from tests.screening.risk.message_texts import SUMMARY, read_messages


def large(message: dict[str, str]) -> dict[str, object]:
    """The message with more than a message may have."""
    return message | {"COMMENT": ["filler"] * (LARGEST_MESSAGE // 6)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrap", [lambda each: each, lambda each: {"data": each}, lambda each: {"a": {"b": each}}]
)
def test_large_texts_are_read_in_pieces(wrap: Callable[[object], object]) -> None:
    texts = [json.dumps(wrap(messages)) for messages in ([SUMMARY] * 10, [SUMMARY] * 3000)]
    assert len(texts[1]) > LARGEST_MESSAGE
    assert [len(read_messages(text)) for text in texts] == [10, 3000]


@pytest.mark.slow
def test_a_message_beyond_the_limit_is_counted_and_the_others_are_read() -> None:
    text = json.dumps({"data": [SUMMARY, large(SUMMARY), {"a": 1}, SUMMARY]}, indent=1)
    found = list(each_message(text, source_name="public.json"))
    assert [isinstance(each, ConjunctionMessage) for each in found] == [True, False, False, True]
    assert "two objects in at most 1,000,000 characters" in str(found[1])
    line = re.search(r"line (\d+) ", str(found[1]))
    assert line is not None
    assert "TCA" in text.splitlines()[int(line[1]) - 1]


def test_what_is_beside_messages_in_a_list_is_counted_and_names_its_line() -> None:
    text = json.dumps({"count": 2, "errors": [{"code": 0}], "data": [SUMMARY, {"id": 1}, SUMMARY]}, indent=1)
    first, second, third = each_message(text)
    assert isinstance(first, ConjunctionMessage)
    assert isinstance(third, ConjunctionMessage)
    assert isinstance(second, UnreadableMessage)
    line = re.search(r"line (\d+) ", str(second))
    assert line is not None
    assert text.splitlines()[int(line[1]) - 1].strip() == '"id": 1'


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("cut", "why"),
    [
        (lambda text: text[:-2], "a list must continue with , or end with ]"),
        (lambda text: text[:-1], "an object must continue with , or end with }"),
        (lambda text: text.replace('"data":', '"data"', 1), "each followed by :"),
        (lambda text: text.replace('"data"', "data", 1), "keys in double quotes"),
        (lambda text: text.replace('"data"', "5", 1), "keys in double quotes"),
        (lambda text: text[: len(text) // 2], "perhaps it is cut off"),
    ],
)
def test_large_texts_that_stop_being_json_are_refused_there(cut: Callable[[str], str], why: str) -> None:
    *before, last = each_message(cut(json.dumps({"data": [SUMMARY] * 3000})))
    assert all(isinstance(each, ConjunctionMessage) for each in before)
    assert isinstance(last, UnreadableMessage)
    assert why in str(last)


@pytest.mark.slow
def test_a_large_text_of_empty_lists_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "MAX_ELEMENTS", 1000)
    text = '{"data": [' + "[]," * 400_000 + json.dumps(SUMMARY) + "]}"
    with pytest.raises(UnreadableMessage, match="it holds more than 1,000 values, few of them messages"):
        read_messages(text)


@pytest.mark.slow
def test_large_texts_may_not_be_nested_without_end() -> None:
    deep: object = [SUMMARY] * 3000
    for _ in range(40):
        deep = [deep]
    with pytest.raises(UnreadableMessage, match="nested too deeply"):
        read_messages(json.dumps(deep))
