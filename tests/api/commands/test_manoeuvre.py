"""`skysieve manoeuvre`: what it says of a burn, what it finds, what it refuses."""

import json
import math
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from skysieve.command_line import app
from tests.api.commands.threatened import START, Asking, Threatened
from tests.api.conftest import Clock, serving
from tests.api.geometry_client import get

one_millisecond = timedelta(milliseconds=1)
one_metre = 1.0
# The same to the bit only without an ephemeris in between.
one_per_mille = 1e-3


@pytest.fixture
def asking(
    threatened: Threatened, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Asking:
    return Asking(threatened.store, monkeypatch, capsys)


def test_a_burn_is_shown_beside_the_event_as_it_is(asking: Asking, threatened: Threatened) -> None:
    words = ["manoeuvre", threatened.event_id, "--before", 12, "--dv-t", 0.1, "--days", 1]
    table = asking(*words)
    lines = table.splitlines()
    assert lines[0].startswith(f"{threatened.norad_id} SYNTH SSO 0032 burns")
    assert lines[2].split("\t")[:4] == ["as it is", "", "", "72"]
    assert lines[3].split("\t")[:3] == ["burn", "12.00", "0/0.1/0"]
    assert "general element set" in asking.err
    found = asking.json(*words)
    assert found["encounter"]["miss_distance_m"] == pytest.approx(threatened.miss_m, abs=0.1)
    after = found["burns"]["encounter"]
    assert lines[3].split("\t")[3] == f"{after['miss_distance_m']:,.0f}"
    assert after["probability"] < 0.02 * found["encounter"]["probability"]  # what is left are tails
    (burn,) = found["burns"]["burns"]
    assert (burn["dv_r_m_s"], burn["dv_t_m_s"], burn["dv_n_m_s"]) == (0.0, 0.1, 0.0)
    # Vis-viva for a circle: da = 2 a dv / v, with a = 7,140 km and v = 7.47 km/s.
    assert found["burns"]["semi_major_axis_change_m"] == pytest.approx(191.0, rel=0.02)
    assert found["search"] is None


def test_when_it_burns_may_be_said_as_an_instant(asking: Asking, threatened: Threatened) -> None:
    at = threatened.tca - timedelta(hours=12)
    given = ["--dv-t", 0.1, "--dv-n", -0.02, "--days", 1]
    by_hours = asking.json("manoeuvre", threatened.event_id, "--before", 12, *given)
    by_instant = asking.json("maneuver", threatened.event_id, "--burn-at", f"{at.isoformat()}Z", *given)
    assert by_hours == by_instant


@pytest.mark.slow
def test_several_burns_are_flown_together(asking: Asking, threatened: Threatened) -> None:
    """One raises the orbit, the other lowers it again: what is left is the way made in between."""
    at = f"{(threatened.tca - timedelta(hours=4)).isoformat()}Z"
    words = ["--burn", "12,0,0.1,0", "--burn", f"{at}, 0, -0.1, 0", "--days", 1]
    found = asking.json("manoeuvre", threatened.event_id, *words)["burns"]
    assert [one["dv_t_m_s"] for one in found["burns"]] == [0.1, -0.1]
    assert [one["before_tca_hours"] for one in found["burns"]] == pytest.approx([12.0, 4.0], abs=1e-6)
    assert found["dv_m_s"] == pytest.approx(0.2)
    alone = asking.json("manoeuvre", threatened.event_id, "--burn", "12,0,0.1,0", "--days", 1)
    assert abs(found["semi_major_axis_change_m"]) < 0.05 * alone["burns"]["semi_major_axis_change_m"]
    same = asking.json("manoeuvre", threatened.event_id, "--before", 12, "--dv-t", 0.1, "--days", 1)
    assert alone == same


def test_a_burn_of_zero_changes_nothing(asking: Asking, threatened: Threatened) -> None:
    found = asking.json("manoeuvre", threatened.event_id, "--before", 12, "--days", 1)
    assert found["burns"]["encounter"] == found["encounter"]
    assert found["burns"]["probability_sum"] == found["probability_sum"]
    assert all(change["before"] == change["after"] for change in found["burns"]["changes"])


class Searched(NamedTuple):
    """What one search prints and writes."""

    json: Any
    page: str


@pytest.fixture(scope="module")
def searched(threatened: Threatened, tmp_path_factory: pytest.TempPathFactory) -> Searched:
    target = tmp_path_factory.mktemp("searched") / "x.html"
    words = ["--search", "--days", 1, "--json", "--output", target, "--store", threatened.store]
    done = CliRunner().invoke(app, ["manoeuvre", *map(str, [threatened.event_id, *words])])
    assert done.exit_code == 0, done.output
    return Searched(json.loads(done.stdout), target.read_text())


@pytest.mark.slow
def test_the_cheapest_burn_keeps_what_it_promises(
    asking: Asking, threatened: Threatened, searched: Searched
) -> None:
    found = searched.json["search"]
    best = found["candidates"][found["best"]]
    assert best["encounter"]["probability"] < 1e-6
    assert best["raised"] == 0
    (burn,) = best["burns"]
    again = asking.json(
        "manoeuvre", threatened.event_id, "--burn-at", burn["at"], "--dv-t", burn["dv_t_m_s"], "--days", 1
    )
    assert again["burns"]["encounter"]["probability"] == pytest.approx(
        best["encounter"]["probability"], rel=one_per_mille
    )
    less = asking.json(
        "manoeuvre", threatened.event_id, "--burn-at", burn["at"],
        "--dv-t", 0.9 * burn["dv_t_m_s"], "--days", 1,
    )  # fmt: skip
    assert less["burns"]["encounter"]["probability"] > 1e-6
    space = found["trade_space"]
    assert (len(space["before_tca_hours"]), len(space["dv_t_m_s"])) == (60, 41)


@pytest.mark.slow
def test_the_latest_offer_is_when_the_event_says_to_decide(
    threatened: Threatened, searched: Searched
) -> None:
    """They were 17 minutes apart: half a revolution, and half an hour before TCA."""
    latest = searched.json["search"]["offers"]["waiting"][-1]
    with serving(threatened.store, Clock(START.astype(datetime).replace(tzinfo=UTC))) as client:
        trend = client.get(f"/conjunctions/{threatened.event_id}/trend?from={threatened.norad_id}").json()
    at = datetime.fromisoformat(latest["at"])
    assert f"Decide by {at.day} {at:%b %H:%M} UTC" in trend["better_data"]["next_step"]


@pytest.mark.slow
def test_offers_are_what_one_would_pick_from_the_trade_space(
    asking: Asking, threatened: Threatened, searched: Searched
) -> None:
    found = searched.json["search"]
    space, waiting = found["trade_space"], found["offers"]["waiting"]
    hours, sizes = space["before_tca_hours"], space["dv_t_m_s"]
    goal = 0.95e-6  # what is not screened keeps a margin of it
    picked: dict[float, float] = {}  # by time, the smallest size of the grid that is enough
    for time_h, chances in zip(hours, space["probability"], strict=True):
        enough = [abs(size) for size, p in zip(sizes, chances, strict=True) if p is not None and p < goal]
        if enough and time_h >= waiting[-1]["before_tca_hours"] - 1e-9:
            picked[time_h] = min(enough)
    assert waiting[-1]["before_tca_hours"] == pytest.approx(0.5 * space["revolution_hours"], rel=0.005)
    assert waiting[-1]["before_tca_hours"] == pytest.approx(min(picked), abs=1e-9)
    for time_h in picked:
        offer = next(one for one in waiting if one["before_tca_hours"] <= time_h + 1e-9)
        own = min(size for later_h, size in picked.items() if later_h <= time_h)
        # The grid is 1.44 times apart: the offer is bisected between two of its sizes.
        assert own / 1.45 < abs(offer["dv_t_m_s"]) <= own
        assert offer["probability"] < (1e-6 if offer is waiting[-1] else goal)
    latest = waiting[-1]
    checked = asking.json(
        "manoeuvre", threatened.event_id, "--burn-at", latest["at"], "--dv-t", latest["dv_t_m_s"], "--days", 1
    )
    assert checked["burns"]["encounter"]["probability"] < 1e-6
    best = found["candidates"][found["best"]]
    cheapest = found["offers"]["cheapest"]
    assert cheapest["raised"] == 0
    assert latest["raised"] == checked["burns"]["raised"]  # it was not screened
    assert latest["probability"] == pytest.approx(checked["burns"]["encounter"]["probability"], rel=1e-6)
    smallest, *between, _ = waiting
    assert smallest["raised"] is not None  # it was screened, at the size that is offered
    assert all(one["raised"] is None and "Not yet screened" in one["words"] for one in between)
    assert (cheapest["at"], cheapest["dv_t_m_s"]) == (best["burns"][0]["at"], best["burns"][0]["dv_t_m_s"])
    assert cheapest["miss_distance_m"] == best["encounter"]["miss_distance_m"]
    told = asking("manoeuvre", threatened.event_id, "--search", "--days", 1) + asking.err
    for name, one in (("Cheapest", cheapest), ("Last in time", latest)):
        assert f"{name}: {one['words']}" in told
        assert f"{name}: {one['words']}" in searched.page
        assert one["at"][:10] + " " + one["at"][11:19] in one["words"]
        assert ("against flight" if one["dv_t_m_s"] < 0 else "along flight") in one["words"]


@pytest.mark.slow
def test_the_trade_space_has_instants_and_the_miss_in_the_plane(
    threatened: Threatened, searched: Searched
) -> None:
    space = searched.json["search"]["trade_space"]
    for at, before in zip(space["at"], space["before_tca_hours"], strict=True):
        apart = datetime.fromisoformat(at[:-1]) + timedelta(hours=before) - threatened.tca
        assert abs(apart) < timedelta(milliseconds=20)
    rows = zip(space["miss_x_m"], space["miss_y_m"], space["miss_distance_m"], strict=True)
    for x_m, y_m, miss_m in rows:
        for x, y, miss in zip(x_m, y_m, miss_m, strict=True):
            if miss is not None:
                assert math.hypot(x, y) == pytest.approx(miss, rel=1e-3, abs=0.2)
    found = searched.json["search"]
    for (x, y), one in zip(found["candidate_miss_m"], found["candidates"], strict=True):
        # The whole path agrees with the flights around the event within 2 %.
        assert math.hypot(x, y) == pytest.approx(one["encounter"]["miss_distance_m"], rel=0.02)
    with serving(threatened.store) as client:
        plane = get(client, threatened.event_id)["encounter_plane"]
    assert space["miss_x_m"][0][20] == pytest.approx(plane["miss_x_m"], abs=0.3)
    assert space["miss_y_m"][0][20] == pytest.approx(plane["miss_y_m"], abs=0.3)
    assert 1.4 < space["revolution_hours"] < 1.8  # a low orbit


@pytest.mark.slow
def test_the_page_has_the_picture_and_all_candidates(searched: Searched) -> None:
    page, found = searched.page, searched.json
    assert page.startswith("<!DOCTYPE html>")
    assert "general element set" in page
    picture = page[page.index("<svg") : page.index("</svg>") + len("</svg>")]
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter()}
    assert {"svg", "path", "use"} <= names
    assert not re.search(r"(?:src|href)=.(?!#)", page), "it needs nothing from elsewhere"
    for one in found["search"]["candidates"]:
        assert f"{one['burns'][0]['before_tca_hours']:.2f}" in page
        assert f"{one['encounter']['miss_distance_m']:,.0f}" in page
    assert "Radially it would take" in page


