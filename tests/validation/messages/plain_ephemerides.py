"""Two published ephemerides read without any checks: epochs and positions as they stand, in EME2000."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from screening.errors import InputError
from screening.orbits.texts.decoding import catalogue_text
from screening.orbits.texts.ephemerides.read import MAX_BYTES
from screening.orbits.timegrid import FloatArray, UtcArray
from tests.validation.files import bytes_of, understood

States = tuple[UtcArray, FloatArray]  # (n,), (n, 3) in km
STARLINK = "meme/MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt.gz"
LEAST_STATES = 1000  # of both: they have thousands
STATION = "ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz"


def starlink(data: Path) -> States:
    """Return three days of Starlink 48430 from 2023-01-29, a state each 60 s."""
    lines = _text(data, STARLINK).splitlines()
    words = [line.split() for line in lines if re.match(r"\d{13}\.\d{3} ", line)]
    times = [(line[0][:13], line[0][13:]) for line in words]
    epochs = understood(data, STARLINK, lambda: _epochs(times, "%Y%j%H%M%S"))
    r_km = understood(data, STARLINK, lambda: np.array([line[1:4] for line in words], np.float64))
    return _enough(data, STARLINK, (epochs, r_km))


def space_station(data: Path) -> States:
    """Return 15 days of the ISS from 2022-02-14, a state each 240 s, and each 2 s while it thrusts."""
    number = r">([-+.\dE]+)</"
    found = re.findall(
        rf"<EPOCH>(\S+?)(\.\d+)Z</EPOCH>\s*<X[^>]*{number}X>\s*<Y[^>]*{number}Y>\s*<Z[^>]*{number}Z>",
        _text(data, STATION),
    )
    epochs = understood(data, STATION, lambda: _epochs([row[:2] for row in found], "%Y-%jT%H:%M:%S"))
    r_km = understood(data, STATION, lambda: np.array([row[2:] for row in found], np.float64))
    return _enough(data, STATION, (epochs, r_km))


def _text(data: Path, name: str) -> str:
    return catalogue_text(
        bytes_of(data, name), max_bytes=MAX_BYTES, source_name=str((data / name).absolute())
    )


def _enough(data: Path, name: str, states: States) -> States:
    if len(states[0]) < LEAST_STATES:
        raise InputError(f"{(data / name).absolute()} has {len(states[0])} states: it is damaged.")
    return states


def _epochs(times: list[tuple[str, str]], form: str) -> UtcArray:
    """Return epochs, given as whole seconds and their fraction, UTC."""
    return np.array(
        [datetime.strptime(whole, form) + timedelta(seconds=float(part)) for whole, part in times],  # noqa: DTZ007
        "M8[us]",
    )
