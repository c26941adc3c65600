"""Progress of a long computation, in words for the user."""

from collections.abc import Callable
from typing import NamedTuple


class Step(NamedTuple):
    """What is about to be done."""

    done: int  # steps before it
    of: int  # in all, as far as known: it may become fewer
    words: str


# Called before each step; it may raise, which ends the work.
Tell = Callable[[Step], None]


def tell_nobody(_step: Step) -> None:
    """Go on, whatever the step is."""
