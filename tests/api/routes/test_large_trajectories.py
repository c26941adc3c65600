"""Large operators' files: while one is read, others are answered, and its sender may leave."""

import gzip
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from api.answers.trajectories import MOST_HERE_BYTES, Upload, taken
from api.errors import BadParameter, ClientGone
from storage.trajectories.incoming import Named, take
from tests.screening.orbits.texts.ephemerides.circling import oem

pytestmark = pytest.mark.processes

ADDED = datetime(2024, 11, 1, tzinfo=UTC)
LARGE = oem(count=60_000).encode()  # 7 MB


class NoCatalogue:
    """A catalogue that knows nothing."""

    def number_of(self, _object_id: str) -> int:
        return 0

    def set_of(self, _norad_id: int) -> None:
        return None


def cpu_s(work: Callable[[], object]) -> float:
    before = time.thread_time()
    work()
    return time.thread_time() - before


def upload(data: bytes) -> Upload:
    return Upload(data, "large.oem", 99_999, None, "hypothetical")


def go_on() -> None:
    pass


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_large_file_is_not_read_by_the_service(store: Path, pack: Callable[[bytes], bytes]) -> None:
    """The library holds the interpreter: /health waited 1.7 s for an OEM of 32 MB."""
    data = pack(LARGE)
    assert len(LARGE) > MOST_HERE_BYTES
    own = cpu_s(
        lambda: take(store / "other", data, "large.oem", "hypothetical", Named(99_999), ADDED, NoCatalogue())
    )
    here = cpu_s(lambda: taken(store, upload(data), ADDED, go_on))
    assert here < own / 3  # starting a process and passing the text on
    assert len(list((store / "trajectories").glob("*.parquet"))) == 1


def test_what_is_wrong_with_a_large_file_is_said(store: Path) -> None:
    broken = LARGE.replace(b"EARTH", b"MARS")
    with pytest.raises(BadParameter, match="'MARS'; allowed: EARTH") as raised:
        taken(store, upload(broken), ADDED, go_on)
    assert raised.value.field == "body"


def test_nothing_is_stored_of_a_sender_who_leaves(store: Path) -> None:
    def leave() -> None:
        raise ClientGone

    with pytest.raises(ClientGone):
        taken(store, upload(LARGE), ADDED, leave)
    assert not list(store.glob("trajectories/*.parquet"))
