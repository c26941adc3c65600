"""What figures show is what the store and the service say, read back from what was drawn."""

import io
import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse
from PIL import Image

import skysieve
from api.answers.basis import basis_of
from api.answers.manoeuvres import Asked, what_if
from api.report.pictures.ground_track import COASTS, coasts
from screening.manoeuvre.execution import Execution
from screening.vocabulary import (
    DEFAULT_DAYS_AFTER,
    DEFAULT_DIRECTION_ERROR_DEG,
    DEFAULT_GOAL,
    DEFAULT_SIZE_ERROR,
    DEFAULT_THRESHOLD_KM,
)
from skysieve import plot
from storage.in_memory.snapshot import newest_snapshot
from storage.times import datetime64_us
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.planted_collision import MOVED, planted
from tests.api.report.paper.overlaps import boxes
from tests.storage.fleets.planted import events_of, plant_events, plant_fleet

BAND_WIDTH = 2.5  # of the lines that are bars


@pytest.fixture(scope="module")
def client(developing: Path) -> Iterator[Client]:
    with serving(developing) as found:
        yield found


@pytest.fixture(scope="module")
def events(watched: skysieve.Store) -> pd.DataFrame:
    """The events of the newest run, the most probable first."""
    return watched.conjunctions().sort_values("probability_best", ascending=False)


@pytest.fixture(scope="module")
def worst(watched: skysieve.Store, events: pd.DataFrame) -> skysieve.Event:
    return watched.event(events["event_id"].iloc[0])


def texts(figure: Figure) -> str:
    found = [text.get_text() for text in figure.texts]
    found += [text.get_text() for axes in figure.axes for text in axes.texts]
    return " ".join(found).replace("\n", " ")


def bands(axes: Axes) -> dict[float, tuple[float, float]]:
    """Return the ends of each bar by where it stands."""
    lines = [line for line in axes.lines if line.get_linewidth() == BAND_WIDTH]
    return {float(line.get_xdata(orig=False)[0]): tuple(line.get_ydata()) for line in lines}  # type: ignore[misc]


def metres_per_unit(axes: Axes) -> float:
    return 1000.0 if "(km)" in axes.get_ylabel() else 1.0


@pytest.mark.slow
def test_the_ellipses_are_those_of_the_covariances(watched: skysieve.Store, events: pd.DataFrame) -> None:
    rated = events[events["probability_method"] == "2d"].head(4)
    for event_id in rated["event_id"]:
        event = watched.event(event_id)
        axes = plot.encounter_plane(event).axes[0]
        miss_m, covariances_m2 = projected(event.row)
        unit = metres_per_unit(axes)
        found = [patch for patch in axes.patches if type(patch) is Ellipse]
        together = [one for one in found if one.get_fill()]
        alone = [one for one in found if not one.get_fill() and one.get_linestyle() != "solid"]
        drawn = [*sorted(together, key=lambda one: one.width), *alone]
        expected = [covariances_m2[0] + covariances_m2[1]] * 3 + covariances_m2
        for ellipse, covariance, sigmas in zip(drawn, expected, (1, 2, 3, 1, 1), strict=True):
            turn = np.radians(ellipse.angle)
            axis = np.array([np.cos(turn), np.sin(turn)])
            halves_m = np.array([ellipse.width, ellipse.height]) * unit / 2.0
            # Of the matrix the drawn axis is an eigenvector, and the square of its half the eigenvalue.
            np.testing.assert_allclose(covariance @ axis, axis * (halves_m[0] / sigmas) ** 2, rtol=1e-5)
            assert np.linalg.det(covariance) == pytest.approx((halves_m.prod() / sigmas**2) ** 2, rel=1e-5)
        for ellipse in together:
            assert np.multiply(ellipse.center, unit) == pytest.approx(miss_m, rel=1e-6, abs=1e-6)


