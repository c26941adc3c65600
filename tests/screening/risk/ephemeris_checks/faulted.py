"""Ten sound ephemerides as texts (OEM, KVN), and faults put into them at a known line."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.ephemerides.read import read_ephemerides
from screening.orbits.texts.ephemerides.velocities import velocities_km_s
from screening.orbits.texts.ephemerides.write import write_oem
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, UtcArray, instants, window
from storage.trajectories.flown import elements_of
from tests.screening.paths_as_ephemerides import segment_of
from tests.validation.messages.plain_ephemerides import STARLINK, STATION

SharedFile = Callable[[str], Path]
GEO, GPS, MOLNIYA, POLAR = 41866, 40105, 13012, 39084
_STATE = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)( .*)$")
_SIGMA_KM = np.array([0.05, 0.3, 0.04, 3e-4, 5e-5, 4e-5])


class Base(NamedTuple):
    """A sound ephemeris, and the element set of its object."""

    lines: list[str]
    elements: ElementArray


class Fault(NamedTuple):
    """A text with a fault, the rule that it breaks, and where."""

    lines: list[str]
    rule: str
    line: int | None  # from 1; None: nowhere in particular
    also: tuple[str, ...] = ()  # further rules that it breaks


def bases(shared_file: SharedFile) -> dict[str, Base]:
    """Return the ten, by name: two published ephemerides, and eight paths of published element sets."""
    made = {}
    station = _read(shared_file(STATION))
    starlink = _read(shared_file(STARLINK))
    sets = {kind: _pairs(shared_file(f"meme/{kind}_48430.txt")) for kind in ("gp", "sup")}
    made["station"] = _base(_first(station, 2.0)._replace(norad_id=25544), elements_of(station))
    made["starlink"] = _base(_first(starlink, 1.9), sets["gp"][4])
    for kind, i in (("gp", 3), ("gp", 7), ("sup", 1), ("sup", 5)):
        made[f"{kind} {i}"] = path_of_set(sets[kind][i], days=2.0, step_s=60.0)
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    place = header.split(",").index("NORAD_CAT_ID")
    rows = {int(line.split(",")[place]): line for line in records}
    for name, number, step_s in (
        ("geo", GEO, 600.0), ("gps", GPS, 300.0), ("molniya", MOLNIYA, 60.0), ("polar", POLAR, 60.0),
    ):  # fmt: skip
        elements = parse_catalogue(f"{header}\n{rows[number]}\n".encode()).elements
        made[name] = path_of_set(elements, days=2.0, step_s=step_s)
    return made


def states_of(lines: list[str]) -> list[int]:
    """Return the places of the states."""
    end = next((i for i, line in enumerate(lines) if line.startswith("COVARIANCE_START")), len(lines))
    return [i for i, line in enumerate(lines[:end]) if _STATE.match(line)]


def short(lines: list[str]) -> Fault:
    """It ends after a day."""
    places = states_of(lines)
    first = _time(lines[places[0]])
    late = {i for i in places if _time(lines[i]) > first + timedelta(days=1)}
    return Fault(_without(lines, late), "span", places[0] + 1)


def coarse(lines: list[str]) -> Fault:
    """One state of some is left, so few that a revolution has eighteen."""
    places = states_of(lines)
    turn = _turns_each_step(lines, places)
    every = int(np.ceil(1.0 / (18.0 * turn)))
    return Fault(_without(lines, set(places) - set(places[::every])), "step", None)


def gap(lines: list[str]) -> Fault:
    """Four states are missing."""
    places = states_of(lines)
    i = len(places) // 2
    return Fault(_without(lines, set(places[i : i + 4])), "gap", places[i - 1] + 1)


def jump(lines: list[str]) -> Fault:
    """From the middle on all is two seconds early: it goes on 6 to 20 km ahead."""
    places = states_of(lines)
    i = len(places) // 2
    first = _time(lines[places[i]])
    behind = {j for j, line in enumerate(lines) if (at := _epoch(line)) is not None and at >= first}
    return Fault(_shifted(lines, -2.0, behind), "jump", places[i] + 1)


def stray(lines: list[str]) -> Fault:
    """One state is 5 km beside the others."""
    at = states_of(lines)[len(states_of(lines)) // 2]
    return Fault(_added(lines, at, 0, 5.0), "jump", at + 1)


def velocity(lines: list[str]) -> Fault:
    """One velocity is off by 50 m/s."""
    at = states_of(lines)[len(states_of(lines)) // 2]
    return Fault(_added(lines, at, 3, 0.05), "velocity", at + 1)


def frame(lines: list[str]) -> Fault:
    """It says that its frame turns with the Earth: then it is elsewhere, and falls as nothing does."""
    said = [re.sub(r"^(REF_FRAME *=).*", r"\1 ITRF", line) for line in lines]
    return Fault(said, "departure", states_of(lines)[0] + 1, ("velocity",))


def time_system(lines: list[str]) -> Fault:
    """It says that its times are of TAI, 37 s off."""
    said = [re.sub(r"^(TIME_SYSTEM *=).*", r"\1 TAI", line) for line in lines]
    return Fault(said, "departure", states_of(lines)[0] + 1)


def martian(lines: list[str]) -> Fault:
    """Its time system is none that is known."""
    said = [re.sub(r"^(TIME_SYSTEM *=).*", r"\1 MRT", line) for line in lines]
    at = next(i for i, line in enumerate(said) if line.startswith("TIME_SYSTEM"))
    return Fault(said, "time_system", at + 1)


def half_covered(lines: list[str]) -> Fault:
    """The second half has no covariance."""
    begins = [i for i, line in enumerate(lines) if line.startswith("EPOCH")]
    stop = next(i for i, line in enumerate(lines) if line.startswith("COVARIANCE_STOP"))
    cut = begins[len(begins) // 2]
    last = _epoch(lines[begins[len(begins) // 2 - 1]])
    assert last is not None
    first = next(i for i in states_of(lines) if _time(lines[i]) > last)
    return Fault(_without(lines, set(range(cut, stop))), "covariance", first + 1)


def impossible(lines: list[str]) -> Fault:
    """One variance is negative."""
    begins = [i for i, line in enumerate(lines) if line.startswith("EPOCH")]
    at = begins[len(begins) // 2]
    first = next(i for i in range(at + 1, len(lines)) if re.match(r"^[-+\d]", lines[i]))
    return Fault(_replaced(lines, first, f"-{lines[first].lstrip('+')}"), "covariance_definite", at + 1)


def in_square_metres(lines: list[str]) -> Fault:
    """Its covariances are in m2 instead of km2."""
    inside, scaled = False, []
    for line in lines:
        inside = line.startswith("COVARIANCE_START") or (inside and not line.startswith("COVARIANCE_STOP"))
        numbers = inside and re.match(r"^[-+\d]", line)
        scaled.append(" ".join(f"{float(x) * 1e6:.12e}" for x in line.split()) if numbers else line)
    return Fault(scaled, "covariance_size", states_of(lines)[0] + 1)


def late(lines: list[str]) -> Fault:
    """All its times are ten minutes later."""
    return Fault(_shifted(lines, 600.0, set(range(len(lines)))), "departure", states_of(lines)[0] + 1)


def low(lines: list[str]) -> Fault:
    """A like orbit that comes down to 85 km: by Kepler's third law, with shorter times."""
    places = states_of(lines)
    first = _time(lines[places[0]])
    radii = [np.linalg.norm(_numbers(lines[i])[:3]) for i in places]
    factor = (6375.0 + 85.0) / min(radii)
    scaled = list(lines)
    for i in places:
        numbers = _numbers(lines[i])
        numbers[:3] *= factor
        numbers[3:6] /= np.sqrt(factor)
        at = first + (_time(lines[i]) - first) * factor**1.5
        scaled[i] = f"{at.isoformat(timespec='microseconds')} " + " ".join(f"{x:.12g}" for x in numbers)
    return Fault(_without_covariances(scaled), "altitude", None, ("covariance", "object"))


