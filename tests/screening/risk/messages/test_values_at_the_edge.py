"""What a sender can write that is no message: one is refused, the others are read."""

import json

import pytest

from screening.risk.messages.read import each_message
from screening.risk.messages.texts.entries import UnreadableMessage
from tests.screening.risk.message_texts import SUMMARY, kvn

LAST_INSTANT = "9999-12-31T23:59:59.999999"


def changed(**values: str) -> dict[str, str]:
    return SUMMARY | values


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (changed(TCA=LAST_INSTANT), "must be from 1957 to 2200"),
        (changed(TCA="0001-01-01T00:00:00"), "must be from 1957 to 2200"),
        (changed(TCA=LAST_INSTANT, CREATED=LAST_INSTANT), "must be from 1957 to 2200"),
        (changed(TCA="2023-02-01T00:00:00"), "must be at most 60 days after CREATION_DATE"),
        (changed(SAT_1_NAME="\ud800"), "half of a surrogate pair"),
        (changed(**{"\ud800": "1"}), "half of a surrogate pair"),
        (changed(COMMENT_A="\udfff"), "half of a surrogate pair"),
        (changed(MIN_RNG="1" * 4301), "must be a number below 1e+30"),
    ],
)
def test_the_one_message_is_refused(message: dict[str, str], why: str) -> None:
    text = json.dumps([SUMMARY, message, SUMMARY]).replace(f'"{"1" * 4301}"', "1" * 4301)
    first, second, third = each_message(text)
    assert isinstance(second, UnreadableMessage)
    assert why in str(second)
    str(second).encode()
    second.keyword.encode()
    assert not isinstance(first, UnreadableMessage)
    assert not isinstance(third, UnreadableMessage)


def test_a_message_without_a_creation_date_may_be_of_any_decade() -> None:
    text = json.dumps([{key: value for key, value in SUMMARY.items() if key != "CREATED"}])
    (found,) = each_message(text.replace("2022-12-04", "2199-12-04"))
    assert not isinstance(found, UnreadableMessage)


def test_a_number_of_many_digits_that_nobody_reads_is_kept_as_it_stands() -> None:
    text = json.dumps([SUMMARY])[:-2] + ', "SERIAL": ' + "1" * 4301 + "}]"
    (found,) = each_message(text)
    assert not isinstance(found, UnreadableMessage)


@pytest.mark.parametrize("text", ["<cdm/>", "<ndm><cdm/><x></x></ndm>", "<cdm/ >"])
def test_an_empty_element_is_refused(text: str) -> None:
    found = list(each_message(text))
    assert found
    assert all(isinstance(one, UnreadableMessage) for one in found)


def test_kvn_of_the_last_instant_is_refused() -> None:
    (found,) = each_message(kvn().replace("2024-11-02T03:04:05.678", LAST_INSTANT))
    assert isinstance(found, UnreadableMessage)
    assert found.keyword == "TCA"
