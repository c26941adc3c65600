"""Why a trajectory or a path is not given."""

from screening.errors import InputError
from storage.trajectories.report import TrajectoryReport


class NotItsPath(InputError):
    """A trajectory jumps, or is not near its object's element set; `report` is its check."""

    def __init__(self, text: str, report: TrajectoryReport) -> None:
        super().__init__(text)
        self.report = report

    def __reduce__(self) -> tuple[type["NotItsPath"], tuple[str, TrajectoryReport]]:
        """Pass between processes."""
        return NotItsPath, (str(self), self.report)


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