@pytest.mark.slow
def test_the_picture_and_the_numbers_are_files_too(
    asking: Asking, threatened: Threatened, searched: Searched, tmp_path: Path
) -> None:
    for suffix in (".png", ".json"):
        target = tmp_path / f"x{suffix}"
        asking("manoeuvre", threatened.event_id, "--search", "--days", 1, "--output", target)
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG\r\n")
    assert json.loads((tmp_path / "x.json").read_text()) == searched.json


def test_a_page_of_a_burn_has_no_picture(asking: Asking, threatened: Threatened, tmp_path: Path) -> None:
    target = tmp_path / "x.html"
    asking("manoeuvre", threatened.event_id, "--before", 6, "--dv-t", 0.1, "--days", 1, "--output", target)
    assert "<svg" not in target.read_text()
    assert "0/0.1/0" in target.read_text()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--search", "--before", 1], 2, "either --search, or a burn"),
        ([], 2, "either --search, or a burn"),
        (["--before", 1, "--burn-at", "2026-01-01T03:00:00Z"], 2, "both set the time"),
        (["--burn-at", "yesterday"], 2, "is not a time"),
        (["--burn-at", "2026-01-01T23:00:00Z", "--dv-t", 1], 1, "does not change an encounter at"),
        (["--burn-at", "2025-12-01T00:00:00Z", "--dv-t", 1], 1, "is too early: burns begin at 2026-01-01"),
        (["--before", -1, "--dv-t", 1], 1, "some hours before TCA, at most 1000, not -1"),
        (["--before", "nan", "--dv-t", 1], 1, "some hours before TCA, at most 1000, not nan"),
        (["--before", 6, "--dv-t", "nan"], 1, "three finite components"),
        (["--before", 6, "--dv-t", "inf"], 1, "three finite components"),
        (["--before", 6, "--dv-t", 1000], 1, "1,000 m/s is too large: at most 100"),
        (["--before", 6, "--dv-t", 1, "--object", "secondary"], 1, "It cannot be moved: 900000495"),
        (["--before", 6, "--dv-t", 1, "--trajectory", "abc"], 1, "No trajectory in the store matches abc"),
        (["--before", 6, "--threshold-km", 0], 2, "it must be from 0.1 to 100 km"),
        (["--search", "--burn", "6,0,1,0"], 2, "either --search, or a burn"),
        (["--before", 6, "--burn", "6,0,1,0"], 2, "either --search, or a burn"),
        (["--burn", "6,0,1,0", "--dv-t", 1], 2, "--burn has its own delta-v"),
        (["--burn", "6,0,1"], 2, "expected WHEN,R,T,N"),
        (["--burn", "6,0,1,0,0"], 2, "expected WHEN,R,T,N"),
        (["--burn", "6,0,x,0"], 2, "expected WHEN,R,T,N"),
        (["--burn", ""], 2, "expected WHEN,R,T,N"),
        (["--burn", "soon,0,1,0"], 2, "is not a time"),
        (["--burn", "nan,0,1,0"], 1, "some hours before TCA, at most 1000, not nan"),
        (["--burn", "6,0,nan,0"], 1, "three finite components"),
        (["--burn", "6,0,1,0"] * 2, 1, "Two burns are at"),
        (["--burn", "6,0,1,0"] * 11, 2, "is given 11 times; at most 10"),
        (["--search", "--goal", 0.5], 1, "no burn is needed"),
        (["--before", 6, "--dv-t", 1, "--not-before", "soon"], 2, "--not-before 'soon' is not a time"),
        (
            ["--before", 6, "--dv-t", 1, "--not-before", "2026-01-01T20:00:00Z"],
            1,
            "burns begin at 2026-01-01T20",
        ),
        (["--search", "--not-before", "2026-01-03T00:00:00Z"], 1, "is not before TCA"),
        (["--search", "--goal", "nan"], 2, "--goal"),
        (["--search", "--output", "x.pdf"], 2, ".html, .json, .png"),
        (["--before", 6, "--output", "x.png"], 2, "the picture of a --search"),
        (["--search", "--output", "no/such/folder/x.png"], 2, "does not exist"),
    ],
)
def test_what_cannot_be_is_refused(
    asking: Asking, threatened: Threatened, words: list[object], code: int, message: str
) -> None:
    assert asking("manoeuvre", threatened.event_id, *words, code=code) == ""
    assert message in " ".join(asking.err.split())


