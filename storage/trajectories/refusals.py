"""Why a trajectory or a path is not given."""

from screening.errors import InputError


class NotKnown(InputError):
    """There is no such trajectory, or no such object in the newest run."""


class Restricted(InputError):
    """The terms of the source of a trajectory forbid sharing it."""


def restricted(words: str) -> Restricted:
    """Build the error: `words` say what rests on whose file."""
    return Restricted(
        f"{words}, and its source does not allow sharing it. On the command line "
        "`--allow-restricted` writes it for your own use."
    )


class NotItsObject(InputError):
    """A credential may not say where an object is."""
