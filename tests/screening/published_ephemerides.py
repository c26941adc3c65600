"""Two published ephemerides, as tests need them: epochs and positions in EME2000, read without any checks."""

import gzip
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from screening.orbits.timegrid import FloatArray, UtcArray

States = tuple[UtcArray, FloatArray]
_STARLINK = "meme/MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt.gz"
_ISS = "ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz"


def starlink(shared_file: Callable[[str], Path]) -> States:
    """Return three days of Starlink 48430 from 2023-01-29, a state each 60 s."""
    lines = gzip.decompress(shared_file(_STARLINK).read_bytes()).decode().splitlines()
    words = [line.split() for line in lines if re.match(r"\d{13}\.\d{3} ", line)]
    epochs = [
        datetime.strptime(first[0][:13], "%Y%j%H%M%S") + timedelta(seconds=float(first[0][13:]))  # noqa: DTZ007
        for first in words
    ]
    return np.array(epochs, "M8[us]"), np.array([[float(x) for x in line[1:4]] for line in words])


def space_station(shared_file: Callable[[str], Path]) -> States:
    """Return 15 days of the ISS from 2022-02-14, a state each 240 s, and each 2 s while it thrusts."""
    text = gzip.decompress(shared_file(_ISS).read_bytes()).decode()
    number = r">([-+.\dE]+)</"
    found = re.findall(
        rf"<EPOCH>(\S+?)(\.\d+)Z</EPOCH>\s*<X[^>]*{number}X>\s*<Y[^>]*{number}Y>\s*<Z[^>]*{number}Z>", text
    )
    epochs = [
        datetime.strptime(whole, "%Y-%jT%H:%M:%S") + timedelta(seconds=float(part))  # noqa: DTZ007
        for whole, part, *_ in found
    ]
    return np.array(epochs, "M8[us]"), np.array([[float(x) for x in row[2:]] for row in found])
