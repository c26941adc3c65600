"""Score files of conjunction data messages; a bad file does not stop the rest."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.errors import InputError, SkysieveError
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import MAX_BYTES, each_message
from screening.risk.messages.score import score_message
from screening.risk.messages.scores import MessageScore

MEGABYTE = 1_000_000
LINES_TOLD = 20  # for each file; the rest is counted, and --json has all


class Scored(NamedTuple):
    """The score of one message, or the error of one that could not be scored."""

    file: Path
    message: int  # its place in the file, from 1
    score: MessageScore | None
    error: SkysieveError | None


def score_files(
    files: Iterable[Path], radius_m: float | None, samples: int, seed: int, *, shared_drag: bool = True
) -> Iterator[Scored]:
    """Score every message of every file; `radius_m` replaces the hard-body radii of the messages."""
    for file in files:
        try:
            content = bytes_of(file)
        except SkysieveError as error:
            yield Scored(file, 1, None, error)
            continue
        for number, message in enumerate(each_message(content, source_name=str(file)), start=1):
            if isinstance(message, SkysieveError):
                yield Scored(file, number, None, message)
                continue
            try:
                used_m = _radius_m(message, radius_m, file, number)
                found = score_message(message, used_m, samples, seed, shared_drag=shared_drag)
                yield Scored(file, number, found, None)
            except SkysieveError as error:
                yield Scored(file, number, None, error)


def remarks_by_file(scored: Sequence[Scored]) -> Iterator[str]:
    """Return the remarks of each file, a line per message, and the number of lines left out."""
    for file, group in groupby(scored, key=lambda one: one.file):
        those = list(group)
        told = [(one.message, one.score.remarks) for one in those if one.score and one.score.remarks]
        for number, remarks in told[:LINES_TOLD]:
            which = f"{file}, message {number}" if len(those) > 1 else str(file)
            yield f"{which}: {'; '.join(remarks)}"
        if len(told) > LINES_TOLD:
            yield f"{file}: {len(told) - LINES_TOLD:,} more messages have remarks; --json has them all"


def errors_by_file(scored: Sequence[Scored]) -> Iterator[str]:
    """Return the errors of each file, and their number if the file has more than one message."""
    for file, group in groupby(scored, key=lambda one: one.file):
        those = list(group)
        errors = [one.error for one in those if one.error]
        yield from (str(error) for error in errors[:LINES_TOLD])
        if len(those) > 1 and errors:
            yield f"{file}: {len(errors):,} of {len(those):,} messages could not be scored"


def bytes_of(file: Path) -> bytes:
    """Return the content of a file of messages. Raises InputError if it is too large or cannot be read."""
    try:
        if file.stat().st_size > MAX_BYTES:
            raise InputError(
                f"{file.absolute()} has {file.stat().st_size / MEGABYTE:,.1f} MB; a file of messages may "
                f"have {MAX_BYTES / MEGABYTE:.0f} MB. Divide it."
            )
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file.absolute()} cannot be read ({error.strerror}).") from error


def _radius_m(message: ConjunctionMessage, given_m: float | None, file: Path, number: int) -> float:
    """Return the radius to use; a message without states needs none."""
    radius_m = message.hard_body_radius_m if given_m is None else given_m
    if np.isnan(radius_m) and message.has_states:
        raise InputError(
            f"{file}, message {number}: {message.message_id or 'it'} gives no hard-body radius; pass the "
            "combined radius of both objects with --hbr, in metres."
        )
    return float(radius_m)
