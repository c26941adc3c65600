"""Which objects of the newest run are an owner's, by its abbreviation in GCAT."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from screening.errors import UsageError

Ask = Callable[[str, list[object]], Sequence[Sequence[Any]]]  # a query and its values

_SHOWN = 40  # characters of an owner that is refused
_NEAR = 3
_UNSURE = "?"  # at the end of an abbreviation


class UnknownOwner(UsageError):
    """The newest run has no object of an owner."""


def numbers_of_owner(ask: Ask, owner: str, *, satellites: bool = False) -> list[int]:
    """Return the catalogue numbers of an owner's objects, or only of its satellites, ascending.

    `ask` queries the table `objects` of a run.

    Raises:
        UnknownOwner: there is none; the text names those that are near.
    """
    known = [word for (word,) in ask("SELECT DISTINCT owner FROM objects WHERE owner <> '' ORDER BY 1", [])]
    kind = "AND object_type = 'payload'" if satellites else ""
    of_it = f"SELECT norad_id FROM objects WHERE list_contains(?, owner) {kind} ORDER BY 1"  # noqa: S608
    return [number for (number,) in ask(of_it, [owner_words(owner, known)])]


def owner_words(wanted: str, known: Sequence[str]) -> list[str]:
    """Return those of the known owners that are one, or several of whom it is one (NRO/NRL). Case is nothing.

    Raises:
        UnknownOwner: there is none.
    """
    key = _key(wanted)
    found = [word for word in known if key in (_key(word), *map(_key, word.split("/")))]
    if not found:
        raise UnknownOwner(_refused(wanted.strip(), key, known))
    return found


def _key(word: str) -> str:
    return word.strip().rstrip(_UNSURE).casefold()


def _refused(wanted: str, key: str, known: Sequence[str]) -> str:
    if not known:
        return "The newest run has no owner for any object."
    shown = ascii(wanted if len(wanted) <= _SHOWN else f"{wanted[:_SHOWN]}...")
    text = f"The newest run has no owner {shown}"
    keys = {_key(part): part.rstrip(_UNSURE) for word in known for part in word.split("/")}
    near = [keys[one] for one in _near(key, keys)]
    return f"{text}: did you mean {_either(near)}?" if near else f"{text}."


def _near(key: str, keys: Iterable[str]) -> list[str]:
    """Return the nearest of some keys: those that begin so, the shortest first, else those that are alike."""
    begin = sorted((one for one in keys if key and one.startswith(key)), key=lambda one: (len(one), one))
    return begin[:_NEAR] or get_close_matches(key[:_SHOWN], list(keys), _NEAR)


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
