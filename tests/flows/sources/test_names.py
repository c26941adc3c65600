"""What names a source: services, addresses and files."""

import hashlib
import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.settings import FlowSettings
from flows.sources.catalogues import SYNTHETIC_OBJECTS, Source, fetch_catalogue
from flows.sources.names import find_origin
from screening.errors import InputError, UnreadableCatalogue, UsageError
from storage.settings import load_settings
from tests.flows.made_up_catalogue import catalogue_csv

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
SPACETRACK_QUERY = (
    "basicspacedata/query/class/gp/decay_date/null-val/epoch/%3Enow-30/orderby/norad_cat_id/format/csv"
)


@pytest.fixture
def settings(store: Path) -> FlowSettings:
    return FlowSettings(store=store)


def fetch(settings: FlowSettings, source: str) -> Source:
    return fetch_catalogue(source, settings, NOW)


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("celestrak", "https://celestrak.org/pub/on-orbit.csv"),
        ("celestrak:gps-ops", "https://celestrak.org/NORAD/elements/gp.php?GROUP=gps-ops&FORMAT=csv"),
        ("spacetrack", f"https://www.space-track.org/{SPACETRACK_QUERY}"),
        ("https://host/a.csv?b=c", "https://host/a.csv?b=c"),
        ("HTTP://host/a.csv#part", "http://host/a.csv"),
    ],
)
def test_a_name_stands_for_an_address(name: str, url: str) -> None:
    assert find_origin(name, FlowSettings()).url == url


def test_a_base_address_may_have_a_path() -> None:
    settings = FlowSettings(celestrak_url="http://127.0.0.1:8000/mirror/")
    assert find_origin("celestrak", settings).url == "http://127.0.0.1:8000/mirror/pub/on-orbit.csv"


@pytest.mark.parametrize("address", ["celestrak.org", "ftp://host", "https://", f"https://{'a' * 70}.org"])
def test_a_base_address_is_an_address(address: str) -> None:
    with pytest.raises(UsageError, match="SKYSIEVE_CELESTRAK_URL"):
        load_settings(FlowSettings, celestrak_url=address)


def test_synthetic_is_recognised_and_generated(settings: FlowSettings) -> None:
    assert find_origin("synthetic", settings).kind == "synthetic"
    made = fetch(settings, source="synthetic")
    assert (made.name, made.decision, made.reason) == ("synthetic", "generated", "asked for")
    assert len(made.content.elements) == SYNTHETIC_OBJECTS


NO_SOURCES = [
    "",
    "Celestrack",
    "celestrak:",
    "celestrak:a&FORMAT=tle",
    "celestrak:../..",
    "ftp://host/gp.csv",
    "http://",
    "http://host:port/",
    f"http://{'a' * 70}.org/",
    "nowhere.csv",
    "/",
    "a\0b",
    "a" * 5000,
]


@pytest.mark.parametrize("name", NO_SOURCES)
def test_any_other_source_is_refused_with_those_allowed(settings: FlowSettings, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        fetch(settings, source=name)
    for allowed in ("celestrak:GROUP", "spacetrack", "synthetic", "path of a file", "https://", repr(name)):
        assert allowed in str(refused.value)
    assert not settings.store.exists()


def test_a_file_is_taken_as_it_is(settings: FlowSettings, tmp_path: Path) -> None:
    path = tmp_path / "gp.csv"
    path.write_bytes(catalogue_csv(3, unusable=7))
    taken = fetch(settings, source=str(path))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert taken == (str(path), digest, taken.content, "file", "")
    assert (len(taken.content.elements), len(taken.content.rejected)) == (3, 7)
    path.write_text("<html>")
    with pytest.raises(UnreadableCatalogue, match=r"gp\.csv"):
        fetch(settings, source=str(path))


def test_a_pipe_is_a_file(settings: FlowSettings, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writing = threading.Thread(target=pipe.write_bytes, args=(catalogue_csv(3),))
    writing.start()
    assert fetch(settings, source=str(pipe)).sha256 == hashlib.sha256(catalogue_csv(3)).hexdigest()
    writing.join()


def test_a_file_that_cannot_be_read_is_named(
    settings: FlowSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gp.csv"
    path.touch()

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match="Permission denied") as refused:
        fetch(settings, source=str(path))
    assert str(path) in str(refused.value)
