"""Score files of conjunction data messages; a bad file does not stop the rest."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.errors import InputError, SkysieveError
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import read_messages
from screening.risk.messages.score import MessageScore, score_message

MEGABYTE = 1_000_000
LARGEST_FILE_BYTES = 64 * MEGABYTE


class Scored(NamedTuple):
    """The score of one message, or the error of one that could not be scored."""

    file: Path
    score: MessageScore | None
    error: SkysieveError | None


def score_files(files: Iterable[Path], radius_m: float | None, samples: int, seed: int) -> Iterator[Scored]:
    """Score every message of every file; `radius_m` replaces the hard-body radii of the messages."""
    for file in files:
        try:
            messages = read_messages(_bytes_of(file), source_name=str(file))
        except SkysieveError as error:
            yield Scored(file, None, error)
            continue
        for message in messages:
            try:
                yield Scored(
                    file, score_message(message, _radius_m(message, radius_m, file), samples, seed), None
                )
            except SkysieveError as error:
                yield Scored(file, None, error)


def remarks_by_file(scored: Sequence[Scored]) -> Iterator[tuple[Path, list[str]]]:
    """Return the remarks about the messages of each file that has any."""
    for file, those in groupby(scored, key=lambda one: one.file):
        remarks = [remark for one in those if one.score for remark in one.score.remarks]
        if remarks:
            yield file, remarks


def _bytes_of(file: Path) -> bytes:
    try:
        if file.stat().st_size > LARGEST_FILE_BYTES:
            raise InputError(
                f"{file.absolute()} has {file.stat().st_size / MEGABYTE:.0f} MB; a file of messages may have "
                f"{LARGEST_FILE_BYTES / MEGABYTE:.0f} MB."
            )
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file.absolute()} cannot be read ({error.strerror}).") from error


def _radius_m(message: ConjunctionMessage, given_m: float | None, file: Path) -> float:
    radius_m = message.hard_body_radius_m if given_m is None else given_m
    if np.isnan(radius_m):
        raise InputError(
            f"{file}: the message {message.message_id} names no hard-body radius; give the combined one of "
            "both objects with --hbr, in metres."
        )
    return float(radius_m)
