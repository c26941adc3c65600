"""Imports of real and made-up histories: counted independently, idempotent, safe whenever they are killed."""

import csv
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sgp4.api import Satrec

from screening.errors import SkysieveError
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from storage.analyst_file.tables_and_views import element_history
from storage.disk.connections import in_memory
from storage.disk.current import NOTHING_EXPIRED
from storage.histories import incoming
from storage.histories.incoming import Imported, import_histories
from storage.reading.newest_run import connect
from storage.writing.retention import Retention, compact
from tests.storage.conftest import Factories
from tests.storage.histories.made_up import Set, history, seen_table, tle

SharedFile = Callable[[str], Path]
NOW = datetime(2026, 11, 26, tzinfo=UTC)
PUBLISHED = "history/published/celestrak_202605_even.csv.gz"


def take(store: Path, *paths: Path) -> Imported:
    return import_histories(store, paths, NOW)


def rows(store: Path, columns: str = "*") -> list[tuple[object, ...]]:
    """Return the history's rows as a store without a run shows them."""
    with in_memory() as connection:
        history_of = element_history(store, NOTHING_EXPIRED)
        return connection.execute(f"SELECT {columns} FROM ({history_of}) ORDER BY ALL").fetchall()


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def as_rows(sets: list[Set]) -> list[tuple[object, ...]]:
    return sorted((one.norad_id, one.epoch, one.seen) for one in sets)


# Epochs of two-line sets have steps of 0.9 ms.
SEEN = ", ".join(
    (
        "norad_id",
        *(f"date_trunc('second', {name} + INTERVAL 500 MILLISECOND)" for name in ("epoch", "first_seen")),
    )
)


@pytest.mark.slow
def test_published_sets_against_python_s_own_reader(store: Path, shared_file: SharedFile) -> None:
    path = shared_file(PUBLISHED)
    began = time.process_time()
    imported = take(store, path)
    most_cpu_s = 10.0
    assert time.process_time() - began < most_cpu_s
    first: dict[tuple[str, str, str], str] = {}
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            first.setdefault((row["norad_id"], row["line1"], row["line2"]), row["seen"])
    assert (imported.new, imported.known, imported.skipped, imported.unreadable) == (len(first), 0, [], [])
    expected = sorted(
        (int(key[0]), datetime.fromisoformat(seen).replace(tzinfo=None)) for key, seen in first.items()
    )
    assert rows(store, "norad_id, first_seen") == expected
    assert imported.backwards == 2032  # by pandas: sorted by object and `seen`, the epoch falls


@pytest.mark.parametrize("most", [1, pytest.param(None, marks=pytest.mark.slow)], ids=["first", "all"])
def test_catalogues_became_known_when_their_names_and_newest_epochs_say(
    store: Path, shared_file: SharedFile, most: int | None
) -> None:
    paths = sorted(shared_file("history/catalogues").iterdir())[:most]
    imported = take(store, *paths)
    numbers = "satnum jdsatepoch jdsatepochF no_kozai ecco inclo nodeo argpo mo bstar ndot nddot elnum revnum"
    sets = {  # the same numbers are written in several ways
        tuple(getattr(Satrec.twoline2rv(first, second), name) for name in numbers.split())
        for path in paths
        for text in [gzip.decompress(path.read_bytes()).decode().split("\n")]
        for first, second in zip(text[1::3], text[2::3], strict=False)
    }
    assert imported.new == len(sets)
    days = rows(store, "DISTINCT date_trunc('day', first_seen)")
    dates = [datetime.fromisoformat(path.name[:8]) for path in paths]
    assert [day for (day,) in days] == dates


def test_an_import_twice_adds_nothing_and_the_earlier_time_wins(store: Path, tmp_path: Path) -> None:
    sets = history(30, 4)
    path = written(tmp_path, "sets.csv", seen_table(sets))
    assert take(store, path, path)[:3] == (120, 120, 0)
    written_once = sorted(store.glob("elements/imported-*"))
    assert take(store, path)[:3] == (0, 120, 0)
    assert sorted(store.glob("elements/imported-*")) == written_once, "no set is kept twice"
    assert rows(store, SEEN) == as_rows(sets)
    later = [one._replace(seen=one.seen + timedelta(hours=1)) for one in sets]
    assert take(store, written(tmp_path, "later.csv", seen_table(later)))[:3] == (0, 120, 0)
    assert rows(store, SEEN) == as_rows(sets)
    sooner = [one._replace(seen=one.seen - timedelta(hours=1)) for one in sets[:50]]
    assert take(store, written(tmp_path, "sooner.csv", seen_table(sooner)))[:3] == (0, 50, 50)
    assert rows(store, SEEN) == as_rows([*sooner, *sets[50:]])


def test_without_times_a_history_is_known_at_its_epochs(store: Path, tmp_path: Path) -> None:
    sets = history(3, 5)
    take(store, written(tmp_path, "20260509.tle", tle(sets)))
    assert rows(store, SEEN) == as_rows([one._replace(seen=one.epoch) for one in sets])


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gp.tle", datetime.fromisoformat("2026-05-01T00:29:00")),  # the newest epoch
        ("gp_20260501.tle", datetime.fromisoformat("2026-05-01T00:29:00")),  # on that day
        ("gp_2026-05-02.tle", datetime.fromisoformat("2026-05-02")),  # the day after
        ("gp_20260501T0730.tle", datetime.fromisoformat("2026-05-01T07:30:00")),
        ("gp_20200101.tle", datetime.fromisoformat("2026-05-01T00:29:00")),  # not its date
    ],
)
def test_a_catalogue_is_known_at_the_date_in_its_name(
    store: Path, tmp_path: Path, name: str, known: datetime
) -> None:
    take(store, written(tmp_path, name, tle(history(30, 1))))
    ((found,),) = rows(store, "DISTINCT first_seen")
    assert isinstance(found, datetime)
    assert abs(found - known) <= timedelta(minutes=1)  # the 99th percentile is between two epochs


