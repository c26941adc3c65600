"""Positions as JSON, and as a few arrays of numbers for clients that draw all of them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import orjson

from api.answers.positions.at_a_time import RISKS, Positions, TrackedObjects, iso_times
from screening.orbits.timegrid import FloatArray

BINARY = "application/octet-stream"
COMPACT = "application/vnd.skysieve.positions"
MAGIC = b"SKYPOS1\n"
# Little-endian, one after the other; (n,) or, with three numbers per object, (n, 3).
BINARY_COLUMNS = (
    ("norad_id", "<u4", 1),
    ("r_itrf_km", "<f4", 3),
    ("v_itrf_km_s", "<f4", 3),
    ("altitude_km", "<f4", 1),
    ("risk", "<u1", 1),
)
# As BINARY_COLUMNS: numbers of three times two bytes that share an exponent, r = r_steps * 2**r_exponent.
COMPACT_COLUMNS = (
    ("norad_id_step", "<u4", 1),
    ("r_itrf_steps", "<i2", 3),
    ("v_itrf_steps", "<i2", 3),
    ("r_exponent", "<i1", 1),
    ("v_exponent", "<i1", 1),
    ("risk", "<u1", 1),
)
_MOST_STEPS = 2**15 - 1
_LEAST_EXPONENT = -128
_ALIGNMENT = 8
# 0.1 mm; SGP4 itself is good for a kilometre.
_KM_DECIMALS, _DEG_DECIMALS = 7, 9


def positions_json(objects: TrackedObjects, positions: Positions) -> bytes:
    """Write positions as JSON: x y z in km ITRF, lat lon in degrees, alt in km."""
    index = positions.chosen.tolist()
    columns = zip(
        objects.norad_ids[positions.chosen].tolist(),
        [objects.names[i] for i in index],
        *np.round(positions.r_itrf_km, _KM_DECIMALS).T.tolist(),
        np.round(positions.latitude_deg, _DEG_DECIMALS).tolist(),
        np.round(positions.longitude_deg, _DEG_DECIMALS).tolist(),
        np.round(positions.altitude_km, _KM_DECIMALS).tolist(),
        [objects.epochs[i] for i in index],
        [RISKS[code] for code in positions.risk.tolist()],
        strict=True,
    )
    names = ("norad_id", "name", "x", "y", "z", "lat", "lon", "alt", "epoch", "risk")
    satellites = [dict(zip(names, row, strict=True)) for row in columns]
    return orjson.dumps({**_about(objects, positions), "satellites": satellites})


def positions_binary(objects: TrackedObjects, positions: Positions) -> bytes:
    """Write positions as arrays: 33 bytes per object instead of 200, and nothing to parse.

    MAGIC, the length of the header (u32), the header as JSON, then the arrays that its `columns` list.
    """
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "norad_id": objects.norad_ids[positions.chosen],
        "r_itrf_km": positions.r_itrf_km,
        "v_itrf_km_s": positions.v_itrf_km_s,
        "altitude_km": positions.altitude_km,
        "risk": positions.risk,
    }
    return _written(_about(objects, positions), BINARY_COLUMNS, arrays)


def positions_compact(objects: TrackedObjects, positions: Positions) -> bytes:
    """Write positions for pictures: 19 bytes per object, which compress to 13, each good to 2**-15 of itself.

    That is 0.2 km in low orbits, where the cubic between two instants 300 s apart is wrong by 0.3 km.
    """
    r_steps, r_exponent = _with_one_exponent(positions.r_itrf_km)
    v_steps, v_exponent = _with_one_exponent(positions.v_itrf_km_s)
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "norad_id_step": np.diff(objects.norad_ids[positions.chosen], prepend=0),
        "r_itrf_steps": r_steps,
        "v_itrf_steps": v_steps,
        "r_exponent": r_exponent,
        "v_exponent": v_exponent,
        "risk": positions.risk,
    }
    return _written(_about(objects, positions), COMPACT_COLUMNS, arrays)


def _with_one_exponent(vectors: FloatArray) -> tuple[FloatArray, npt.NDArray[np.int32]]:
    """Return whole steps (n, 3) and exponents (n,): vectors = steps * 2**exponents, to a step."""
    _, exponents = np.frexp(np.abs(vectors).max(axis=1))
    exponents = np.maximum(exponents - 15, _LEAST_EXPONENT)
    steps = np.rint(np.ldexp(vectors, -exponents[:, np.newaxis]))
    return np.clip(steps, -_MOST_STEPS, _MOST_STEPS), exponents


def _written(
    about: dict[str, object],
    columns: Sequence[tuple[str, str, int]],
    arrays: dict[str, npt.NDArray[np.generic]],
) -> bytes:
    listed = [{"name": name, "type": kind[1:], "per_object": width} for name, kind, width in columns]
    header = orjson.dumps({**about, "count": len(arrays["risk"]), "risks": RISKS, "columns": listed})
    header += b" " * (-(len(MAGIC) + 4 + len(header)) % _ALIGNMENT)
    parts = (arrays[name].astype(kind).tobytes() for name, kind, _ in columns)
    return b"".join((MAGIC, len(header).to_bytes(4, "little"), header, *parts))


def _about(objects: TrackedObjects, positions: Positions) -> dict[str, object]:
    return {
        "timestamp": iso_times(np.array([positions.instant]))[0],
        "run_id": objects.run.run_id,
        "historic": objects.run.historic,
        "synthetic": objects.run.synthetic,
        "earth_orientation_extrapolated": positions.earth_orientation_extrapolated,
        "omitted": positions.omitted,
    }
