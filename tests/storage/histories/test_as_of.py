"""The catalogue of a past time has, of each object, what an independent reading of the same table has."""

import csv
import gzip
import io
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sgp4.api import Satrec
from typer.testing import CliRunner

from screening.errors import InputError, StoreError
from skysieve.command_line import app
from storage.histories.as_of import catalogue_at
from storage.histories.incoming import import_histories
from storage.reading.newest_run import connect
from tests.made_up_run import make_run, publish
from tests.storage.histories.made_up import history, seen_table

NOW = datetime(2026, 11, 26, tzinfo=UTC)
EPOCHS_AGREE_DAYS = 1e-9  # rounding; the text has 1e-8


def published(shared_file: Callable[[str], Path], tmp_path: Path) -> tuple[list[dict[str, str]], Path]:
    """Return every twentieth object of the published week, and a table of these."""
    text = gzip.decompress(
        shared_file("history/published/celestrak_202605_even.csv.gz").read_bytes()
    ).decode()
    rows = [row for row in csv.DictReader(io.StringIO(text)) if int(row["norad_id"]) % 40 == 0]
    path = tmp_path / "week.csv"
    with path.open("w", newline="") as stream:
        table = csv.DictWriter(stream, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return rows, path


@pytest.mark.parametrize("hours", [6, 60, 160])
def test_each_object_has_the_set_that_was_published_last(
    shared_file: Callable[[str], Path], store: Path, tmp_path: Path, hours: int
) -> None:
    rows, path = published(shared_file, tmp_path)
    import_histories(store, [path], NOW)
    as_of = datetime(2026, 5, 24, tzinfo=UTC) + timedelta(hours=hours)
    last: dict[int, tuple[datetime, float]] = {}
    for row in rows:
        seen = datetime.fromisoformat(row["seen"])
        one = Satrec.twoline2rv(row["line1"], row["line2"])
        if seen <= as_of:
            found = (seen, one.jdsatepoch + one.jdsatepochF)
            last[int(row["norad_id"])] = max(last.get(int(row["norad_id"]), found), found)
    elements = catalogue_at(store, as_of)
    assert len(last) > 50
    assert elements["norad_id"].tolist() == sorted(last)
    epochs = elements["epoch_jd"] + elements["epoch_day_fraction"]
    assert epochs == pytest.approx([last[number][1] for number in sorted(last)], abs=EPOCHS_AGREE_DAYS)


def test_before_the_first_set_there_is_no_catalogue(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "sets.csv"
    path.write_text(seen_table(history(3, 2)))
    import_histories(store, [path], NOW)
    with pytest.raises(InputError, match=r"no element set that was known at 2026-04-30T00:00:00"):
        catalogue_at(store, datetime(2026, 4, 30, tzinfo=UTC))


def test_a_replay_never_replaces_a_run_of_the_present(store: Path) -> None:
    publish(store, make_run())
    past = make_run(hours_later=-24)
    with pytest.raises(StoreError, match="a replay never replaces such a run"):
        publish(store, past._replace(run=replace(past.run, replay=True)))


@pytest.mark.slow
def test_a_replay_is_a_run_of_its_time(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "sets.csv"
    path.write_text(seen_table(history(12, 3)))
    command = CliRunner()
    assert command.invoke(app, ["history", "import", str(path), "--store", str(store)]).exit_code == 0
    asked = ["screen", "--as-of", "2026-05-01T12:00:00Z", "--hours", "1", "--store", str(store)]
    done = command.invoke(app, asked)
    assert done.exit_code == 0, done.output
    with connect(store) as connection:
        found = connection.execute("SELECT replay, window_start, objects FROM runs").fetchall()
    assert [(replay, start.isoformat()[:19], count) for replay, start, count in found] == [
        (True, "2026-05-01T12:00:00", 12)
    ]
    shown = command.invoke(app, ["history", "show", "1001", "--store", str(store)])
    assert shown.exit_code == 0
    assert shown.output.count("2026-05-01") >= 3
