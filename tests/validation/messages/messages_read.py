"""Published conjunction data messages: read or refused as they should be, and kept whole by our writers."""

import re
from pathlib import Path
from typing import get_args

from screening.errors import InputError
from screening.risk.messages.read import ReadMessage, each_message, each_with_text
from screening.risk.messages.texts.entries import UnreadableMessage
from screening.risk.messages.written.received import received
from screening.risk.messages.written.text import message_text
from screening.vocabulary import MessageForm
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import bytes_of
from tests.validation.messages.files_read import MESSAGE_FOLDERS, REFUSED_MESSAGES
from tests.validation.messages.numbers import contradicting, differing, numbers_of
from tests.validation.one_message import one_message

# The same message in both forms, by the same hands; of Orekit's, the XML says more.
PAIRS = ("CDMExample1", "CDMExample_issue942", "CDMExample_issue_940")
GOLDEN = ("ndm/cdm/golden_cdm.cdm", "ndm/cdm/golden_cdm.xml")

ABOUT = About(
    title="Reading conjunction data messages",
    source="NASA CARA (real messages and test cases), tests of Orekit (https://github.com/CS-SI/Orekit; "
    "examples of CCSDS 508.0, and files broken on purpose).",
    what="Every file of the folders below is read, or refused with line and reason where a mandatory "
    "value is missing or wrong. The same message in KVN and XML must give the same numbers, and so "
    "must each message that we write in KVN, XML and JSON and read again.",
    limits="Numbers are compared bit by bit.",
    files=MESSAGE_FOLDERS,
    command='make test ARGS="tests/screening/risk/messages"',
)


def compare(data: Path) -> Comparison:
    """Read every file, and write and read again what is readable."""
    names = files_in(data, MESSAGE_FOLDERS)
    outcomes = {name: outcome(data, name) for name in names}
    readable = [name for name in names if outcomes[name] is None]
    pairs = [(f"ndm/cdm/{name}.txt", f"ndm/cdm/{name}.xml") for name in PAIRS] + [GOLDEN]
    both = [pair for pair in pairs if set(pair) <= set(readable)]
    shared = [contradicting(*(one_message(data, name) for name in pair)) for pair in both]
    measures = (
        Measure("read", len(readable)),
        Measure("refused", len(names) - len(readable)),
        Measure(
            "not read or refused as expected", sum(is_unexpected(*one) for one in outcomes.items()), "", 0
        ),
        Measure(f"{len(both)} messages in KVN and XML: numbers in both", sum(count for count, _ in shared)),
        Measure("of these different", sum(different for _, different in shared), "", 0),
        Measure("written in KVN, XML, JSON and read again: numbers", sum(_count(data, n) for n in readable)),
        Measure("of these changed", sum(changed(data, name) for name in readable), "", 0),
    )
    return Comparison(len(names), "files", measures)


def files_in(data: Path, folders: tuple[str, ...]) -> list[str]:
    """Return the names of all files in some folders of the data, at least one."""
    try:
        found = [f"{folder}/{path.name}" for folder in folders for path in sorted((data / folder).iterdir())]
    except OSError as error:
        raise InputError(f"{error.filename} cannot be listed ({error.strerror}).") from error
    if not found:
        raise InputError(f"The folders {', '.join(folders)} of {data.absolute()} are empty.")
    return found


def outcome(data: Path, name: str) -> UnreadableMessage | None:
    """Return the error of a file that is refused, None for one that is read."""
    found = next(each_message(bytes_of(data, name), source_name=name))
    return found if isinstance(found, UnreadableMessage) else None


def is_unexpected(name: str, error: UnreadableMessage | None) -> bool:
    """Return whether a file should have been refused otherwise, or read."""
    expected = REFUSED_MESSAGES.get(name)
    if expected is None or error is None:
        return (expected is None) != (error is None)
    said = str(error)
    return not (re.search(expected.reason, said) and re.search(rf"\n  line {expected.line} +:", said))


def changed(data: Path, name: str) -> int:
    """Count the numbers that change when a message is written in each form and read again."""
    content = bytes_of(data, name)
    original = one_message(data, name)
    (found,) = each_with_text(content, source_name=name)
    if not isinstance(found, ReadMessage):
        raise found
    count = 0
    for form in get_args(MessageForm):
        again = next(each_message(message_text(received(found), form), source_name=f"{name}, {form}"))
        count += _count(data, name) if isinstance(again, UnreadableMessage) else differing(original, again)
    return count


def _count(data: Path, name: str) -> int:
    return len(numbers_of(one_message(data, name)))
