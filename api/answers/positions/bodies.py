"""Positions as JSON, and as a few arrays of numbers for clients that draw all of them."""

import numpy as np
import numpy.typing as npt
import orjson

from api.answers.positions.at_a_time import RISKS, Positions, TrackedObjects, iso_times

BINARY = "application/octet-stream"
MAGIC = b"SKYPOS1\n"
# Little-endian, one after the other; (n,) or, with three numbers per object, (n, 3).
BINARY_COLUMNS = (
    ("norad_id", "<u4", 1),
    ("r_itrf_km", "<f4", 3),
    ("v_itrf_km_s", "<f4", 3),
    ("altitude_km", "<f4", 1),
    ("risk", "<u1", 1),
)
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
    count = len(positions.chosen)
    columns = [{"name": name, "type": kind[1:], "per_object": width} for name, kind, width in BINARY_COLUMNS]
    about = {**_about(objects, positions), "count": count, "risks": RISKS, "columns": columns}
    header = orjson.dumps(about)
    header += b" " * (-(len(MAGIC) + 4 + len(header)) % _ALIGNMENT)
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "norad_id": objects.norad_ids[positions.chosen],
        "r_itrf_km": positions.r_itrf_km,
        "v_itrf_km_s": positions.v_itrf_km_s,
        "altitude_km": positions.altitude_km,
        "risk": positions.risk,
    }
    parts = (arrays[name].astype(kind).tobytes() for name, kind, _ in BINARY_COLUMNS)
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
