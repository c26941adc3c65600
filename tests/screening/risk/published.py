"""Published encounters: rows of the truth table, and the least of a CDM that the mathematics needs."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.risk.geometry.encounter_plane import EncounterPlane, encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial

SharedFile = Callable[[str], Path]
_COMPONENTS = ("R", "T", "N", "RDOT", "TDOT", "NDOT")


class Message(NamedTuple):
    """Both objects of a CDM: states (2, 6) in m and m/s, covariances (2, 6, 6), each in its own RTN."""

    states: np.ndarray
    covariances_rtn: np.ndarray

    def covariances(self) -> np.ndarray:
        """Both covariances in the frame of the states."""
        return rtn_covariance_to_inertial(self.covariances_rtn, self.states[:, :3], self.states[:, 3:])


def truth_rows(shared_file: SharedFile) -> list[dict[str, str]]:
    """Read the truth table."""
    return list(csv.DictReader(shared_file("pc/pc_truth.csv").read_text().splitlines()))


def read_message(path: Path) -> Message:
    """Read states and covariances of a CDM in KVN; all of those used here are in EME2000."""
    objects: list[dict[str, str]] = []
    for line in path.read_text().splitlines():
        found = re.match(r"(\w+)\s*=\s*(\S+)", line)
        if found and found[1] == "OBJECT":
            objects.append({})
        elif found and objects:
            objects[-1][found[1]] = found[2]
    assert [o["REF_FRAME"] for o in objects] == ["EME2000"] * 2
    states = [[float(o[key]) * 1e3 for key in ("X", "Y", "Z", "X_DOT", "Y_DOT", "Z_DOT")] for o in objects]
    covariances = np.zeros((2, 6, 6))
    for k, o in enumerate(objects):
        for i, row in enumerate(_COMPONENTS):
            for j, column in enumerate(_COMPONENTS[: i + 1]):
                covariances[k, i, j] = covariances[k, j, i] = float(o[f"C{row}_{column}"])
    return Message(np.array(states), covariances)


def message_of(row: dict[str, str], shared_file: SharedFile) -> Message | None:
    """Read the CDM of a truth row, or return None where it is not among the files."""
    path = shared_file("cdm") / Path(row["inputs"]).name
    return read_message(path) if path.exists() else None


def plane_of(message: Message) -> EncounterPlane:
    """Project a message on its encounter plane."""
    covariances = message.covariances()[:, np.newaxis, :3, :3]
    (r1, v1), (r2, v2) = ((s[np.newaxis, :3], s[np.newaxis, 3:]) for s in message.states)
    return encounter_plane(r1, v1, r2, v2, covariances[0], covariances[1])


def plane_geometry(
    row: dict[str, str], shared_file: SharedFile
) -> tuple[float, float, float, float, float] | None:
    """Return miss and sigma along major and minor axis, and the radius, of a truth row; None if unknown."""
    radius = float(row["hbr_m"])
    if row["kind"] == "2d-plane":
        given = json.loads(row["inputs"])
        (s_minor, minor), (s_major, major) = sorted(
            ((given["sigmaX"], given["xm"]), (given["sigmaY"], given["ym"]))
        )
        return major, minor, s_major, s_minor, radius
    if row["kind"] == "cdm":
        message = message_of(row, shared_file)
        if message is None:
            return None
        plane = plane_of(message)
    else:
        given = {
            key: np.array(value) * 1e3 for key, value in json.loads(row["inputs"]).items() if key[0] in "rv"
        }
        covariances = [np.array(json.loads(row["inputs"])[f"cov{k}_km2"])[:3, :3] * 1e6 for k in (1, 2)]
        plane = encounter_plane(
            given["r1_km"][np.newaxis], given["v1_kms"][np.newaxis], given["r2_km"][np.newaxis],
            given["v2_kms"][np.newaxis], covariances[0][np.newaxis], covariances[1][np.newaxis],
        )  # fmt: skip
    miss = float(plane.miss_major_m[0]), float(plane.miss_minor_m[0])
    return *miss, float(plane.sigma_major_m[0]), float(plane.sigma_minor_m[0]), radius


def integral_rows(
    shared_file: SharedFile,
) -> list[tuple[dict[str, str], tuple[float, float, float, float, float]]]:
    """Return the rows that an exact 2-D integral over a circle must match, with their geometry."""
    rows = []
    for row in truth_rows(shared_file):
        other_method = row["method"].startswith(("Chan", "Monte Carlo")) or row["method"].endswith("square")
        geometry = None if other_method else plane_geometry(row, shared_file)
        if geometry is not None:
            rows.append((row, geometry))
    return rows


def expected(row: dict[str, str]) -> tuple[float, float]:
    """Return the value a row asks for and its absolute tolerance: 1e-3 of it, or what the note allows."""
    value = float(row["expected_pc"])
    if "exempt" in row["note"]:
        value = float(row["check_pc"])
    allowed = float(row["tolerance"]) if "absolute tolerance only" in row["note"] else 1e-3 * value
    return value, allowed
