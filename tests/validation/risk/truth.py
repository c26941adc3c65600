"""The table of published probabilities: its rows, what each asks for, and its geometry."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.risk.geometry.encounter_plane import EncounterPlane, encounter_plane
from tests.validation.files import rows_of, understood

TRUTH = "pc/pc_truth.csv"
MESSAGES = "cdm"
Row = dict[str, str]
# Miss along the major and minor axis of the plane's ellipse, sigmas along both, combined radius; all in m.
Geometry = tuple[float, float, float, float, float]

DIGITS = 1e-3  # relative, where a row asks for no other tolerance
_COLUMNS = ("id", "kind", "method", "hbr_m", "inputs", "expected_pc", "tolerance", "check_pc", "note")
_BETTER = re.compile(r"Nc3D (\S+); SDMC (\S+) ")


class BetterValues(NamedTuple):
    """What is published of an encounter beside its 2-D probability."""

    three_dimensional: float  # Nc3D, the number of encounters expected
    monte_carlo: float  # SDMC


def truth_rows(data: Path) -> list[Row]:
    """Read the table in the folder of the data."""
    return rows_of(data, TRUTH, _COLUMNS)


def is_over_the_disk(row: Row) -> bool:
    """Return whether a row's value is the exact 2-D integral over a disk: no series, sample or square."""
    return not (row["method"].startswith(("Chan", "Monte Carlo")) or row["method"].endswith("square"))


def expected(row: Row) -> tuple[float, float]:
    """Return the value a row asks for and its absolute tolerance: 1e-3 of it, or what the note allows."""
    value = float(row["expected_pc"])
    if "exempt" in row["note"]:
        value = float(row["check_pc"])
    allowed = float(row["tolerance"]) if "absolute tolerance only" in row["note"] else DIGITS * value
    return value, allowed


def better_values(row: Row) -> BetterValues | None:
    """Return the 3-D and Monte Carlo values in a row's note, None without."""
    found = _BETTER.search(row["note"])
    return BetterValues(float(found[1]), float(found[2])) if found else None


def message_file(row: Row, data: Path) -> str | None:
    """Return the name below `data` of a row's message, None if it has none or the file is not there."""
    name = f"{MESSAGES}/{Path(row['inputs']).name}"
    return name if row["kind"] == "cdm" and (data / name).exists() else None


def geometry_given(row: Row, data: Path) -> Geometry | None:
    """Return the geometry of a row that gives plane or states itself; None if a message has them."""
    if row["kind"] == "cdm":
        return None
    return understood(data, TRUTH, lambda: _geometry(json.loads(row["inputs"]), float(row["hbr_m"])))


def _geometry(given: dict[str, float], radius_m: float) -> Geometry:
    if "sigmaX" in given:
        axes = sorted(((given["sigmaX"], given["xm"]), (given["sigmaY"], given["ym"])))
        (s_minor, minor), (s_major, major) = axes
        return major, minor, s_major, s_minor, radius_m
    r1, v1, r2, v2 = (
        np.array(given[name])[np.newaxis] * 1e3 for name in ("r1_km", "v1_kms", "r2_km", "v2_kms")
    )
    first, second = (np.array(given[f"cov{k}_km2"])[np.newaxis, :3, :3] * 1e6 for k in (1, 2))
    return geometry_of(encounter_plane(r1, v1, r2, v2, first, second), radius_m)


def geometry_of(plane: EncounterPlane, radius_m: float) -> Geometry:
    """Return the geometry of one encounter's plane."""
    miss = float(plane.miss_major_m[0]), float(plane.miss_minor_m[0])
    return *miss, float(plane.sigma_major_m[0]), float(plane.sigma_minor_m[0]), radius_m
