"""Time grows as a text does: twice the text takes less than two and a half times the CPU."""

import json
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from screening.errors import InputError
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.ephemerides.read import read_ephemerides
from screening.orbits.texts.ephemerides.write import write_oem
from tests.screening.orbits.texts.ephemerides.circling import START, VARIANCES, covariance, oem, states
from tests.screening.orbits.texts.ephemerides.test_ocm import MATRIX, covariances, ocm
from tests.screening.orbits.texts.test_hostile_texts import OMM, TLE

AT_MOST = 2.5
MEASURED_S = 0.05  # below, the clock and the collector of garbage are seen
TRIES = 4

HEADER, ROW, RECORD = ",".join(OMM), ",".join(map(str, OMM.values())), json.dumps(OMM)
SEGMENT = "<segment>" + "".join(f"<{key}>{value}</{key}>" for key, value in OMM.items()) + "</segment>"
MESSAGE = "CCSDS_OMM_VERS = 2.0\n" + "".join(f"{key} = {value}\n" for key, value in OMM.items())
CATALOGUES: dict[str, Callable[[int], str]] = {
    "tle": lambda n: TLE * n,
    "tle without checksums": lambda n: "\n".join(line[:68] for line in (TLE * n).split("\n")),
    "tle, comments": lambda n: TLE + "# x\n" * (50 * n),
    "tle, single lines": lambda n: TLE[:70] * (2 * n) + TLE,
    "csv": lambda n: f"{HEADER}\n" + f"{ROW}\n" * n,
    "csv, quotes that do not close": lambda n: f"{HEADER}\n{ROW}\n" + f'"{ROW}\n' * n,
    "csv, one field": lambda n: f"{HEADER}\n{ROW}\n" + "x" * (500 * n),
    "json": lambda n: f"[{','.join([RECORD] * n)}]",
    "json in an object": lambda n: f'{{"data": [{",".join([RECORD] * n)}]}}',
    "json lines": lambda n: f"{RECORD}\n" * n,
    "json, records without end": lambda n: f"[{RECORD},{','.join([RECORD[:-1]] * n)}]",
    "json, keys": lambda n: f"[{RECORD},{{" + ",".join(f'"k{i}": 1' for i in range(20 * n)) + "}]",
    "json, no records": lambda n: f"[{RECORD}" + ",1" * (10 * n) + "]",
    "json, quoted quotes": lambda n: f"[{RECORD}," + '{"\\"' * n + "]",
    "json, nested": lambda n: f"[{RECORD}," + '{"a":' * (50 * n),
    "xml": lambda n: f"<ndm>{SEGMENT * n}</ndm>",
    "xml, a comment": lambda n: f"<ndm>{SEGMENT}<!--{'x' * (2000 * n)}--></ndm>",
    "xml, a value of an attribute": lambda n: f"<ndm a='{'x' * (2000 * n)}'>{SEGMENT}</ndm>",
    "xml, damaged segments": lambda n: f"<ndm>{SEGMENT}{'<segment>&x;</segment>' * n}</ndm>",
    "xml, open elements": lambda n: f"<ndm>{SEGMENT}{'<x>' * (50 * n)}",
    "kvn": lambda n: MESSAGE * n,
    "kvn, keywords": lambda n: MESSAGE + "".join(f"K{i} = 1\n" for i in range(20 * n)),
}


def trajectories(n: int) -> str:
    """Return an OCM with many trajectories of two states, and a covariance at each of their epochs."""
    seconds, lines = 60.0 * np.arange(2 * n), state_lines(2 * n)
    blocks = "".join(
        "TRAJ_START\nCENTER_NAME = EARTH\nTRAJ_REF_FRAME = GCRF\nTRAJ_TYPE = CARTPV\n"
        f"{seconds[i]} {lines[i]}\n{seconds[i + 1]} {lines[i + 1]}\nTRAJ_STOP\n"
        for i in range(0, 2 * n, 2)
    )
    head, _, rest = covariances(MATRIX[np.tril_indices(6)], "LTM").partition("0.0 ")
    triangle = rest.partition("\n")[0]
    return ocm(blocks).decode() + head + "".join(f"{s} {triangle}\n" for s in seconds) + "COV_STOP\n"


def one_trajectory(n: int) -> str:
    """Return an OCM with one trajectory of many states."""
    keywords = "TRAJ_START\nCENTER_NAME = EARTH\nTRAJ_REF_FRAME = GCRF\nTRAJ_TYPE = CARTPV\n"
    lines = "".join(f"{60.0 * i} {line}\n" for i, line in enumerate(state_lines(n)))
    return ocm(f"{keywords}{lines}TRAJ_STOP\n").decode()


def state_lines(count: int) -> list[str]:
    _, r_km, v_km_s = states(count)
    return [" ".join(f"{x:.9f}" for x in row) for row in np.hstack([r_km, v_km_s])]