def torn(lines: list[str]) -> Fault:
    """One number is none."""
    at = states_of(lines)[len(states_of(lines)) // 2]
    return Fault(_replaced(lines, at, re.sub(r"\d$", "x", lines[at])), "readable", at + 1)


def _without_covariances(lines: list[str]) -> list[str]:
    begin = next(i for i, line in enumerate(lines) if line.startswith("COVARIANCE_START"))
    end = next(i for i, line in enumerate(lines) if line.startswith("COVARIANCE_STOP"))
    return lines[:begin] + lines[end + 1 :]


def _time(line: str) -> datetime:
    match = _STATE.match(line)
    assert match is not None, line
    return datetime.fromisoformat(match[1])


def _epoch(line: str) -> datetime | None:
    """Return the time of a state or of a covariance."""
    match = re.match(r"^(?:EPOCH *= *)?(\d{4}-\d\d-\d\dT[\d:.]+)", line)
    return None if match is None else datetime.fromisoformat(match[1])


def _numbers(line: str) -> FloatArray:
    return np.array(line.split()[1:], float)


def _replaced(lines: list[str], at: int, line: str) -> list[str]:
    return [*lines[:at], line, *lines[at + 1 :]]


def _without(lines: list[str], places: set[int]) -> list[str]:
    return [line for i, line in enumerate(lines) if i not in places]


def _added(lines: list[str], at: int, column: int, by: float) -> list[str]:
    numbers = _numbers(lines[at])
    numbers[column] += by
    return _replaced(lines, at, f"{lines[at].split()[0]} " + " ".join(f"{x:.12g}" for x in numbers))


def _shifted(lines: list[str], seconds: float, places: set[int]) -> list[str]:
    """Return lines of which some have later times; they are of states, covariances or the heading."""

    def later(found: re.Match[str]) -> str:
        at = datetime.fromisoformat(found[0]) + timedelta(seconds=seconds)
        return at.isoformat(timespec="microseconds")

    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?"
    return [re.sub(time, later, line) if i in places else line for i, line in enumerate(lines)]


def _turns_each_step(lines: list[str], places: list[int]) -> float:
    numbers = _numbers(lines[places[0]])
    r_km, v_km_s = numbers[:3], numbers[3:6]
    inverse = 2.0 / np.linalg.norm(r_km) - v_km_s @ v_km_s / 398600.4418
    period_s = 2.0 * np.pi / np.sqrt(398600.4418 * inverse**3)
    step_s = (_time(lines[places[1]]) - _time(lines[places[0]])).total_seconds()
    return float(step_s / period_s)


def _read(path: Path) -> Ephemeris:
    (found,) = read_ephemerides(path.read_bytes(), path.name)
    return found.ephemeris


def _pairs(path: Path) -> list[ElementArray]:
    lines = path.read_text().splitlines()
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return [parse_catalogue("\n".join(pair).encode()).elements for pair in pairs]


def _first(one: Ephemeris, days: float) -> Ephemeris:
    (whole,) = one.segments
    end = whole.epochs[0] + np.timedelta64(round(days * SECONDS_PER_DAY), "s")
    count = int(np.searchsorted(whole.epochs, end, side="right"))
    segment = whole._replace(
        epochs=whole.epochs[:count], r_teme_km=whole.r_teme_km[:count], usable_to=whole.epochs[count - 1]
    )
    return one._replace(segments=(segment,))


def path_of_set(elements: ElementArray, *, days: float, step_s: float, every: int = 8) -> Base:
    """Return the path of an element set, with a covariance at each, or at every second, third ... state."""
    (epoch,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    span = window(epoch.astype("M8[m]").astype("M8[us]"), days * 24.0)
    times_s = np.arange(0.0, days * SECONDS_PER_DAY + 1.0, step_s)
    _, r_km, _ = Propagator(elements, span).on_grid(times_s)
    segment = segment_of(span, times_s, r_km[:, :, 0])
    one = Ephemeris(int(elements["norad_id"][0]), "X", "2020-001A", (segment,))
    return _base(one, elements, every)


def _base(one: Ephemeris, elements: ElementArray, every: int = 8) -> Base:
    """Return it with velocities from its positions: SGP4's own are 1 m/s off them in deep space."""
    (segment,) = one.segments
    v_km_s = velocities_km_s(segment)
    with_errors = one._replace(segments=(segment._replace(**_errors(segment.epochs, every)),))
    created = segment.epochs[0]
    text = write_oem(with_errors, [v_km_s], "kvn", frame="EME2000", originator="TESTS", created=created)
    return Base(text.splitlines(), elements)


def _errors(epochs: UtcArray, every: int) -> dict[str, FloatArray | UtcArray]:
    """Return covariances at some states and the last, growing in time."""
    at = np.unique(np.append(epochs[::every], epochs[-1]))
    grown = 1.0 + (at - at[0]) / np.timedelta64(1, "D")
    return {
        "covariance_epochs": at,
        "covariance_rtn": np.einsum("k,i,ij->kij", grown**2, _SIGMA_KM**2, np.eye(6)),
    }
