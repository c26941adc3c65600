"""Make comparisons, one after the other; what is missing or damaged stops none of the others."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from screening.errors import InputError, SkysieveError, UsageError
from tests.validation.comparison import NotRun, Outcome, Subject


def outcomes(data: Path, subjects: Sequence[Subject]) -> Iterator[Outcome]:
    """Yield what becomes of each comparison with the files below `data`.

    Raises UsageError if that is no folder, InputError if none of the files is there.
    """
    folder = data.expanduser().absolute()
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder; expected the one with the published values.")
    names = [name for subject in subjects for name in subject.ABOUT.files]
    if not any(_is_there(folder / name) for name in names):
        raise InputError(
            f"{folder} has none of the files of published values, such as {names[0]}. "
            "docs/validation.md lists them all, with their sources."
        )
    return (outcome_of(folder, subject) for subject in subjects)


def outcome_of(data: Path, subject: Subject) -> Outcome:
    """Make one comparison."""
    about = subject.ABOUT
    absent = [name for name in about.files if not _is_there(data / name)]
    if absent:
        return Outcome(about, None, missing=f"needs {', '.join(absent)}")
    try:
        comparison = subject.compare(data)
    except NotRun as reason:
        return Outcome(about, None, missing=str(reason))
    except SkysieveError as error:
        return Outcome(about, None, error=" ".join(str(error).split()))
    if comparison.number == 0:
        return Outcome(about, None, error=f"{', '.join(about.files)} of {data} have nothing to compare with.")
    return Outcome(about, comparison)


def _is_there(path: Path) -> bool:
    """Return whether a file or folder exists; one that may not be looked at does: reading it says why."""
    try:
        path.stat()
    except PermissionError:
        return True
    except OSError:
        return False
    return True
