"""Messages are taken once, whole batches at a time, and what cannot be read is told beside what was taken."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from screening.errors import StoreError
from screening.risk.messages.read import each_message
from screening.risk.messages.score import score_message
from storage.disk.layout import MESSAGES
from storage.messages.files import MessageFile, read_files
from storage.messages.incoming import take, take_files
from storage.messages.kept import message, received
from storage.messages.refusals import NotKnown
from storage.times import utc_rows
from tests.screening.risk.message_texts import SUMMARY, to_xml
from tests.storage.messages.received import RECEIVED, TCA, taken, text


@pytest.mark.slow
def test_every_readable_published_message_is_kept_with_the_score_of_its_own(
    store: Path, shared_data: Path
) -> None:
    """The reference is the message itself, read and scored one by one."""
    files = sorted((shared_data / "cdm").glob("*.cdm"))
    assert len(files) >= 40
    done = take_files(store, read_files(files), RECEIVED)
    assert (done.new, done.refused) == (len(files), [])
    for file, each in zip(files, done.ids, strict=True):
        row = message(store, each)
        (read,) = each_message(file.read_bytes())
        score = score_message(read, read.hard_body_radius_m, 0, 0)
        for name in ("probability", "probability_2d", "probability_2d_unchecked"):
            assert row[name] == pytest.approx(getattr(score, name), nan_ok=True) or row[name] is None
        assert row["claimed_probability"] == read.probability or row["claimed_probability"] is None
        assert row["text"] == file.read_text("utf-8-sig").replace("\r\n", "\n")
        (again,) = each_message(row["text"])
        assert str(again) == str(read)
    assert len(received(store)) == len(files)


def test_a_message_is_stored_once_however_it_is_laid_out(store: Path) -> None:
    one = text(message_id="7")
    assert taken(store, one)[:2] == (1, 0)
    loose = one.replace(" = ", "    =   ").replace("\n", "  \r\n\r\n")
    for again in (one, loose, to_xml(one)):
        assert taken(store, again, hours_later=1)[:2] == (0, 1)
    assert taken(store, one, one)[:2] == (0, 2)
    assert len(received(store)) == 1


def test_the_same_id_with_another_content_is_kept_and_said(store: Path) -> None:
    first = taken(store, text(message_id="7"))
    done = taken(store, text(message_id="7", probability="2e-5"))
    assert (done.new, done.known, done.conflicting) == (1, 0, 1)
    assert message(store, done.ids[0])["conflicts_with"] == first.ids[0]
    assert taken(store, text(message_id="7", originator="ANOTHER")).conflicting == 0


@pytest.mark.parametrize("message_id", ["0", ""])
def test_ids_of_senders_without_ids_conflict_with_nothing(store: Path, message_id: str) -> None:
    both = [text(message_id=message_id, probability=each) for each in ("1e-5", "2e-5")]
    done = taken(store, *both)
    assert (done.new, done.conflicting) == (2, 0)


def test_what_is_refused_stands_beside_what_is_taken(store: Path) -> None:
    wrong = text(message_id="2").replace("TCA   ", "TCB   ")
    done = taken(store, text(message_id="1"), wrong, text(message_id="3"))
    assert done.new == 2
    ((number, told, line, keyword),) = done.refused
    assert (number, keyword) == (2, "TCA")
    assert "a.cdm, message 2" in told
    assert f"line {line}" in told


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x01\x02\xff" * 50, b"<html><body>Login</body></html>", b"[]", b"{}", b"no message"]
)
def test_what_is_no_message_is_refused_and_nothing_stored(store: Path, data: bytes) -> None:
    done = take(store, data, "a", RECEIVED)
    assert (done.new, len(done.refused)) == (0, 1)
    assert len(received(store)) == 0
    assert [path.name for path in (store / MESSAGES).iterdir()] == ["0.parquet"]


def test_namespaces_that_contradict_each_other_are_refused_with_line_and_keyword(store: Path) -> None:
    xml = to_xml(text())
    twice = xml.replace("<TCA>", "<other:TCA>2024-11-03T00:00:00</other:TCA>\n<TCA>")
    (refused,) = taken(store, twice).refused
    assert refused.keyword == "TCA"
    assert refused.line > 0
    assert "must not differ" in refused.text


def test_a_tca_long_ago_is_taken(store: Path) -> None:
    long_ago = TCA.replace(year=1970)
    done = taken(store, text(tca=long_ago))
    assert message(store, done.ids[0])["tca"] == long_ago


def test_without_a_time_of_creation_tca_is_at_most_60_days_after_receipt(store: Path) -> None:
    """One of the year 2200 stood before all others for as long."""

    def undated(tca: datetime) -> str:
        return re.sub(r"CREATION_DATE.*\n", "", text(tca=tca))

    latest = RECEIVED + timedelta(days=60)
    done = taken(store, undated(latest), undated(latest + timedelta(seconds=1)), undated(TCA))
    (refused,) = done.refused
    assert (done.new, refused.number, refused.keyword) == (2, 2, "TCA")
    assert refused.line > 0
    assert "at most 60 days after its receipt, 2024-11-01T12:00:00Z" in refused.text


@pytest.mark.slow
def test_space_tracks_messages_are_restricted(store: Path) -> None:
    """By what only its rows have, and by the centre whose messages it gives out."""
    full = {"CDM_ID": "1", **{f"SAT{k}_{key}": value for k in (1, 2) for key, value in _object(k).items()}}
    full |= {"CCSDS_CDM_VERS": "1.0", "TCA": TCA.isoformat(), "COMMENT_EMERGENCY_REPORTABLE": "Y"}
    for one in (json.dumps([SUMMARY]), json.dumps(full), text(originator="CSpOC"), text(originator="JSPOC")):
        (each,) = taken(store, one).ids
        assert message(store, each)["restricted"] is True
    (each,) = taken(store, text()).ids
    assert message(store, each)["restricted"] is False
    (each,) = taken(store, text(message_id="9"), restricted=True).ids
    assert message(store, each)["restricted"] is True


def _object(number: int) -> dict[str, str]:
    lines = text().split("OBJECT  ")[number].splitlines()[1:]
    return {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}


def test_a_summary_has_its_claims_and_no_numbers_of_ours(store: Path) -> None:
    (each,) = taken(store, json.dumps([SUMMARY])).ids
    row = message(store, each)
    assert (row["miss_distance_m"], row["claimed_probability"]) == (886.0, 0.000173503)
    assert (row["primary_norad_id"], row["secondary_norad_id"]) == (3740, 87650)
    assert row["probability_2d"] is None
    assert json.loads(str(row["text"])) == SUMMARY


def test_without_a_radius_nothing_is_scored_and_a_remark_says_so(store: Path) -> None:
    (each,) = taken(store, text(radius="")).ids
    row = message(store, each)
    assert row["hard_body_radius_m"] is None
    assert row["probability_2d"] is None
    assert "not scored" in str(row["remarks"])


def test_an_error_while_reading_stores_nothing(store: Path) -> None:
    def files():  # type: ignore[no-untyped-def]
        yield MessageFile("a.cdm", text().encode())
        raise OSError(28, "No space left on device")

    with pytest.raises(StoreError, match="full"):
        take_files(store, files(), RECEIVED)
    assert len(received(store)) == 0


def test_a_store_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        taken(tmp_path / "file" / "store", text())


def test_an_unknown_id_is_not_known(store: Path) -> None:
    (each,) = taken(store, text()).ids
    assert message(store, each[:4])["id"] == each
    for wanted in ("", "abc", "0000000000000000", "../current"):
        with pytest.raises(NotKnown, match="There is no message"):
            message(store, wanted)


@pytest.mark.slow
def test_messages_come_in_the_order_in_which_they_were_made(store: Path) -> None:
    hours = [30, 2, 17, 9]
    for hour in hours:
        taken(store, text(made=RECEIVED + timedelta(hours=hour)))
    made = [row["creation_date"] for row in utc_rows(received(store))]
    assert made == [RECEIVED + timedelta(hours=hour) for hour in sorted(hours)]
