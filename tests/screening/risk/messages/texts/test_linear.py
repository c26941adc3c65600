"""Reading takes time in proportion to the text, whatever its form, and ends when it is told to."""

import gc
import json
import time
from collections.abc import Callable

import pytest

from screening.risk.messages.read import each_message, each_with_text
from screening.risk.messages.texts.entries import MAX_ENTRIES, UnreadableMessage
from tests.screening.risk.message_texts import SUMMARY, read_messages

# Twice the text, and a quarter more for what a busy machine adds; a quadratic reader takes four times.
MOST_TIMES = 2.5
MOST_ROUNDS = 5  # the least of each counts, as other work on the machine only adds to the time
SHORTEST_S = 0.05  # what takes less, at four times the characters here, is no burden
KVN = "CCSDS_CDM_VERS = 1.0\n"
Hostile = Callable[[int], str]  # from about as many characters


def in_one_object(extra: object, count: int) -> str:
    return json.dumps([SUMMARY | {f"K{number}": extra for number in range(count)}])


HOSTILE: dict[str, Hostile] = {
    "JSON, many keys": lambda size: in_one_object("1", size // 15),
    "JSON, many keys below the largest message": lambda size: json.dumps(
        [SUMMARY | {f"K{number}": "1" for number in range(20_000)}] * (size // 300_000)
    ),
    "JSON, many objects": lambda size: in_one_object({"A": {"B": "1"}}, size // 30),
    "JSON, a long list": lambda size: json.dumps([SUMMARY | {"COMMENT": ["a"] * (size // 5)}]),
    "JSON, lists of strings": lambda size: json.dumps([SUMMARY | {"COMMENT": ["a" * 900] * (size // 900)}]),
    "JSON, a long string": lambda size: json.dumps([SUMMARY | {"COMMENT": "a" * size}]),
    "JSON, escapes": lambda size: '[{"TCA": "' + '\\"' * (size // 2),
    "JSON, nested lists": lambda size: "[" * size,
    "JSON, nested objects": lambda size: '{"a":' * (size // 5),
    "JSON, blanks": lambda size: "[{" + " " * size + '"TCA": 1}]',
    "KVN, many lines": lambda size: KVN + "X = 1\n" * (size // 6),
    "KVN, blank lines": lambda size: KVN + " \n" * (size // 2),
    "KVN, a long line": lambda size: KVN + "X = " + "a " * (size // 2),
    "KVN, a long comment": lambda size: KVN + "COMMENT" + "\t=" * (size // 2),
    "KVN, messages": lambda size: KVN * (size // len(KVN)),
    "line feeds": lambda size: "\n" * size,
    "XML, deep": lambda size: "<cdm>" + "<a>" * (size // 7) + "</a>" * (size // 7) + "</cdm>",
    "XML, attributes": lambda size: "<cdm " + " ".join(f'a{n}="1"' for n in range(size // 10)) + "/>",
    "XML, a long text": lambda size: "<cdm><X>" + "a " * (size // 2) + "</X></cdm>",
    "XML, a tag that does not end": lambda size: "<cdm><" + "a" * size,
    "XML, a comment that does not end": lambda size: "<cdm><!--" + "a -" * (size // 3),
    "XML, messages": lambda size: "<ndm>" + "<cdm><X>1</X></cdm>" * (size // 19) + "</ndm>",
}

LARGE = 1_500_000
# One of each form, as long as a quadratic reader needs to be seen; all at their largest are slow.
DAILY = {"JSON, many keys": LARGE, "KVN, messages": 150_000, "XML, messages": 150_000}


def cpu_s(text: str) -> float:
    """Return the CPU time of reading, without that of the collector, which walks other tests' objects."""
    gc.disable()
    try:
        begun = time.process_time()
        for _ in each_message(text):
            pass
        return time.process_time() - begun
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        *DAILY.items(),
        *(pytest.param(kind, LARGE, marks=pytest.mark.slow) for kind in HOSTILE if DAILY.get(kind) != LARGE),
    ],
)
def test_twice_the_text_takes_twice_the_time(kind: str, size: int) -> None:
    make = HOSTILE[kind]
    once, twice = make(size), make(2 * size)
    first, second = cpu_s(once), cpu_s(twice)
    for _ in range(MOST_ROUNDS - 1):
        if second < max(MOST_TIMES * first, SHORTEST_S):
            break
        first, second = min(first, cpu_s(once)), min(second, cpu_s(twice))
    assert second < max(MOST_TIMES * first, SHORTEST_S)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["JSON, many objects", "KVN, blank lines", "XML, deep"])
def test_reading_can_be_ended_within_a_message(kind: str) -> None:
    class Ended(Exception):
        pass

    calls = 0

    def go_on() -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise Ended

    with pytest.raises(Ended):
        list(each_with_text(HOSTILE[kind](LARGE), go_on=go_on))


@pytest.mark.slow
@pytest.mark.parametrize("count", [MAX_ENTRIES + 1, 10 * MAX_ENTRIES])
def test_a_message_has_as_many_keys_as_one_of_lines_may_have(count: int) -> None:
    found = list(each_message(in_one_object("1", count)))
    assert all(isinstance(one, UnreadableMessage) for one in found)
    assert "10,000" in str(found[-1])


def test_a_long_text_without_a_beginning_is_not_read() -> None:
    begun = time.process_time()
    (found,) = each_message("\n" * 32_000_000)
    assert "it holds no message" in str(found)
    assert time.process_time() - begun < 1.0  # line by line it takes half a minute


@pytest.mark.slow
def test_long_numbers_that_a_piece_would_cut_are_read_whole() -> None:
    padded = [SUMMARY | {"COMMENT": ["filler"] * 200_000}, SUMMARY | {"PC": "0." + "0" * 600 + "1"}]
    read = list(each_message(json.dumps(padded).replace('"0.' + "0" * 600 + '1"', "0." + "0" * 600 + "1")))
    assert not isinstance(read[-1], UnreadableMessage)
    assert read[-1].probability == 0.0
    assert len(read_messages(json.dumps(SUMMARY))) == 1