def test_an_event_that_is_not_there_or_in_which_nobody_moves(asking: Asking, threatened: Threatened) -> None:
    asking("manoeuvre", 4711, "--search", code=1)
    assert "no event 4711" in asking.err
    asking("manoeuvre", threatened.nobody_moves, "--search", code=1)
    assert "(a rocket body)" in asking.err
    assert "(debris)" in asking.err


def events_of(rows: list[dict[str, Any]], other: str) -> list[tuple[int, datetime, float]]:
    return sorted((row[other], datetime.fromisoformat(row["tca"]), row["miss_distance_m"]) for row in rows)


@pytest.mark.slow
def test_the_path_with_a_burn_comes_back_as_a_trajectory(
    asking: Asking, threatened: Threatened, tmp_path: Path
) -> None:
    """What `manoeuvre` computes inside is what anybody finds on the path that is written."""
    at, back = (f"{(threatened.tca - timedelta(hours=hours)).isoformat()}Z" for hours in (6, 3))
    burn = ["--burn", f"{at},-0.1,0.3,0", "--burn", f"{back},0,-0.1,0"]
    path = tmp_path / "burnt.oem"
    asking(
        "ephemeris", threatened.norad_id, *burn, "--start", f"{START}Z", "--hours", 45.42895, "--output", path
    )
    assert [text in path.read_text() for text in (f"burn at {at}", f"burn at {back}")] == [True, True]
    added = asking.json("trajectories", "add", path, "--kind", "hypothetical")
    wide = ["--threshold-km", 50]
    answer = asking.json("analyze", "--trajectory", added["id"], "--hours", 45.42895, *wide)
    found = asking.json("manoeuvre", threatened.event_id, *burn, "--days", 1, *wide)
    listed = [one["after"] for one in found["burns"]["changes"] if one["after"] is not None]
    assert any(one["before"] != one["after"] for one in found["burns"]["changes"])
    expected = events_of(listed, "other_norad_id")
    assert len(expected) > 5
    theirs = [
        row | {"other": row["secondary_norad_id"] + row["primary_norad_id"] - threatened.norad_id}
        for row in answer["events"]
    ]
    for one, other in zip(expected, events_of(theirs, "other"), strict=True):
        assert one[0] == other[0]
        assert abs(one[1] - other[1]) < one_millisecond
        assert abs(one[2] - other[2]) < one_metre


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--burn", "2026-01-01T03:00:00Z"], 2, "expected WHEN,R,T,N"),
        (["--burn", "2026-01-03T03:00:00Z,0,1,0"], 2, "is outside the path"),
        (["--burn", "2026-01-03T03:00:00Z,0,1,0", "--format", "opm-kvn", "--mass", 9], 2, "is outside the"),
        (["--burn", "2026-01-01T03:00:00Z,0,1,0", "--format", "opm-kvn"], 2, "the spacecraft's mass"),
        (["--burn", "never,0,1,0"], 2, "is not a time"),
        (["--burn", "2026-01-01T03:00:00Z,0,1000,0"], 1, "is too large"),
        (["--burn", "2026-01-01T03:00:00Z,0,nan,0"], 1, "three finite components"),
    ],
)
def test_a_path_with_an_impossible_burn_is_refused(
    asking: Asking, threatened: Threatened, words: list[object], code: int, message: str
) -> None:
    start = ["--start", f"{START}Z"]
    assert asking("ephemeris", threatened.norad_id, *start, *words, code=code) == ""
    assert message in " ".join(asking.err.split())


def test_before_the_burn_the_path_is_as_it_was(asking: Asking, threatened: Threatened) -> None:
    words = ["ephemeris", threatened.norad_id, "--start", f"{START}Z", "--hours", 6, "--format", "csv"]
    plain = asking(*words).splitlines()
    burnt = asking(*words, "--burn", "2026-01-01T03:00:00Z,0,0.5,0").splitlines()
    assert burnt[:182] == plain[:182]  # heading and 181 states
    assert [line.rpartition(",")[2] for line in burnt[182:]] == ["burn"] * 181
    last = [list(map(float, lines[-1].split(",")[1:4])) for lines in (plain, burnt)]
    apart_km = math.dist(*last)
    # Clohessy & Wiltshire 1960, on a circle of that radius.
    dv_km_s, t = 0.5e-3, 3 * 3600.0
    n = math.sqrt(398600.4418 / math.hypot(*last[0]) ** 3)
    expected = math.hypot(2 / n * (1 - math.cos(n * t)), 4 / n * math.sin(n * t) - 3 * t) * dv_km_s
    assert apart_km == pytest.approx(expected, rel=0.02)
