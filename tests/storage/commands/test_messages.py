"""`skysieve messages`: published files in, lists and originals out; what cannot be read is listed."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from tests.screening.risk.message_texts import SUMMARY
from tests.storage.commands.told import Told
from tests.storage.messages.received import text

SharedFile = Callable[[str], Path]


@pytest.fixture
def told(store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Give commands on an empty store."""
    return Told("messages", store, monkeypatch, capsys)


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """A folder with two messages, a row of Space-Track, and what is none of these."""
    folder = tmp_path / "inbox"
    (folder / "below").mkdir(parents=True)
    (folder / "one.cdm").write_text(text(message_id="1"))
    (folder / "below" / "two.kvn").write_text(text(message_id="2", pair=("11", "22")))
    (folder / "rows.json").write_text(json.dumps([SUMMARY]))
    (folder / "wrong.cdm").write_text(text(message_id="3").replace("TCA   ", "TCB   "))
    (folder / ".hidden").write_text("not looked at")
    return folder


@pytest.mark.slow
def test_a_folder_is_taken_and_what_is_refused_is_listed(told: Told, inbox: Path) -> None:
    out = told("import", inbox, code=1)
    assert out.startswith("3 new, 0 known, 1 refused; of the new, 0 about events of skysieve's runs, 0 with")
    assert "refused, message 4: Cannot read" in told.err
    assert f"{inbox}/wrong.cdm: TCA of the message is missing" in told.err
    again = json.loads(told("import", inbox, "--json", code=1))
    assert (again["new"], again["known"], again["ids"]) == (0, 3, [])
    assert [(one["number"], one["keyword"]) for one in again["refused"]] == [(4, "TCA")]
    (inbox / "wrong.cdm").unlink()
    assert told("import", inbox / "one.cdm").startswith("0 new, 1 known, 0 refused")


def test_a_path_that_is_not_there_is_refused_before_anything_is_taken(told: Told, inbox: Path) -> None:
    told("import", inbox / "one.cdm", inbox / "nothing.cdm", code=1)
    assert "nothing.cdm does not exist" in told.err
    assert json.loads(told("list", "--json")) == []


@pytest.mark.slow
def test_lists_are_filtered_and_mark_what_is_restricted(told: Told, inbox: Path) -> None:
    told("import", inbox, code=1)
    assert len(json.loads(told("list", "--json"))) == 3
    (summary,) = json.loads(told("list", "--norad-id", 3740, "--json"))
    assert summary["restricted"] is True
    (other,) = json.loads(told("list", "--event-id", summary["encounter_id"], "--json"))
    assert other == summary
    assert len(json.loads(told("list", "--originator", "made up", "--json"))) == 2
    assert json.loads(told("list", "--since", "2100-01-01", "--json")) == []
    assert len(told("list", "--limit", 2).splitlines()) == 3
    assert told("list", "--norad-id", 11).splitlines()[1].endswith("False")
    told("list", "--since", "tomorrow", code=2)


@pytest.mark.slow
def test_one_is_shown_printed_and_removed(told: Told, inbox: Path) -> None:
    told("import", inbox / "one.cdm")
    (one,) = json.loads(told("list", "--json"))
    assert json.loads(told("show", one["id"][:6], "--json")) == one
    assert "claimed_probability\t1.5e-05" in told("show", one["id"])
    assert told("show", one["id"], "--text") == text(message_id="1")
    (again,) = each_message(told("show", one["id"], "--format", "xml"))
    (first,) = each_message(text(message_id="1"))
    assert isinstance(again, ConjunctionMessage)
    assert isinstance(first, ConjunctionMessage)
    assert (again.message_id, again.tca, again.probability) == (
        first.message_id,
        first.tca,
        first.probability,
    )
    assert told("remove", one["id"][:6]) == f"{one['id']} is removed\n"
    told("show", one["id"], code=1)
    assert "There is no message" in told.err


@pytest.mark.slow
@pytest.mark.parametrize(("options", "count"), [((), 2), (("--allow-restricted",), 3)])
def test_exports_leave_restricted_ones_out_and_come_back_whole(
    told: Told, inbox: Path, tmp_path: Path, options: tuple[str, ...], count: int
) -> None:
    told("import", inbox, code=1)
    packed, table = tmp_path / "out.zip", tmp_path / "out.parquet"
    assert told("export", packed, *options) == f"{packed}: {count} messages\n"
    told("export", table, *options)
    with zipfile.ZipFile(packed) as archive:
        assert len(archive.namelist()) == count
    rows = pq.read_table(table)
    assert len(rows) == count
    assert rows["restricted"].to_pylist().count(True) == count - 2
    assert told("import", packed).startswith(f"0 new, {count} known")
    told("export", tmp_path / "out.txt", code=2)


def test_an_empty_store_has_no_messages(told: Told, tmp_path: Path) -> None:
    assert json.loads(told("list", "--json")) == []
    told("show", "0123", code=1)
    assert told("export", tmp_path / "none.zip").endswith("0 messages\n")


@pytest.mark.slow
def test_published_messages_are_listed_with_both_probabilities(told: Told, shared_file: SharedFile) -> None:
    name = "cdm/000025994_conj_000026132_20220224_100307_20220221_225515.cdm"
    told("import", shared_file(name))
    (one,) = json.loads(told("list", "--norad-id", 25994, "--json"))
    assert (one["claimed_probability"], one["claimed_as"], one["hard_body_radius_m"]) == (
        0.001213,
        "disk",
        15,
    )
    assert one["probability_2d"] == pytest.approx(0.00143, rel=1e-3)  # docs/messages.md: drag correlated
    assert one["probability_2d_unchecked"] == pytest.approx(0.001216, rel=1e-3)
