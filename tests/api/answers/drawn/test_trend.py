"""`GET /conjunctions/{id}/trend` against rows, geometry, a plain integral, and a message by hand."""

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from api.models.trend import Trend
from storage.times import utc_datetime
from tests.api.answers.test_geometry_missing import UNSCORED, stored_analysis
from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.api.geometry_client import get
from tests.api.waiting import wait_until
from tests.made_up_run import WINDOW_START, MadeUpRun, make_run, publish
from tests.storage.messages.received import taken, text
from tests.told_events import summary

Record = dict[str, Any]
MADE = WINDOW_START - timedelta(hours=3)
# The plain integral below has 400 points, and the scale 61.
QUADRATURE, BETWEEN_SCALES = 1e-4, 2e-3


def trend(client: Client, event_id: int, **parameters: str) -> Record:
    answer = client.get(f"/conjunctions/{event_id}/trend", params=parameters)
    assert answer.status_code == 200, answer.text
    TypeAdapter(Trend).validate_json(answer.content)  # strict: no other field, no other type
    found: Record = answer.json()
    return found


def time(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.fixture(scope="module")
def dangerous(dangerous_store: Path) -> Iterator[Client]:
    with serving(dangerous_store) as client:
        yield client


@pytest.fixture(scope="module")
def trends(dangerous: Client) -> list[tuple[Record, Record]]:
    """Return each event with its trend."""
    events = dangerous.get("/conjunctions").json()["conjunctions"]
    return [(event, trend(dangerous, event["id"])) for event in events]


@pytest.mark.slow
def test_a_point_is_the_row_and_what_its_geometry_says(
    dangerous: Client, trends: list[tuple[Record, Record]]
) -> None:
    assert len(trends) > 10
    for event, found in trends:
        geometry = get(dangerous, event["id"])
        (point,) = found["points"]
        assert (point["kind"], point["run_id"]) == ("run", event["run_id"])
        same = (
            "miss_distance_m",
            "miss_radial_m",
            "miss_in_track_m",
            "miss_cross_track_m",
            "risk_level",
            "risk_basis",
            "probability_flag",
            "tca",
        )
        assert {name: point[name] for name in same} == {name: event[name] for name in same}
        covariance = np.array(geometry["encounter_rtn"]["covariance_combined_m2"])
        sigmas = [point[f"sigma_{axis}_m"] for axis in ("radial", "in_track", "cross_track")]
        np.testing.assert_allclose(sigmas, np.sqrt(np.diag(covariance)), rtol=1e-9)
        assert point["miss_sigmas"] == pytest.approx(geometry["encounter_plane"]["miss_sigmas"], rel=1e-9)
        for who in ("primary", "secondary"):
            assert point[f"{who}_age_hours"] == geometry["objects"][who]["age_hours"]
        assert point["probability"] == event["probability_best"]
        assert point["tca_shift_s"] == 0.0


def test_of_a_historic_run_the_time_is_that_of_its_window(trends: list[tuple[Record, Record]]) -> None:
    for event, found in trends:
        (point,) = found["points"]
        assert point["made"] == "2024-11-01T00:00:00Z"
        hours = (time(event["tca"]) - time(point["made"])) / timedelta(hours=1)
        assert point["hours_to_tca"] == pytest.approx(hours)


def plain_probability(plane: Record, scale: float) -> float:
    """Integrate the Gaussian over the disk on rings, from the definition."""
    spread = plane["combined"]
    covariance = np.array([[spread["xx_m2"], spread["xy_m2"]], [spread["xy_m2"], spread["yy_m2"]]]) * scale**2
    nodes, weights = np.polynomial.legendre.leggauss(20)
    radii, angles = (
        (nodes + 1) / 2 * plane["hard_body_radius_m"],
        np.linspace(0, 2 * np.pi, 20, endpoint=False),
    )
    x = radii[:, None] * np.cos(angles) - plane["miss_x_m"]
    y = radii[:, None] * np.sin(angles) - plane["miss_y_m"]
    inverse = np.linalg.inv(covariance)
    square = inverse[0, 0] * x**2 + 2 * inverse[0, 1] * x * y + inverse[1, 1] * y**2
    density = np.exp(-square / 2) / (2 * np.pi * sqrt(np.linalg.det(covariance)))
    area = weights / 2 * plane["hard_body_radius_m"] * radii * 2 * np.pi / len(angles)
    return float((density * area[:, None]).sum())


@pytest.mark.slow
def test_the_band_is_that_of_the_sigmas_where_the_plane_counts(
    dangerous: Client, trends: list[tuple[Record, Record]]
) -> None:
    bands = set()
    for event, found in trends:
        (point,) = found["points"]
        bands.add(point["band"])
        sent = point["probability_low"], point["probability_high"]
        monte_carlo = tuple(event[f"probability_mc{end}"] for end in ("", "_low", "_high"))
        assert tuple(point[f"probability_mc{end}"] for end in ("", "_low", "_high")) == monte_carlo
        if event["probability_method"] == "2d":
            assert point["band"] == "sigmas_half_to_double"
            assert sent[0] <= point["probability"] <= sent[1]
            plane = get(dangerous, event["id"])["encounter_plane"]
            assert plain_probability(plane, 1.0) == pytest.approx(event["probability_2d"], rel=QUADRATURE)
            plain = [plain_probability(plane, scale) for scale in np.geomspace(0.5, 2.0, 61)]
            plain.append(point["probability"])
            assert sent == pytest.approx((min(plain), max(plain)), rel=BETWEEN_SCALES)
        else:
            assert (point["band"], *sent) == (None, None, None)
    assert {None, "sigmas_half_to_double"} <= bands


@pytest.fixture
def made_up() -> MadeUpRun:
    return plausible(make_run())


@pytest.fixture
def served(store: Path, made_up: MadeUpRun) -> Iterator[Client]:
    publish(store, made_up)
    with serving(store) as client:
        yield client


def pair(made_up: MadeUpRun) -> tuple[str, str]:
    row = made_up.conjunctions[0]
    return str(row["primary_norad_id"]), str(row["secondary_norad_id"])


def first_event(client: Client, made_up: MadeUpRun) -> Record:
    first, second = pair(made_up)
    listed = client.get("/conjunctions", params={"norad_id": first, "limit": 1000}).json()["conjunctions"]
    return next(event for event in listed if event["secondary_norad_id"] == int(second))


def about(made_up: MadeUpRun, hours: float, **changed: Any) -> str:
    """Return a message in which the errors of the first object in-track are 300 m."""
    tca = utc_datetime(made_up.conjunctions["tca"][0]) + timedelta(seconds=2.5)
    written = text(tca=tca, made=MADE + timedelta(hours=hours), pair=pair(made_up), **changed)
    assert written.count("10000.0 [m**2]") == 2
    return written.replace("10000.0 [m**2]", "90000.0 [m**2]", 1)


def turned(written: str, made_up: MadeUpRun) -> str:
    first, second = pair(made_up)
    return written.replace(first, "@").replace(second, first).replace("@", second)


def messages_of(client: Client, event_id: int, count: int, **parameters: str) -> list[Record]:
    def points() -> list[Record]:
        found = trend(client, event_id, **parameters)["points"]
        return [point for point in found if point["kind"] == "message"]

    wait_until(lambda: len(points()) == count)
    return points()


@pytest.mark.slow
def test_a_message_counts_along_the_axes_of_the_events_primary(
    served: Client, store: Path, made_up: MadeUpRun
) -> None:
    event = first_event(served, made_up)
    taken(store, about(made_up, 1), turned(about(made_up, 2, message_id="other"), made_up))
    as_ours, other_way = messages_of(served, event["id"], 2)
    # The first object flies along y, the second along z, 1,000 m above it (their radial is x); errors of
    # 10, 100 and 20 m radial, in-track and cross-track, but 300 m in-track of the first.
    assert [as_ours[f"miss_{axis}_m"] for axis in ("radial", "in_track", "cross_track")] == pytest.approx(
        [1000.0, 0.0, 0.0], abs=1e-3
    )
    assert [as_ours[f"sigma_{axis}_m"] for axis in ("radial", "in_track", "cross_track")] == pytest.approx(
        [sqrt(100 + 100), sqrt(90_000 + 400), sqrt(400 + 10_000)]
    )
    # For the second one above is below, and its own in-track axis is the other's cross-track one.
    assert [other_way[f"miss_{axis}_m"] for axis in ("radial", "in_track", "cross_track")] == pytest.approx(
        [-1000.0, 0.0, 0.0], abs=1e-3
    )
    assert [other_way[f"sigma_{axis}_m"] for axis in ("radial", "in_track", "cross_track")] == pytest.approx(
        [sqrt(200), sqrt(10_400), sqrt(90_400)]
    )
    for point, hours in ((as_ours, 1), (other_way, 2)):
        assert point["miss_sigmas"] == pytest.approx(1000 / sqrt(200), rel=1e-6)
        assert point["tca_shift_s"] == pytest.approx(2.5)
        assert time(point["made"]) == MADE + timedelta(hours=hours)
        assert point["hours_to_tca"] == pytest.approx(
            (time(point["tca"]) - time(point["made"])).total_seconds() / 3600
        )
        assert (point["originator"], point["claimed_probability"]) == ("MADE UP", 1.5e-5)
        assert (point["primary_age_hours"], point["secondary_age_hours"], point["run_id"]) == (
            None,
            None,
            None,
        )
        assert served.get(f"/messages/{point['received_id']}").json()["message_id"] == point["message_id"]


@pytest.mark.slow
def test_points_come_oldest_first_and_restricted_ones_only_if_asked_for(
    served: Client, store: Path, made_up: MadeUpRun
) -> None:
    first, second = pair(made_up)
    event = first_event(served, made_up)
    tca = utc_datetime(made_up.conjunctions["tca"][0])
    taken(store, about(made_up, 1), about(made_up, -5, message_id="older"))
    taken(store, summary(MADE, tca, 0, SAT_1_ID=first, SAT_2_ID=second))
    messages_of(served, event["id"], 2)
    wait_until(lambda: trend(served, event["id"])["restricted_messages"] == 1)
    found = trend(served, event["id"], restricted="true")
    made = [time(point["made"]) for point in found["points"]]
    assert made == sorted(made)
    assert [point["kind"] for point in found["points"]] == ["message", "message", "message", "run"]
    assert found["restricted_messages"] == 0
    (told,) = [point for point in found["points"] if point["message_id"] == "392735348"]
    assert (told["miss_distance_m"], told["claimed_probability"]) == (886.0, 0.000173503)
    # Critical, though no probability could be computed: by the sender's claim, which is the bound.
    assert (told["risk_level"], told["risk_basis"], told["probability"]) == (
        "critical",
        "claimed",
        0.000173503,
    )
    unknown = [name for name in told if name.startswith(("sigma", "miss_", "probability", "band"))]
    assert {name for name in unknown if told[name] is not None} == {
        *("miss_distance_m", "probability", "probability_method", "probability_level"),
    }
    assert (told["probability_method"], told["probability_level"]) == ("bound", "critical")


@pytest.mark.slow
def test_an_event_that_only_a_restricted_summary_tells(
    served: Client, store: Path, made_up: MadeUpRun
) -> None:
    tca = WINDOW_START + timedelta(hours=5)
    taken(store, summary(MADE, tca, 7))

    def listed() -> list[Record]:
        asked = {"norad_id": "800000070", "restricted": "true"}
        found: list[Record] = served.get("/conjunctions", params=asked).json()["conjunctions"]
        return found

    wait_until(lambda: len(listed()) == 1)
    (event,) = listed()
    assert served.get(f"/conjunctions/{event['id']}/trend").status_code == 404
    (point,) = trend(served, event["id"], restricted="true")["points"]
    assert (point["kind"], point["claimed_probability"], point["band"]) == ("message", 0.000173503, None)


@pytest.mark.slow
def test_each_run_is_a_point(served: Client, store: Path, made_up: MadeUpRun) -> None:
    event = first_event(served, made_up)
    later = plausible(make_run(hours_later=6))
    later.conjunctions["tca"][0] += np.timedelta64(1500, "ms")
    run_id = publish(store, later)
    wait_until(lambda: served.get("/runs/current").json()["run_id"] == run_id)
    found = trend(served, event["id"])
    assert [point["run_id"] for point in found["points"]] == [event["run_id"], run_id]
    assert [point["tca_shift_s"] for point in found["points"]] == pytest.approx([-1.5, 0.0])
    first, second = (point["hours_to_tca"] for point in found["points"])
    assert first - second == pytest.approx(6.0 - 1.5 / 3600)


def test_an_analysis_on_demand_is_a_point_too(store_with_run: Path, store: Path) -> None:
    shutil.copytree(store_with_run, store)
    event_id = stored_analysis(store, origin="quick", **UNSCORED)
    with serving(store) as client:
        (point,) = trend(client, event_id)["points"]
    assert point["kind"] == "quick"
    assert [point[name] for name in ("probability", "band", "miss_sigmas", "sigma_radial_m")] == [None] * 4
    assert point["miss_radial_m"] is not None


@pytest.mark.parametrize("number", ["1", "0", "-1", str(2**60), str(10**30)])
def test_an_event_that_never_was(client: Client, number: str) -> None:
    assert client.get(f"/conjunctions/{number}/trend").status_code == 404


def test_what_is_refused(client: Client) -> None:
    assert client.get("/conjunctions/abc/trend").status_code == 422
    assert client.get("/conjunctions/1/trend", params={"points": 5}).status_code == 422
    assert client.without_credential().get("/conjunctions/1/trend").status_code == 401


@pytest.mark.sampled(20)
@pytest.mark.parametrize("place", range(0, 1000, 5))
def test_a_made_up_run_is_answered_whatever_its_numbers(client: Client, place: int) -> None:
    (event,) = client.get("/conjunctions", params={"limit": 1, "offset": place}).json()["conjunctions"]
    trend(client, event["id"])