def with_covariances(n: int) -> str:
    """Return an OEM with a covariance at every epoch."""
    blocks = "".join(covariance(np.diag(VARIANCES), epoch=epoch) for epoch in states(n)[0])
    return oem(count=n, covariances=blocks)


def segments(n: int) -> str:
    """Return an OEM with many segments of two states."""
    head, _, rest = oem(count=2 * n).partition("META_START\n")
    metadata, _, lines = rest.partition("META_STOP\n")
    rows = lines.split("\n")
    keywords = "\n".join(line for line in metadata.split("\n") if "_TIME" not in line)
    blocks = []
    for i in range(0, 2 * n, 2):
        span = f"START_TIME = {rows[i].split()[0]}\nSTOP_TIME = {rows[i + 1].split()[0]}\n"
        blocks.append(f"META_START\n{keywords}{span}META_STOP\n{rows[i]}\n{rows[i + 1]}\n")
    return head + "".join(blocks)


def xml(n: int) -> str:
    """Return an OEM in XML."""
    _, _, v_km_s = states(n)
    (read,) = read_ephemerides(oem(count=n).encode(), "made.oem")
    return write_oem(
        read.ephemeris, [v_km_s], "xml", frame="TEME", originator="TESTS", created=START, comments=[]
    )


def sp3(n: int) -> str:
    """Return an SP3 of one satellite, its orbit taken as Earth-fixed."""
    epochs, r_km, _ = states(n)
    lines = ["#dP2024 11  1  0  0  0.00000000      16 ORBIT IGb20 FIT  AAA", "%c M  cc UTC"]
    for epoch, r in zip(epochs.tolist(), r_km, strict=True):
        lines.append(
            f"*  {epoch.year} {epoch.month:2} {epoch.day:2} {epoch.hour:2} {epoch.minute:2}  0.00000000"
        )
        lines.append("PG01" + "".join(f"{x:14.6f}" for x in r))
    return "\n".join([*lines, "EOF", ""])


def starlink(n: int) -> str:
    """Return Starlink's text."""
    numbers = [f"{x:.10e}" for x in np.diag(VARIANCES)[np.tril_indices(6)]]
    rows = "\n".join(" ".join(numbers[i : i + 7]) for i in (0, 7, 14))
    head = "created:2024-11-01 00:00:00 UTC\nephemeris_start:2024-11-01 00:00:00 UTC\nsource:made\nUVW\n"
    times = [f"{epoch:%Y%j%H%M%S}.000" for epoch in states(n)[0].tolist()]
    return head + "".join(f"{t} {line}\n{rows}\n" for t, line in zip(times, state_lines(n), strict=True))


EPHEMERIDES: dict[str, Callable[[int], str]] = {
    "oem": lambda n: oem(count=n),
    "oem, covariances": with_covariances,
    "oem, segments": segments,
    "oem, comments": lambda n: oem(covariances="COMMENT x\n" * (20 * n)),
    "oem-xml": xml,
    "ocm": one_trajectory,
    "ocm, trajectories and covariances": lambda n: trajectories(8 * n),
    "sp3": sp3,
    "starlink": starlink,
}


# One of each family of formats; the others are slow.
DAILY = {"tle", "csv", "json", "xml", "kvn", "oem", "oem-xml", "ocm", "sp3", "starlink"}


def some_slow(kinds: Iterable[str]) -> list[Any]:
    return [pytest.param(kind, marks=[] if kind in DAILY else pytest.mark.slow) for kind in kinds]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", some_slow(CATALOGUES))
def test_a_catalogue_of_twice_the_length_takes_twice_the_time(kind: str) -> None:
    assert_linear(CATALOGUES[kind], parse_catalogue)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", some_slow(EPHEMERIDES))
def test_an_ephemeris_of_twice_the_length_takes_twice_the_time(kind: str) -> None:
    assert_linear(EPHEMERIDES[kind], lambda text: read_ephemerides(text.encode(), "MEME_9_X_3060000_x.txt"))


def assert_linear(written: Callable[[int], str], read: Callable[[str], object]) -> None:
    """Double a text until it takes long enough to be measured, then once more: least of some tries."""
    n = 128
    while cpu_s(read, written(n)) < MEASURED_S:
        n *= 2
    text, twice = written(n), written(2 * n)
    ratios = []
    while len(ratios) < TRIES and (not ratios or min(ratios) > AT_MOST):
        ratios.append(cpu_s(read, twice) / cpu_s(read, text))
    assert min(ratios) < AT_MOST, (n, ratios)


def cpu_s(read: Callable[[str], object], text: str) -> float:
    began_s = time.process_time()
    with suppress(InputError):
        read(text)
    return time.process_time() - began_s
