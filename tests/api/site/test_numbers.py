"""What the site says is what the store has: read from its files, against SQL on the store."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from storage.reading.newest_run import connect
from tests.api.site.conftest import EVIL, PAGED, Build

COMPARED = 100
_METRES = {"m": 1.0, "km": 1000.0, "m/s": 1.0, "km/s": 1000.0}


class Page(HTMLParser):
    """The rows of a page's tables, and its labelled values."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.rows: dict[int, list[str]] = {}
        self.values: dict[str, str] = {}
        self._row: list[str] = []
        self._text = self._label = ""
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            number = dict(attrs).get("data-id")
            self._row = self.rows.setdefault(int(number), []) if number else []
        if tag in ("td", "dt", "dd"):
            self._text = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self._row.append(self._text)
        elif tag == "dt":
            self._label = self._text
        elif tag == "dd":
            self.values[self._label] = self._text

    def handle_data(self, data: str) -> None:
        self._text += data


@pytest.fixture(scope="module")
def site(make: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a site."""
    folder = tmp_path_factory.mktemp("site")
    make(folder)
    return folder


def stored(store: Path, order: str) -> list[dict[str, Any]]:
    """Return the events of the run in an order, straight from the store."""
    with connect(store) as connection:
        found = connection.execute(
            "SELECT event_id, epoch_us(tca) AS tca_us, primary_norad_id, secondary_norad_id, "
            "miss_distance_m, relative_speed_m_s, "
            "coalesce(probability_best, greatest(probability, probability_2d), "
            f"probability_mc) AS p, encounter, probability_level FROM conjunctions ORDER BY {order}"
        )
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def amount(text: str) -> float:
    """Read a number with its unit."""
    number, unit = text.replace(",", "").split()
    return float(number) * _METRES[unit]


@pytest.mark.parametrize(
    ("page", "order"), [("probability", "p DESC NULLS LAST"), ("distance", "miss_distance_m")]
)
def test_the_lists_have_the_numbers_of_the_store(run_store: Path, site: Path, page: str, order: str) -> None:
    rows = Page(site / f"{page}.html").rows
    events = {event["event_id"]: event for event in stored(run_store, order)}
    assert len(rows) >= COMPARED
    for number, (level, _, objects, miss, chance, speed) in rows.items():
        event = events[number]
        assert level == event["probability_level"]
        assert str(event["primary_norad_id"]) in objects
        assert str(event["secondary_norad_id"]) in objects
        assert amount(miss) == pytest.approx(event["miss_distance_m"], rel=5e-3)
        assert amount(speed) == pytest.approx(event["relative_speed_m_s"], rel=5e-3)
        if level != "unknown":
            (shown,) = re.findall(r"[0-9.]+e[+-][0-9]+", chance)
            assert float(shown) == pytest.approx(event["p"], rel=0.051)
        else:
            assert "probability" in chance
    keys = {"probability": "p", "distance": "miss_distance_m"}
    listed = [events[number][keys[page]] for number in rows]
    known = [one for one in listed if one is not None]
    assert known == sorted(known, reverse=page == "probability")
    assert listed[len(known) :] == [None] * (len(listed) - len(known))


def test_the_pages_of_events_have_the_numbers_of_the_store(run_store: Path, site: Path) -> None:
    pages = sorted((site / "events").iterdir())
    events = {event["event_id"]: event for event in stored(run_store, "event_id")}
    assert len(pages) == PAGED
    for path in pages:
        event, values = events[int(path.stem)], Page(path).values
        assert amount(values["miss distance"]) == pytest.approx(event["miss_distance_m"], rel=5e-3)
        assert amount(values["relative speed"]) == pytest.approx(event["relative_speed_m_s"], rel=5e-3)
        shown = re.findall(r"[0-9.]+e[+-][0-9]+", values["collision probability"])
        assert bool(shown) == (event["probability_level"] != "unknown")
        if shown:
            assert float(shown[0]) == pytest.approx(event["p"], rel=5.1e-3)


def test_each_object_is_found_and_has_its_events(run_store: Path, site: Path) -> None:
    names = json.loads((site / "data/search.js").read_text().partition("=")[2])
    with connect(run_store) as connection:
        known = connection.execute("SELECT norad_id, name FROM objects ORDER BY 1").fetchall()
    assert [tuple(one) for one in names] == known
    events = stored(run_store, "event_id")
    for number, _ in names:
        shard = json.loads((site / f"objects/{number % 256}.js").read_text().partition("=")[2])
        _, total, rows, *_ = shard["objects"][str(number)]
        own = [one for one in events if number in (one["primary_norad_id"], one["secondary_norad_id"])]
        assert total == len(own)
        by_time = {round(one["tca_us"] / 1e6, 1): one for one in own}
        assert len(rows) == min(total, 30)
        for seconds, other, miss_m, chance, *_ in rows:
            event = by_time[round(shard["from"] + seconds, 1)]
            assert {other, number} == {event["primary_norad_id"], event["secondary_norad_id"]}
            assert miss_m == pytest.approx(event["miss_distance_m"], abs=0.051)
            unknown = event["probability_level"] == "unknown"
            assert chance == (None if unknown else pytest.approx(event["p"], rel=5.1e-3))


def test_the_tables_have_every_event_and_no_states(
    run_store: Path, site: Path, make: Build, tmp_path: Path
) -> None:
    rows = pq.read_table(site / "data/events.parquet").to_pylist()
    events = {event["event_id"]: event for event in stored(run_store, "event_id")}
    assert len(rows) == len(events)
    for row in rows:
        event = events[row["event_id"]]
        assert row["miss_distance_m"] == event["miss_distance_m"]
        assert row["probability_level"] == event["probability_level"]
    secret = {"primary_x_km", "secondary_vz_km_s", "mean_anomaly_deg", "mean_motion_rev_day"}
    files = [*(site / "data").glob("*.parquet")]
    assert not secret & {name for path in files for name in pq.read_schema(path).names}
    make(tmp_path / "open", with_element_sets=True)
    files = [*(tmp_path / "open/data").glob("*.parquet")]
    assert secret <= {name for path in files for name in pq.read_schema(path).names}


def test_markup_in_names_is_text(site: Path) -> None:
    pages = "".join(path.read_text() for path in site.rglob("*.html"))
    assert EVIL not in pages
    assert "&lt;b id=&quot;x&quot;&gt;&amp;amp;$&lt;/b&gt;" in pages
