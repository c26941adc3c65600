"""Published encounters: rows of the truth table, and the least of a CDM that the mathematics needs."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.risk.geometry.encounter_plane import EncounterPlane, encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from tests.validation.risk import truth

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
    return truth.truth_rows(shared_file(truth.TRUTH).parents[1])


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
    name = truth.message_file(row, shared_file(""))
    return None if name is None else read_message(shared_file(name))


def plane_of(message: Message) -> EncounterPlane:
    """Project a message on its encounter plane."""
    covariances = message.covariances()[:, np.newaxis, :3, :3]
    (r1, v1), (r2, v2) = ((s[np.newaxis, :3], s[np.newaxis, 3:]) for s in message.states)
    return encounter_plane(r1, v1, r2, v2, covariances[0], covariances[1])


def plane_geometry(row: truth.Row, shared_file: SharedFile) -> truth.Geometry | None:
    """Return miss and sigma along major and minor axis, and the radius, of a truth row; None if unknown."""
    if row["kind"] != "cdm":
        return truth.geometry_given(row, shared_file(""))
    message = message_of(row, shared_file)
    return None if message is None else truth.geometry_of(plane_of(message), float(row["hbr_m"]))


def integral_rows(shared_file: SharedFile) -> list[tuple[truth.Row, truth.Geometry]]:
    """Return the rows that an exact 2-D integral over a circle must match, with their geometry."""
    rows = []
    for row in truth_rows(shared_file):
        geometry = plane_geometry(row, shared_file) if truth.is_over_the_disk(row) else None
        if geometry is not None:
            rows.append((row, geometry))
    return rows
