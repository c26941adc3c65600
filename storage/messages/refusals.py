"""Why a message, or a file of messages, is not taken or not given."""

from typing import NamedTuple

from screening.errors import InputError


class NotKnown(InputError):
    """There is no such message."""


class Refused(NamedTuple):
    """A message, or a file, that was not taken."""

    number: int  # its place in the import, from 1; messages that are taken count too
    text: str
    line: int  # of its file, from 1; 0: of no line
    keyword: str  # empty: of none
