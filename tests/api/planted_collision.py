"""A store with a run in which an object that can burn collides with a fragment."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import numpy as np

from api.models.responses import Problem
from flows.files.synthetic_catalogue import write_synthetic_file
from flows.runs.run import Request, prepare
from flows.sources.catalogues import Source, read_file
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import window
from screening.synthetic.inverse import elements_through, motion
from storage.reading.known_objects import known_objects
from storage.times import utc_datetime
from tests.api.client import Client
from tests.runs import screen_and_publish

EPOCH = np.datetime64("2026-11-22T00:00:00", "us")
NOW = utc_datetime(EPOCH) + timedelta(hours=1)
HOURS, TCA_S = 12.0, 10.0 * 3600.0
GOAL = 1e-6
OTHER, MOVED, STAGE, BESIDE = "FRAGMENT DEB", "MOVABLE", "STAGE R/B", "BESIDE DEB"


class Planted(NamedTuple):
    """A store with a collision, of an object that can burn with a fragment."""

    store: Path
    run_id: str
    elements: ElementArray
    moved: int  # place of the object that can burn


def crossing(element: ElementArray, turn_deg: float) -> ElementArray:
    """Give an element set that misses an object by 20 m at TCA, across its direction of flight."""
    (r_km,), (v_km_s,) = motion(element, window(EPOCH, HOURS), np.array([TCA_S]))
    up, turn = r_km / np.linalg.norm(r_km), np.radians(turn_deg)
    across = v_km_s * np.cos(turn) + np.cross(up, v_km_s) * np.sin(turn)
    beside = np.cross(v_km_s, up) / np.linalg.norm(np.cross(v_km_s, up))
    made, met = elements_through(
        element.copy(),
        window(EPOCH, HOURS),
        np.array([TCA_S]),
        (r_km + 0.02 * beside)[None],
        across[None],
    )
    assert met.all()
    return made


def planted(folder: Path, *, historic: bool) -> Planted:
    """Make the store; a stage that nobody can move meets a fragment too."""
    path = folder / "made.csv"
    write_synthetic_file(path, 200, 1, EPOCH)
    elements = read_file(path).content.elements
    low = (elements["mean_motion_rev_day"] > 13.5) & (elements["eccentricity"] < 0.02)
    moved, stage = np.flatnonzero(low & (elements["inclination_deg"] > 40.0))[[7, 9]]
    elements["name"][[moved, stage]] = MOVED, STAGE
    others = [crossing(elements[[place]], 70.0) for place in (moved, stage)]
    elements = np.concatenate([elements, *others])
    elements["name"][-2:] = OTHER, BESIDE
    elements["norad_id"][-2:] = elements["norad_id"][:-2].max() + np.array([1, 2])
    run_id = run_of(folder, elements, NOW, historic=historic)
    return Planted(folder / "store", run_id, elements, int(moved))


def run_of(folder: Path, elements: ElementArray, now: datetime, *, historic: bool) -> str:
    """Publish a run of some element sets in the store, and return its id."""
    source, store = read_file(folder / "made.csv"), folder / "store"
    content = source.content._replace(elements=elements)
    source = Source(source.name, source.sha256, content, source.decision)
    prepared = prepare(source, Request(EPOCH, HOURS, 10.0), store, now)._replace(historic=historic)
    return screen_and_publish(prepared, known_objects(store, elements), store)


def events_by_name(client: Client) -> dict[str, dict[str, Any]]:
    """Return the planted events, by the name of the object that can burn, or of the stage that cannot."""
    found = client.get("/conjunctions", params={"max_miss_m": 50}).json()["conjunctions"]
    return {
        name: event
        for name in (MOVED, STAGE)
        for event in found
        if name in (event["primary_name"], event["secondary_name"])
    }


def post(client: Client, event_id: int, **body: object) -> httpx.Response:
    """Ask what burns make of an event."""
    return client.request("POST", f"/conjunctions/{event_id}/manoeuvres", json=body)


def burn(hours: float = 6.0, dv_t_m_s: float = 0.1) -> dict[str, float]:
    """Return a burn along the track."""
    return {"before_hours": hours, "dv_t_m_s": dv_t_m_s}


def who(event: dict[str, Any], name: str) -> str:
    """Return which side of an event an object is."""
    return "primary" if event["primary_name"] == name else "secondary"


def refused(answer: httpx.Response, status: int, field: str | None, says: str) -> None:
    """Require that a request was refused with a problem that names the field and says something."""
    problem = Problem.model_validate_json(answer.content)
    assert (answer.status_code, problem.status) == (status, status)
    assert says in problem.detail
    if field is not None:
        assert [error.field for error in problem.errors or []] == [field]