def test_space_track_s_history_is_known_at_its_creation(store: Path, tmp_path: Path) -> None:
    record = {
        "NORAD_CAT_ID": "25544",
        "OBJECT_NAME": "ISS (ZARYA)",
        "OBJECT_ID": "1998-067A",
        "EPOCH": "2020-01-03T05:18:26.000000",
        "CREATION_DATE": "2020-01-03T14:46:12",
        "MEAN_MOTION": "15.49530714",
        "ECCENTRICITY": "0.00051790",
        "INCLINATION": "51.6441",
        "RA_OF_ASC_NODE": "105.4203",
        "ARG_OF_PERICENTER": "93.4612",
        "MEAN_ANOMALY": "5.9234",
        "BSTAR": "0.00002100000000",
        "GP_ID": "1",
        "DECAY_DATE": None,
    }
    other = record | {"EPOCH": "2020-01-03T10:18:26.000000", "CREATION_DATE": None}
    take(store, written(tmp_path, "history.json", json.dumps([record, other])))
    assert rows(store, SEEN) == [
        (25544, datetime.fromisoformat("2020-01-03T05:18:26"), datetime.fromisoformat("2020-01-03T14:46:12")),
        (25544, datetime.fromisoformat("2020-01-03T10:18:26"), datetime.fromisoformat("2020-01-03T10:18:26")),
    ]


def test_a_set_of_a_run_keeps_its_run_and_the_earlier_time(published: Path, make: Factories) -> None:
    """An import must neither hide that a run had a set, nor be hidden when the run's sets expire."""
    of_run = rows(published, "norad_id, run_id, first_seen, content_hash")
    elements = make.run().elements
    path = published.parent / "gp.csv"
    with path.open("w") as file:
        write_omm_csv(elements, file)
    assert take(published, path)[:2] == (0, len(elements))
    assert rows(published, "norad_id, run_id, content_hash") == [one[:2] + one[3:] for one in of_run]
    with connect(published) as connection:
        shown = connection.execute("SELECT count(*) FROM element_history").fetchone()
    assert shown == (len(of_run),)
    with in_memory() as connection:
        expired = NOTHING_EXPIRED._replace(elements_from="29991231T000000Z")
        query = f"SELECT count(*) FROM ({element_history(published, expired)})"
        assert connection.execute(query).fetchone() == (len(of_run),)


@pytest.mark.slow
def test_parts_hold_the_same_as_one(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sets = history(300, 40)
    paths = [written(tmp_path, f"{k}.csv", seen_table(sets[k::3])) for k in range(3)]
    monkeypatch.setattr(incoming, "SETS_OF_A_PART", 5000)
    assert take(store, *paths, *paths)[:2] == (12_000, 12_000)
    assert len(list(store.glob("elements/imported-2*.parquet"))) > 1
    assert rows(store, SEEN) == as_rows(sets)


@pytest.mark.processes
@pytest.mark.slow
def test_an_import_killed_at_twenty_moments_is_continued(tmp_path: Path, repository: Path) -> None:
    """Killed just before a file is made, renamed or removed: what is there is whole, and nothing is twice."""
    sets = history(300, 40)
    paths = [written(tmp_path, f"{k}.csv", seen_table(sets[k::3])) for k in range(3)]

    def run(store: Path, die_at: int) -> subprocess.CompletedProcess[str]:
        order = {
            "store": str(store),
            "paths": list(map(str, paths)),
            "sets_of_a_part": 2000,
            "die_at_file_event": die_at,
        }
        script = repository / "tests" / "storage" / "histories" / "import_process.py"
        return subprocess.run(
            [sys.executable, str(script), json.dumps(order)],
            env={**os.environ, "PYTHONPATH": str(repository)},
            capture_output=True,
            text=True,
            check=False,
        )

    events = int(run(tmp_path / "whole", 0).stdout)
    assert events > 40
    died = 0
    for moment in range(20):
        store = tmp_path / f"store{moment}"
        died += run(store, 1 + moment * events // 20).returncode != 0
        before = len(rows(store, SEEN)) if list(store.glob("elements/imported-0.parquet")) else 0
        again = take(store, *paths)
        assert (again.new, again.known) == (len(sets) - before, before)
        assert rows(store, SEEN) == as_rows(sets)
        assert not list(store.glob("elements/*.new"))
    assert died == 20


def test_a_damaged_file_of_the_store_is_named(store: Path, tmp_path: Path) -> None:
    path = written(tmp_path, "sets.csv", seen_table(history(200, 10)))
    take(store, path)
    (part,) = store.glob("elements/imported-2*.parquet")
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    with pytest.raises(SkysieveError, match=part.name):
        take(store, path)


@pytest.mark.slow
def test_expiry_frees_what_runs_had_and_no_imported_set(
    published: Path, make: Factories, tmp_path: Path
) -> None:
    sets = history(30, 4)
    take(published, written(tmp_path, "sets.csv", seen_table(sets)))
    for days in (200, 201, 202):
        later = make.run(hours_later=24 * days)
        later.elements["mean_anomaly_deg"] += days * 1e-9
        make.publish(published, later)
        kept = Retention(timedelta(days=30), timedelta(days=90))
        compact(published, later.run.started + timedelta(hours=1), kept)
    assert not [one for one in rows(published, "run_id") if one == ("20261121T060000Z",)]
    with connect(published) as connection:
        shown = connection.execute(f"SELECT {SEEN} FROM element_history WHERE run_id IS NULL ORDER BY ALL")
        assert shown.fetchall() == as_rows(sets)
