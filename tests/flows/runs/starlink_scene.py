"""Three Starlinks, each of which a fragment meets, and what a stand-in for Starlink's server has of them."""

from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import FloatArray, window
from screening.synthetic.inverse import elements_through
from tests.flows.misbehaving_server import Answer, by_path, tagged, text
from tests.flows.sources.trajectories.listed import ephemeris_text, file_name

HOURS = 4.0
TCA_S = (3600.0, 7200.0, 10_800.0)
FRAGMENTS = (880_001, 880_002, 880_003)
MISS_KM = 0.050  # in the run, radially
AHEAD_KM = 30.0  # the satellites are so far ahead of their element sets, as after a thrust
SIGMA_UVW_M = (20.0, 100.0, 20.0)


class Scene(NamedTuple):
    """Three Starlinks, each of which a fragment meets at its TCA, and what the server has of them."""

    elements: ElementArray  # (6,)
    names: dict[int, str]  # of files, by satellite
    texts: dict[int, bytes]

    @property
    def manifest(self) -> bytes:
        return "".join(f"{name}\n" for name in self.names.values()).encode()

    def published(self, **others: Answer) -> Answer:
        """Answer as Starlink, but for some files, by the satellite's number, and the list."""
        answers = {"/e/MANIFEST.txt": others.get("manifest", tagged(self.manifest, '"list"'))}
        for number, name in self.names.items():
            answers[f"/e/{name}"] = others.get(f"file_{number}", text(self.texts[number]))
        return by_path(answers)


def make_scene(catalogue_lines: list[str], start: np.datetime64) -> Scene:
    """Return the scene in a window that begins at `start`, from records of a catalogue of that day."""
    starlinks = [line for line in catalogue_lines if line.startswith("STARLINK")]
    satellites = parse_catalogue("\n".join([catalogue_lines[0], *starlinks])).elements[:3]
    elements = np.concatenate([satellites, fragments_meeting(satellites, start)])
    names, texts = {}, {}
    begins, ends = start, start + np.timedelta64(1, "D")
    epochs = np.arange(begins, ends, np.timedelta64(60, "s"))
    for one in satellites:
        r_km, v_km_s = ahead(one, AHEAD_KM, start)
        number = int(one["norad_id"])
        names[number] = file_name(number, str(one["name"]), begins, ends)
        texts[number] = ephemeris_text(epochs, r_km, v_km_s, SIGMA_UVW_M)
    return Scene(elements[np.argsort(elements["norad_id"])], names, texts)


def fragments_meeting(satellites: ElementArray, start: np.datetime64) -> ElementArray:
    """Return fragments that pass below satellites at right angles, at TCA_S.

    They are faster than these, and so do not meet them again after a revolution.
    """
    span = window(start, HOURS)
    made = []
    for i, (tca_s, number) in enumerate(zip(TCA_S, FRAGMENTS, strict=True)):
        _, r, v = Propagator(satellites[[i]], span).at(np.zeros(1, np.int32), np.array([tca_s]))
        up, across = r / np.linalg.norm(r), np.cross(r, v)
        across *= 1.02 * np.linalg.norm(v) / np.linalg.norm(across)
        template = satellites[[i]].copy()
        template["norad_id"], template["name"], template["object_id"] = number, f"FRAGMENT {i} DEB", ""
        template["bstar_per_earth_radius"] = 0.0
        one, met = elements_through(template, span, np.array([tca_s]), r - MISS_KM * up, across)
        assert met.all()
        made.append(one)
    return np.concatenate(made)


def ahead(satellite: np.void, km: float, start: np.datetime64) -> tuple[FloatArray, FloatArray]:
    """Return a day of states a minute apart, so far along the orbit from those of the element set."""
    one = np.array([satellite])
    speed_deg_km = 360.0 / (2.0 * np.pi * 6928.0)
    one["mean_anomaly_deg"] += km * speed_deg_km
    _, r, v = Propagator(one, window(start, 24.0)).on_grid(np.arange(0.0, 86_400.0, 60.0))
    return r[:, :, 0], v[:, :, 0]
