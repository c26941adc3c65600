"""Fields of records, declared once: storage, answers, documents, reports, lists and the page follow."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Kind = Literal["number", "count", "time", "word", "flags", "yes_no"]
# How a record holds them: words as their place in a tuple, flags as bits, yes as 1 and no as 0.
CODES: Mapping[Kind, str] = MappingProxyType(
    {"number": "f8", "count": "i8", "time": "M8[us]", "word": "i1", "flags": "u1", "yes_no": "i1"}
)

Part = Literal["approach", "probability", "object"]
Format = Literal["length", "mass", "probability", "significant", "tenths", "hundredths"]
_SIGNS = {"sigmas": "σ", "deg": "°"}


class Shown(NamedTuple):
    """How readers see a number, in the table of a report and on the page."""

    part: Part  # of the table
    label: str
    format: Format  # written by storage/rows/words/numbers.py and by the page's event/fields.ts
    note: str = ""  # a phrase, which the page makes a sentence
    term: str = ""  # the word of the page's glossary that explains the label
    unit: str = ""  # of a Field: its own
    place: int = 0  # in its part: lower ones first, then in the order of the declarations


class Field(NamedTuple):
    """A field of a record; NaN, NaT, a code or count below 0 and no flag mean NULL."""

    name: str
    kind: Kind
    unit: str
    meaning: str
    example: object  # as in JSON
    words: tuple[str, ...] = ()  # of codes or flags
    one_of: Any = None  # a Literal, where clients tell apart every word
    always: bool = False  # never NULL
    of_states: bool = False  # NULL only in a row from a message without states
    shown: Shown | None = None
    listed: int | None = None  # its place among the columns of `skysieve events` in a pipe

    @property
    def comment(self) -> str:
        """The unit and the meaning, as documents have them."""
        said = f"{self.unit}, {self.meaning}" if self.unit else self.meaning
        return f"{said}; NULL: the message does not give it" if self.of_states else said

    @property
    def seen(self) -> Shown | None:
        """How readers see it, with the sign of its unit."""
        return self.shown and self.shown._replace(unit=_SIGNS.get(self.unit, self.unit))