def projected(row: dict[str, Any]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return miss (2,) and covariance (2, 2) of each object in the plane, from the columns of an event."""
    sides = []
    for who in ("primary", "secondary"):
        r = np.array([row[f"{who}_{axis}_km"] for axis in "xyz"]) * 1e3
        v = np.array([row[f"{who}_v{axis}_km_s"] for axis in "xyz"]) * 1e3
        radial, across = r / np.linalg.norm(r), np.cross(r, v) / np.linalg.norm(np.cross(r, v))
        axes = np.stack([radial, np.cross(across, radial), across], axis=1)
        sigmas = np.array([row[f"{who}_sigma_{axis}_m"] for axis in "rtn"])
        rt, rn, tn = (row[f"{who}_correlation_{pair}"] or 0.0 for pair in ("rt", "rn", "tn"))
        correlations = np.array([[1.0, rt, rn], [rt, 1.0, tn], [rn, tn, 1.0]])
        sides.append((r, v, axes @ (correlations * np.outer(sigmas, sigmas)) @ axes.T))
    (r, v, own), (other_r, other_v, other) = sides
    along = (other_v - v) / np.linalg.norm(other_v - v)
    up = r - (r @ along) * along
    up /= np.linalg.norm(up)
    plane = np.stack([np.cross(up, along), up])
    return plane @ (other_r - r), [plane @ one @ plane.T for one in (own, other)]


def test_a_trend_has_the_rows_of_the_history_and_the_bars_of_the_service(
    watched: skysieve.Store, worst: skysieve.Event, client: Client
) -> None:
    miss, chance = plot.trend(worst).axes
    rows = watched.history(worst.id).merge(watched.runs()[["run_id", "window_start"]], on="run_id")
    assert len(rows) == 3
    assert len(set(rows["miss_distance_m"])) == 3
    for axes, column in ((miss, "miss_distance_m"), (chance, "probability_best")):
        (marks,) = [one for one in axes.collections if isinstance(one, PathCollection)]
        days, values = np.asarray(marks.get_offsets()).T
        when = days * 86400.0  # since 1970, as matplotlib counts
        np.testing.assert_allclose(when, [one.timestamp() for one in rows["window_start"]], atol=1e-2)
        np.testing.assert_allclose(values * (metres_per_unit(axes) if axes is miss else 1.0), rows[column])
    points = client.get(f"/conjunctions/{worst.id}/trend").json()["points"]
    lowest = chance.get_ylim()[0]
    expected = [(max(one["probability_low"], lowest), one["probability_high"]) for one in points]
    np.testing.assert_allclose(list(bands(chance).values()), expected, rtol=1e-9)


@pytest.mark.slow
def test_a_decision_plot_has_the_events_of_the_run_their_bars_and_where_they_were(
    watched: skysieve.Store, events: pd.DataFrame, client: Client
) -> None:
    (axes,) = plot.decision_plot(watched).axes
    start = watched.runs()["window_start"].iloc[-1]
    shown = events[(events["probability_best"] >= 1e-10) | events["probability_best"].isna()]
    assert shown["probability_best"].isna().any()
    (marks,) = [one for one in axes.collections if isinstance(one, PathCollection)]
    hours, values = np.asarray(marks.get_offsets()).T
    known = values > min(values)
    expected = sorted(
        ((one.tca - start) / pd.Timedelta(hours=1), one.probability_best)
        for one in shown.itertuples()
        if one.probability_best == one.probability_best
    )
    drawn = sorted(zip(hours, values, strict=True))
    for point in expected:
        assert any(point == pytest.approx(other, rel=1e-9) for other in drawn), point
    assert len(drawn) == len(shown)
    assert known.sum() <= len(expected)
    sizes = {round(float(size)) for size in marks.get_sizes()}
    assert len(sizes) == len(set(shown["probability_level"]))
    lowest = axes.get_ylim()[0]
    in_plane = shown[shown["probability_method"] == "2d"]
    assert len(in_plane) == len(bands(axes)) > 3
    for one in in_plane.itertuples():
        point = client.get(f"/conjunctions/{one.event_id}/trend").json()["points"][-1]
        found = bands(axes)[
            min(bands(axes), key=lambda x: abs(x - (one.tca - start) / pd.Timedelta(hours=1)))
        ]
        ends = max(point["probability_low"], lowest), point["probability_high"]
        assert found == pytest.approx(ends, rel=1e-6)
    tails = [tuple(line.get_ydata()) for line in axes.lines if line.get_linewidth() == 0.8]
    histories = [
        tuple(rows["probability_best"])
        for event_id in shown["event_id"]
        if len(rows := watched.history(event_id).query("probability_best > 0")) > 1
    ]
    assert sorted(tails) == pytest.approx(sorted(histories))
    assert len(tails) > 3


def test_names_in_a_decision_plot_are_of_the_likeliest_and_never_collide(
    watched: skysieve.Store, events: pd.DataFrame
) -> None:
    figure = plot.decision_plot(watched)
    (axes,) = figure.axes
    written = [(text, box) for text, box in boxes(figure) if text in axes.texts]
    names = [text.get_text() for text, _ in written]
    first = events.iloc[0]
    assert f"{first['primary_name']}, {first['secondary_name']}" in names
    for place, (_, box) in enumerate(written):
        assert not box.count_overlaps([other for _, other in written[:place]])


def test_what_a_decision_plot_leaves_out_it_counts(watched: skysieve.Store, events: pd.DataFrame) -> None:
    figure = plot.decision_plot(watched, most=2)
    (marks,) = [one for one in figure.axes[0].collections if isinstance(one, PathCollection)]
    values = np.asarray(marks.get_offsets())[:, 1]
    np.testing.assert_allclose(sorted(values)[::-1], events["probability_best"].head(2))
    assert f"{len(events) - 2:,} less probable ones are not drawn" in texts(figure)


def test_an_older_run_chosen_events_and_a_run_in_memory(
    watched: skysieve.Store, events: pd.DataFrame, shared_file: Any
) -> None:
    oldest = watched.runs().iloc[0]
    figure = plot.decision_plot(watched, run=oldest["run_id"])
    assert f"Run {oldest['run_id']}, from {oldest['window_start']:%Y-%m-%d %H:%M:%S} UTC" in texts(figure)
    two = plot.decision_plot(watched, events.iloc[[0, 2]])
    (marks,) = [one for one in two.axes[0].collections if isinstance(one, PathCollection)]
    np.testing.assert_allclose(
        np.asarray(marks.get_offsets())[:, 1], events["probability_best"].iloc[[0, 2]], rtol=1e-12
    )


def test_a_fleet_has_only_its_own_events(
    watched: skysieve.Store, developing: Path, events: pd.DataFrame
) -> None:
    run_id = str(events["run_id"].iloc[0])
    chosen = [row for row in events_of(developing, run_id) if row["event_id"] == events["event_id"].iloc[0]]
    norad_id = int(str(chosen[0]["primary_norad_id"]))
    fleet = plant_fleet(developing, datetime.now(UTC), "mine & yours", [norad_id])
    plant_events(developing, run_id, fleet, chosen)
    figure = plot.decision_plot(watched, fleet="mine & yours")
    (marks,) = [one for one in figure.axes[0].collections if isinstance(one, PathCollection)]
    assert np.asarray(marks.get_offsets())[:, 1] == pytest.approx([events["probability_best"].iloc[0]])
    assert "Fleet mine & yours" in texts(figure)


@pytest.mark.slow
def test_a_run_in_memory_has_its_marks(watched: skysieve.Store, two_runs: Path) -> None:
    from skysieve.run import Run, RunFacts

    start = watched.runs()["window_start"].iloc[-1].to_pydatetime()
    tables = {"conjunctions": watched.to_arrow("conjunctions")}
    facts = RunFacts("20241101T000000Z", start, start + timedelta(days=1), 10.0, None, "")
    (of_run,) = plot.decision_plot(Run(facts, tables)).axes  # type: ignore[arg-type]
    (of_store,) = plot.decision_plot(watched).axes
    points = [
        np.asarray(one.get_offsets())
        for axes in (of_run, of_store)
        for one in axes.collections
        if isinstance(one, PathCollection)
    ]
    np.testing.assert_allclose(*points)
    assert not [line for line in of_run.lines if line.get_linewidth() == 0.8], "it has no former runs"


@pytest.mark.slow
def test_a_trade_space_is_that_of_the_search(tmp_path: Path) -> None:
    made = planted(tmp_path, historic=True)
    store = skysieve.open_store(made.store)
    rows = store.conjunctions()
    row = rows[
        (rows["miss_distance_m"] < 50) & ((rows["primary_name"] == MOVED) | (rows["secondary_name"] == MOVED))
    ]
    event = store.event(row["event_id"].iloc[0])
    moved = int(made.elements["norad_id"][made.moved])
    figure = plot.trade_space(event, norad_id=moved)
    snapshot = newest_snapshot(made.store)
    who = "primary" if event.row["primary_norad_id"] == moved else "secondary"
    asked = Asked(
        event.id,
        who,
        [],
        DEFAULT_GOAL,
        DEFAULT_DAYS_AFTER,
        DEFAULT_THRESHOLD_KM,
        Execution(DEFAULT_SIZE_ERROR, np.radians(DEFAULT_DIRECTION_ERROR_DEG)),
    )  # type: ignore[arg-type]
    expected = what_if(snapshot, basis_of(snapshot), asked, datetime.now(UTC)).found
    assert expected is not None
    (mesh,) = [one for one in figure.axes[0].collections if isinstance(one, QuadMesh)]
    drawn = np.asarray(mesh.get_array()).reshape(expected.space.probability.T.shape)
    np.testing.assert_allclose(drawn, np.clip(expected.space.probability.T, 1e-12, 1.0))
    assert MOVED in texts(figure)
    pickle.loads(pickle.dumps(figure))
    with pytest.raises(skysieve.UsageError, match=f"norad_id is 5; expected one of .*{moved}"):
        plot.trade_space(event, norad_id=5)
    fragment = next(n for n in (event.row["primary_norad_id"], event.row["secondary_norad_id"]) if n != moved)
    with pytest.raises(skysieve.InputError, match="cannot be moved"):
        plot.trade_space(event, norad_id=fragment)


def test_ground_tracks_are_those_of_the_service_and_cross_at_tca(
    worst: skysieve.Event, client: Client
) -> None:
    figure = plot.globe_track(worst)
    (axes,) = figure.axes
    geometry = client.get(f"/conjunctions/{worst.id}/geometry").json()
    at = geometry["place"]
    lines = [line for line in axes.lines if line.get_marker() == "None"]
    assert len(lines) == 2
    for line, who in zip(lines, ("primary", "secondary"), strict=True):
        orbit = geometry["orbits"][who]
        x, y = np.array(line.get_xdata()), np.array(line.get_ydata())
        drawn = np.stack([x, y], axis=1)
        assert np.nanmax(np.abs(np.diff(x))) < 180.0, "no line across the map"
        points = np.stack([orbit["longitude_deg"], orbit["latitude_deg"]], axis=1)
        for point in points[::20]:
            assert np.nanmin(np.abs(drawn - point).sum(axis=1)) < 1e-3
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    for dot in dots:  # both are there, within a hundredth of a degree
        assert dot.get_ydata()[0] == pytest.approx(at["latitude_deg"], abs=0.01)
        assert dot.get_xdata()[0] == pytest.approx(at["longitude_deg"], abs=0.05)
    names = [text.get_text() for text in axes.get_legend().get_texts()]  # type: ignore[union-attr]
    assert [name.split()[0] for name in names] == [
        str(worst.row[f"{who}_norad_id"]) for who in ("primary", "secondary")
    ]


def test_the_ground_track_of_an_object_is_its_orbit(watched: skysieve.Store, client: Client) -> None:
    norad_id = int(watched.objects()["norad_id"].iloc[0])
    at = watched.runs()["window_start"].iloc[-1].to_pydatetime() + timedelta(hours=3)
    (axes,) = plot.globe_track(watched, norad_id, at.replace(tzinfo=None)).axes
    orbit = client.get(f"/objects/{norad_id}/orbit", params={"at": at.isoformat()}).json()
    (dot,) = [line for line in axes.lines if line.get_marker() == "o"]
    middle = len(orbit["latitude_deg"]) // 2
    assert dot.get_ydata()[0] == pytest.approx(orbit["latitude_deg"][middle], abs=1e-5)
    assert dot.get_xdata()[0] == pytest.approx(orbit["longitude_deg"][middle], abs=1e-5)


def test_the_land_is_where_it_is(worst: skysieve.Event, tmp_path: Path) -> None:
    assert coasts(tmp_path / "none.json") == ()
    if not COASTS.is_file():
        pytest.skip("the page is not built")
    figure = plot.globe_track(worst)
    (axes,) = figure.axes
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=figure.dpi)
    with Image.open(stream) as picture:
        pixels = np.asarray(picture.convert("RGB"))[::-1].astype(int)

    def dry(longitude: float, latitude: float) -> bool:
        column, row = axes.transData.transform((longitude, latitude)).astype(int)
        red, green, blue = pixels[row, column]
        return bool(green > red + 2 and green > blue + 2)  # land is greenish, water and the grid are not

    # Berlin, Nairobi, Brasília, Chukotka on both sides of 180°, the South Pole.
    for place in ((13.4, 52.5), (36.8, -1.3), (-47.9, -15.8), (178.0, 67.5), (-176.0, 66.5), (7.0, -88.0)):
        assert dry(*place), place
    # The Atlantic, the Pacific at the edge, the Caspian Sea, north of Siberia.
    for place in ((-30.0, 30.0), (179.9, 30.0), (51.0, 40.5), (100.0, 82.0)):
        assert not dry(*place), place


def test_what_cannot_be_drawn_says_why(watched: skysieve.Store, worst: skysieve.Event) -> None:
    for function in (plot.encounter_plane, plot.trend, plot.trade_space):
        with pytest.raises(skysieve.UsageError, match=r"takes an Event, not a Store: store\.event\(id\)"):
            function(watched)  # type: ignore[arg-type]
    with pytest.raises(skysieve.UsageError, match="takes a Store or a Run, not a Event"):
        plot.decision_plot(worst)  # type: ignore[arg-type]
    with pytest.raises(skysieve.InputError, match="run"):
        plot.decision_plot(watched, run="20200101T000000Z")
    with pytest.raises(skysieve.UsageError, match="give one of them"):
        plot.decision_plot(watched, watched.conjunctions(), fleet=1)
    with pytest.raises(skysieve.UsageError, match="no-such"):
        plot.decision_plot(watched, fleet="no-such")
    with pytest.raises(skysieve.UsageError, match="most is 0"):
        plot.decision_plot(watched, most=0)
    with pytest.raises(skysieve.InputError, match=r"events lack event_id, primary_norad_id"):
        plot.decision_plot(watched, pd.DataFrame({"tca": []}))
    with pytest.raises(skysieve.InputError, match="No object 5 in the run"):
        plot.globe_track(watched, 5)
    with pytest.raises(skysieve.UsageError, match="go with a Store"):
        plot.globe_track(worst, 25544)
    with pytest.raises(skysieve.UsageError, match="an Event, or a Store and norad_id"):
        plot.globe_track(watched)


def test_an_event_that_lacks_what_is_drawn_says_why(watched: skysieve.Store, worst: skysieve.Event) -> None:
    event, report = watched.event(worst.id), worst._report
    trend = replace(report.trend, points=[])
    missing = dict.fromkeys(("encounter_plane", "orbits.primary", "orbits.secondary"), "No states.")
    geometry = report.geometry._replace(plane=None, primary=None, secondary=None, missing=missing)
    event._report = report._replace(trend=trend, geometry=geometry)
    for function, why in (
        (plot.encounter_plane, "No states."),
        (plot.globe_track, "No states."),
        (plot.trend, "has no trend yet"),
    ):
        with pytest.raises(skysieve.InputError, match=why):
            function(event)


def test_no_event_ahead_is_said_in_place_of_marks(watched: skysieve.Store, events: pd.DataFrame) -> None:
    figure = plot.decision_plot(watched, events.head(0))
    assert figure.axes == []
    assert "No encounter ahead" in texts(figure)


@pytest.mark.slow
def test_hostile_names_are_drawn_as_they_are(watched: skysieve.Store, worst: skysieve.Event) -> None:
    event, name = watched.event(worst.id), r"_$\frac{1}{0$ <b>&"
    report = worst._report
    event._report = report._replace(
        event=report.event._replace(primary=report.event.primary._replace(name=name))
    )
    for function in (plot.encounter_plane, plot.trend, plot.globe_track):
        figure = function(event)
        figure.draw_without_rendering()
        assert name in texts(figure)


@pytest.mark.slow
def test_figures_are_pictures_and_survive_a_pickle(watched: skysieve.Store, worst: skysieve.Event) -> None:
    figures = [plot.decision_plot(watched)]
    figures += [function(worst) for function in (plot.encounter_plane, plot.trend, plot.globe_track)]
    for figure in figures:
        assert type(figure).__module__ != "matplotlib.pyplot"
        again = pickle.loads(pickle.dumps(figure))
        for one in (figure, again):
            stream = io.BytesIO()
            one.savefig(stream, format="png")
            with Image.open(stream) as picture:
                pixels = np.asarray(picture.convert("L"))
            assert (pixels < 200).mean() > 0.005, "not blank"
        assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]


def test_hours_count_from_now_where_the_run_is_not_historic(two_runs: Path) -> None:
    store = skysieve.open_store(two_runs)
    live = not store.runs()["historic"].iloc[-1]
    figure = plot.decision_plot(store)
    (said,) = re.findall(r"from (\S+ \S+) UTC", texts(figure))
    begun = datetime64_us(datetime.fromisoformat(said).replace(tzinfo=UTC))
    start = store.runs()["window_start"].iloc[-1]
    expected = datetime.now(UTC) if live else start
    assert abs((begun - datetime64_us(expected)) / np.timedelta64(1, "s")) < 60.0
