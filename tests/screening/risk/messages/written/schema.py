"""The published schemas of CCSDS, and a reader that nobody here wrote."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import ccsds_ndm
from lxml import etree

SharedFile = Callable[[str], Path]


@cache
def schema(path: Path) -> etree.XMLSchema:
    """Read the schema of all messages, NDM/XML 4.0.0 without name spaces."""
    return etree.XMLSchema(etree.parse(path))


def assert_valid(text: str, shared_file: SharedFile) -> None:
    """Assert that a message follows the schema."""
    path = shared_file("ndm/xsd/ndmxml-4.0.0-master-4.0.xsd")
    schema(path).assertValid(etree.fromstring(text.encode()))


def leaves(element: etree._Element) -> list[tuple[str, str, str]]:
    """Return keyword, text and units of all elements without children, in order."""
    return [
        (str(each.tag), each.text or "", each.get("units", "")) for each in element.iter() if len(each) == 0
    ]


def values_of_kvn(text: str) -> list[tuple[str, str, str]]:
    """Return keyword, value and unit of all lines but comments, by the grammar of 508.0-B-1, 6.3."""
    found = []
    for line in text.splitlines():
        if line.startswith("COMMENT ") or not line.strip():
            continue
        match = re.fullmatch(r"(\w+)\s*= (.*)", line)
        assert match, line
        number = re.fullmatch(r"([-+.\dEe]+) \[(.*)\]", match[2])
        found.append((match[1], *(number.groups() if number else (match[2], ""))))
    return found


def read_by_another(text: str) -> ccsds_ndm.Cdm:
    """Read a message with the library ccsds-ndm."""
    message = ccsds_ndm.from_str(text)
    assert isinstance(message, ccsds_ndm.Cdm)
    return message
