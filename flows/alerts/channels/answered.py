"""What comes of sending a message."""

from typing import NamedTuple


class Answered(NamedTuple):
    """The answer of a receiver, or why there is none."""

    status: int | None  # of HTTP or SMTP; None: no answer came
    error: str = ""  # empty: it was taken
    retry_after: str = ""  # as the receiver wrote it: seconds, or a date
    is_final: bool = False  # trying again would end the same

    @property
    def was_taken(self) -> bool:
        """Tell whether the receiver has taken the message."""
        return not self.error
