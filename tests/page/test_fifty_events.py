"""Fifty events of a fleet have the same numbers wherever they stand, seen from the fleet's satellite.

Positions are recomputed from the published element sets by the library sgp4; page, service, message, e-mail
and reports are read as their readers read them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import ccsds_ndm
import duckdb
import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from typer.testing import CliRunner

from flows.alerts.bodies import Said, Sender, conjunctions
from flows.alerts.channels.letter import letter
from flows.alerts.channels.wording import wording
from flows.alerts.outbox import event_of
from screening.vocabulary import PROBABILITY_LEVELS
from skysieve.command_line import app
from storage.disk.current import read_current
from storage.fleets.events import fleet_events
from storage.rows.graded import METHOD_WORDS
from storage.state.alerts.encounters import Change, Encounter
from storage.state.alerts.outbox import Message
from storage.state.credentials import create_credential
from storage.times import parse_time, utc_rows
from tests.page.browsing import Served, Visit, visit
from tests.page.numbers_read import Published, assert_reads, lines_of, plain
from tests.page.real_store import real_store
from tests.page.serving import service
from tests.page.test_event_view import OF_THE_EVENT, assert_same, shown

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

SATELLITES, EVENTS, IN_A_REPORT = 15, 50, 20
BOTH = ("primary", "secondary")
AXES = ("radial", "in_track", "cross_track")
MISS = tuple(f"miss_{axis}_m" for axis in AXES)
LIMITS = {"critical": 1e-4, "high": 1e-5, "medium": 1e-6, "low": 0.0}
MICROSECOND = 1e-6  # TCA is stored to one
ONE_MILLIMETRE = 1e-3
Event = dict[str, Any]


class Desk(NamedTuple):
    """A tab, a client of the same service, and the store."""

    visited: Visit
    ask: httpx.Client
    store: Path
    published: Published

    def get(self, address: str) -> Any:
        return self.ask.get(address).raise_for_status().json()

    def text(self, address: str) -> str:
        return self.ask.get(address).raise_for_status().text


@pytest.fixture(scope="module")
def desk(
    browser: Browser, shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("fifty")
    store = real_store(shared_file, folder)
    with duckdb.connect(str(store / "skysieve.duckdb"), read_only=True) as connection:
        busiest = connection.execute(
            "SELECT id FROM (SELECT primary_norad_id AS id FROM events WHERE origin = 'run' UNION ALL "
            "SELECT secondary_norad_id FROM events WHERE origin = 'run') "
            f"GROUP BY id ORDER BY count(*) DESC, id LIMIT {SATELLITES}"
        ).fetchall()
    numbers = [word for (number,) in busiest for word in ("--norad-id", str(number))]
    made = CliRunner().invoke(
        app, ["fleets", "create", "mine", *numbers, "--volume", "sphere:12", "--store", str(store)]
    )
    assert made.exit_code == 0, made.output
    credential = create_credential(store, "bearer", "desk", datetime.now(UTC), per_minute=100_000)
    headers = {"Authorization": f"Bearer {credential.secret}"}
    with (
        service(store) as url,
        httpx.Client(base_url=url, headers=headers, timeout=120) as ask,
        visit(browser, Served(url, credential.secret)) as visited,
    ):
        yield Desk(visited, ask, store, Published(folder / "catalogue.csv"))


@pytest.fixture(scope="module")
def listed(desk: Desk) -> list[Event]:
    """Give fifty events as the fleet's list has them: its first, and others of which it has the secondary."""
    rows = desk.get("/fleets/1/conjunctions?limit=1000")["conjunctions"]
    each = list({one["id"]: one for one in reversed(rows)}.values())[::-1]
    first, rest = each[:IN_A_REPORT], each[IN_A_REPORT:]
    turned = [one for one in rest if one["fleet_norad_id"] == one["secondary_norad_id"]]
    others = turned[:: len(turned) // (EVENTS - IN_A_REPORT)]
    found = [*first, *others[: EVENTS - IN_A_REPORT]]
    assert len(found) == EVENTS
    assert len({one["fleet_norad_id"] for one in found}) > SATELLITES / 2
    assert {one["origin"] for one in found} == {"run", "fleet"}
    return found


@pytest.fixture(scope="module")
def events(desk: Desk, listed: list[Event]) -> list[Event]:
    """Give the same events one by one, each seen from the fleet's satellite."""
    return [desk.get(f"/conjunctions/{one['id']}?from={one['fleet_norad_id']}") for one in listed]


def test_they_are_those_of_the_published_element_sets(
    desk: Desk, listed: list[Event], events: list[Event]
) -> None:
    for one, event in zip(listed, events, strict=True):
        own, other = event["primary_norad_id"], event["secondary_norad_id"]
        assert own == one["fleet_norad_id"]
        met = desk.published.met(own, other, parse_time(event["tca"]))
        moved_m = met.speed_m_s * MICROSECOND
        assert abs(met.nearest_s) < 2 * MICROSECOND + ONE_MILLIMETRE / met.speed_m_s, event["id"]
        assert event["miss_distance_m"] == pytest.approx(met.miss_m, abs=moved_m)
        assert event["relative_speed_m_s"] == pytest.approx(met.speed_m_s, abs=ONE_MILLIMETRE)
        assert [event[name] for name in MISS] == pytest.approx(met.rtn_m, abs=moved_m + ONE_MILLIMETRE)
        radii = event["primary_radius_m"] + event["secondary_radius_m"]
        assert event["hard_body_radius_m"] == pytest.approx(radii)
        chance, level = event["probability_best"], event["probability_level"]
        expected = next(name for name, least in LIMITS.items() if (chance or 0.0) > least or name == "low")
        assert level == ("unknown" if chance is None else expected)


def test_lists_have_them(desk: Desk, listed: list[Event], events: list[Event]) -> None:
    whole = {one["id"]: one for one in desk.get("/conjunctions?fleet=1&limit=1000")["conjunctions"]}
    sure = {one["id"]: one for one in desk.get("/fleets/1/decision")["events"]}
    satellites = {one["norad_id"]: one for one in desk.get("/fleets/1/satellites")["satellites"]}
    for one, event in zip(listed, events, strict=True):
        sides = BOTH if one["fleet_norad_id"] == one["primary_norad_id"] else BOTH[::-1]
        for row in (one, whole[one["id"]]):
            assert_turned(row, event, sides)
        assert [1e3 * one[f"fleet_miss_{axis}_km"] for axis in AXES] == pytest.approx(
            [event[name] for name in MISS], abs=ONE_MILLIMETRE
        )
        if event["id"] in sure:
            low, high = (sure[event["id"]][f"probability_{end}"] for end in ("low", "high"))
            assert (low or 0.0) <= event["probability_best"] <= (high or 1.0)
        worst = satellites[one["fleet_norad_id"]]["worst"]
        assert PROBABILITY_LEVELS.index(worst) <= PROBABILITY_LEVELS.index(event["probability_level"])


def assert_turned(row: Event, event: Event, sides: Sequence[str]) -> None:
    """Compare a stored row with the event, whose primary and secondary are these sides of it."""
    for name, value in row.items():
        who, _, rest = name.partition("_")
        if who in sides:
            turned = BOTH[sides.index(who)]
            assert event[f"{turned}_{rest}"] == value, name
        elif name not in MISS and name in event:
            assert event[name] == value, name


def test_messages_have_them(desk: Desk, events: list[Event]) -> None:
    for event in events:
        text = desk.text(f"/conjunctions/{event['id']}/cdm?from={event['primary_norad_id']}&format=xml")
        message = ccsds_ndm.from_str(text)
        assert isinstance(message, ccsds_ndm.Cdm)
        said = message.body.relative_metadata_data
        digits = 1e-14
        assert parse_time(f"{said.tca.rstrip('Z')}Z") == parse_time(event["tca"])
        assert said.miss_distance == pytest.approx(event["miss_distance_m"], rel=digits)
        assert said.relative_speed == pytest.approx(event["relative_speed_m_s"], rel=digits)
        assert said.collision_probability == pytest.approx(event["probability_best"], rel=digits)
        relative = said.relative_state_vector
        apart = [getattr(relative, f"relative_position_{axis}") for axis in "rtn"]
        assert apart == pytest.approx([event[name] for name in MISS], abs=ONE_MILLIMETRE)
        comments = " ".join(said.comment)
        assert float(re.search(r"HBR = ([\d.]+)", comments)[1]) == pytest.approx(event["hard_body_radius_m"])  # type: ignore[index]
        assert f"LEVEL BY PROBABILITY = {event['probability_level']}" in comments
        for segment, who in zip(message.body.segments, BOTH, strict=True):
            assert int(segment.metadata.object_designator) == event[f"{who}_norad_id"]
            assert segment.metadata.object_name == event[f"{who}_name"].strip()
            matrix = segment.data.covariance_matrix
            sigmas = np.sqrt([matrix.cr_r, matrix.ct_t, matrix.cn_n])
            assert sigmas == pytest.approx([event[f"{who}_sigma_{axis}_m"] for axis in "rtn"])


def test_letters_have_them(desk: Desk, listed: list[Event], events: list[Event]) -> None:
    current = read_current(desk.store)
    assert current is not None
    rows = utc_rows(fleet_events(desk.store, current.run_id, 1))
    of = {(row["event_id"], row["norad_id"]): row for row in rows}
    for one, event in zip(listed, events, strict=True):
        row = of[one["id"], one["fleet_norad_id"]]
        now, pair = row["tca"] - timedelta(hours=8), (row["primary_norad_id"], row["secondary_norad_id"])
        entry = Encounter(
            row["event_id"], row["norad_id"], "open", row["tca"], "low", 1e-9, 0, current.run_id, pair, pair,
            event_of(row), row["event_id"],
        )  # fmt: skip
        sender = Sender(1, 1, "mine", "https://sky.example.org")
        body = conjunctions(sender, [(entry, Change("new", current.run_id, now, None), Said())], now)
        message = Message("msg_1", 1, 1, body["type"], now, now, body, "waiting", 0, None, None)
        made = letter(message, wording(body), "sky@example.org", "desk@example.org")
        parts = [part.get_content() for part in made.walk() if not part.is_multipart()]
        assert len(parts) == 2
        for said in map(plain, parts):
            assert_letter(said, event)
        assert all(f"event/{event['id']}?from={event['primary_norad_id']}" in part for part in parts)
        (told,) = body["data"]["events"]
        assert told["norad_id"] == event["primary_norad_id"]
        six_digits = 1e-5
        assert [1e3 * told[f"miss_{axis}_km"] for axis in AXES] == pytest.approx(
            [event[name] for name in MISS], rel=six_digits
        )


def assert_letter(said: str, event: Event) -> None:
    names = [f"{event[f'{who}_name'].strip()} ({event[f'{who}_norad_id']})" for who in BOTH]
    assert " and ".join(names) in said
    (apart,) = set(re.findall(r"([\d,]+) m apart", said))
    assert_reads(apart, event["miss_distance_m"], event["id"])
    (speed,) = set(re.findall(r"at ([\d,]+) m/s", said))
    assert_reads(speed, event["relative_speed_m_s"], event["id"])
    assert f"{parse_time(event['tca']):%Y-%m-%d %H:%M:%S} UTC" in said
    assert event["probability_level"] in said
    chance = re.findall(r"probability (?:of a collision is )?(?:at most )?([\d.]+e-\d+)", said)
    assert len(chance) >= 1 or event["probability_best"] is None
    for number in chance:
        assert_reads(number, event["probability_best"], event["id"])
    assert METHOD_WORDS.get(event["probability_method"] or "", "") in said


def test_reports_have_them(desk: Desk, events: list[Event]) -> None:
    for event in events:
        own = event["primary_norad_id"]
        assert_report(desk.text(f"/conjunctions/{event['id']}/report?format=html&from={own}"), event)


def assert_report(text: str, event: Event) -> None:
    text = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    words = plain(text)
    names = [event[f"{who}_name"].strip() for who in BOTH]
    numbers = [str(event[f"{who}_norad_id"]) for who in BOTH]
    at = (parse_time(event["tca"]) + timedelta(microseconds=500)).isoformat(" ", "milliseconds")[:23]
    assert f"{names[0]} and {names[1]}" in words
    assert f"Close approach of {' and '.join(numbers)} · {at} UTC · event {event['id']}" in words
    rows = {cells[0]: cells[1:] for cells in lines_of(text) if cells}
    assert rows["Closest approach (TCA)"][0] == at
    assert rows["Catalogue number"][:2] == numbers
    assert rows["Level by probability"][0] == event["probability_level"]
    for label, field in {
        "Miss distance": "miss_distance_m",
        "Relative speed": "relative_speed_m_s",
        "Miss, radial": "miss_radial_m",
        "Miss, in-track": "miss_in_track_m",
        "Miss, cross-track": "miss_cross_track_m",
        "Probability": "probability_best",
        "Probability, exact 2-D": "probability_2d",
        "Probability, largest": "probability_max",
    }.items():
        assert_reads(rows[label][0], event[field], (event["id"], label))
    of_both, of_each = (cells for cells in lines_of(text) if cells and cells[0] == "Hard-body radius")
    assert_reads(of_both[1], event["hard_body_radius_m"], event["id"])
    for side, who in enumerate(BOTH):
        assert_reads(of_each[1 + side], event[f"{who}_radius_m"], event["id"])
        for label, axis in zip(("radial", "in-track", "cross-track"), "rtn", strict=True):
            assert_reads(rows[f"σ {label}"][side], event[f"{who}_sigma_{axis}_m"], (event["id"], label))


def test_the_report_on_the_fleet_has_them(
    desk: Desk, listed: list[Event], events: list[Event], tmp_path: Path
) -> None:
    """Its articles showed an event as it is stored, from the other satellite than the list above them."""
    target = tmp_path / "mine.html"
    words = ["report", "--fleet", "mine", "--limit", str(IN_A_REPORT), "--output", str(target)]
    done = CliRunner().invoke(app, [*words, "--store", str(desk.store)])
    assert done.exit_code == 0, done.output
    text = target.read_text()
    table, *articles = text.split("<article ")
    assert len(articles) == IN_A_REPORT
    lines = {
        (int(found[1]), int(cells[2].split()[0])): cells
        for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        if (found := re.search(r"#event-(\d+)", row)) and (cells := lines_of(row)[0])
    }
    for article, one, event in zip(articles, listed, events, strict=False):
        assert_report(article, event)
        _, _, pair, _, miss, radial, cross, chance, _, level = lines[one["id"], one["fleet_norad_id"]]
        both = [f"{event[f'{who}_norad_id']} {event[f'{who}_name'].strip()}" for who in BOTH]
        assert pair == " ".join(both)
        assert_reads(miss.split()[0], event["miss_distance_m"], one["id"])
        assert_reads(miss.split()[1], event["relative_speed_m_s"] / 1e3, one["id"])
        for number, name in zip((*radial.split(), cross.split()[0]), MISS, strict=True):
            assert_reads(number, event[name], (one["id"], name))
        assert_reads(chance.removeprefix("at most ").split()[0], event["probability_best"], one["id"])
        assert level.split()[0] == event["probability_level"]


def test_the_page_has_them(desk: Desk, events: list[Event]) -> None:
    for event in events:
        own = event["primary_norad_id"]
        address = f"/conjunctions/{event['id']}/geometry?from={own}"
        sent = desk.get(address)
        page = desk.visited.open(
            f"event/{event['id']}?from={own}&tab=numbers",
            f'[data-event="{event["id"]}"] [data-object="secondary"]',
        )
        names = page.locator("h1 .object").all_inner_texts()
        for name, who in zip(names, BOTH, strict=True):
            assert name.split()[-1] == str(event[f"{who}_norad_id"])
        assert page.locator(".event-head .badge").first.inner_text() == event["probability_level"]
        assert page.locator(".strip time").get_attribute("datetime") == event["tca"]
        assert_same(shown(page, ".strip .big") + shown(page, OF_THE_EVENT), event)
        for who in BOTH:
            told = shown(page, f'[data-object="{who}"]')
            of_event = {f"sigma_{axis}_m": event[f"{who}_sigma_{axis}_m"] for axis in "rtn"}
            assert_same([one for one in told if one[0] in of_event], of_event)
            assert_same(told, sent["objects"][who])
        page.get_by_role("tab", name="Geometry").click()
        turned = shown(page, ".relative")
        assert [field for field, *_ in turned] == list(MISS)
        assert_same(turned, event)
        assert sent["encounter_plane"]["hard_body_radius_m"] == event["hard_body_radius_m"]


def test_the_lists_of_the_page_have_them(desk: Desk, listed: list[Event], events: list[Event]) -> None:
    page = desk.visited.open("fleet/1", "table.fleet-events tbody tr")
    while (button := page.locator(".list-choices button")).count():
        button.click()
    for one, event in zip(listed, events, strict=True):
        row = f'table.fleet-events tr[data-event="{one["id"]}"]'
        told = {field: (field, exact, text) for field, exact, text in shown(page, row)}
        assert_in_row(page, row, event)
        for axis, name in zip(AXES, MISS, strict=True):
            assert_reads(told[f"fleet_miss_{axis}_km"][2], event[name], (one["id"], name))
    page = desk.visited.open("events?fleet=1", ".scroller [data-id]")
    drawn = page.locator(".scroller [data-id]").evaluate_all("all => all.map(x => Number(x.dataset.id))")
    both = [event for event in events if event["id"] in drawn]
    assert len(both) >= IN_A_REPORT / 2
    for event in both:
        assert_in_row(page, f'.scroller [data-id="{event["id"]}"]', event)


def assert_in_row(page: Page, row: str, event: Event) -> None:
    wanted = {*event} - {"fragments_10cm"}  # to two digits
    assert_same([one for one in shown(page, row) if one[0] in wanted], event)
    words = page.locator(row).inner_text()
    places = [words.index(str(event[f"{who}_norad_id"])) for who in BOTH]
    assert all(first < second for first, second in pairwise(places))
    assert words.split()[0] == event["probability_level"]
    assert page.locator(f"{row} time").first.get_attribute("datetime") == event["tca"]
