"""`skysieve trajectories to-tracss`: a trajectory goes to TraCSS as an OCM, only on this command."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from skysieve.command_line import app
from storage.trajectories.kept import add_trajectory
from storage.trajectories.trajectory_file import About, Kind
from tests.flows.misbehaving_server import MisbehavingServer, reset, status
from tests.flows.tracss import CLIENT, SECRET, UPLOAD, Tracss
from tests.screening.orbits.texts.ephemerides.circling import VARIANCES, states
from tests.screening.orbits.texts.ephemerides.test_write_ocm import of_the_standard

Send = Callable[..., Result]
NOW = datetime.now(UTC)


@pytest.fixture
def service(server: MisbehavingServer) -> Tracss:
    return Tracss(server)


@pytest.fixture
def send(service: Tracss, store: Path, monkeypatch: pytest.MonkeyPatch) -> Send:
    monkeypatch.setenv("SKYSIEVE_TRACSS_LOGIN", f"{CLIENT}:{SECRET}")
    return lambda *more: CliRunner().invoke(app, ["trajectories", "to-tracss", *more, "--store", str(store)])


def why(sent: Result) -> str:
    """Return why a command failed, as it was raised or printed."""
    return " ".join(f"{sent.stderr} {sent.exception}".split())


def added(store: Path, kind: Kind = "definitive", *, restricted: bool = False) -> str:
    _, r_km, _ = states()
    epochs = np.datetime64(NOW.replace(tzinfo=None), "us") + np.arange(len(r_km)) * np.timedelta64(60, "s")
    covariance = np.diag(VARIANCES)[None]
    segment = Segment(epochs, r_km, epochs[0], epochs[-1], epochs[3:4], covariance)
    one = Ephemeris(12345, "MINE", "2024-001A", (segment,))
    return add_trajectory(store, one, About(kind, "mine.oem", "0" * 64, NOW - timedelta(hours=1), restricted))


@pytest.mark.parametrize(("kind", "basis"), [("definitive", "OPERATIONAL"), ("hypothetical", "CANDIDATE")])
def test_the_path_arrives_as_it_is(send: Send, service: Tracss, store: Path, kind: Kind, basis: str) -> None:
    one = added(store, kind)
    assert service.server.requests == []
    sent = send(one, "--screen-now")
    assert sent.exit_code == 0, sent.output
    assert sent.stdout == f"TraCSS took {one}.ocm: Successful.\n"
    ((query, body),) = service.uploads
    assert query == "triggerCA=true"
    assert f'name="file"; filename="{one}.ocm"' in body
    message = body[body.index("CCSDS_OCM_VERS") : body.index("COV_STOP") + len("COV_STOP\n")]
    assert f"TRAJ_BASIS = {basis}" in message
    read = chosen(read_ephemerides(of_the_standard(message).encode(), "x"), "x").ephemeris
    assert (read.norad_id, read.name) == (12345, "MINE")
    assert np.abs(read.segments[0].r_teme_km - states()[1]).max() < 1e-9
    assert len(read.segments[0].covariance_epochs) == 1


def test_what_the_service_finds_wrong_is_told(send: Send, service: Tracss, store: Path) -> None:
    service.refuses = ["OPS_STATUS: Ops Status is invalid", "CATALOG_NAME: invalid"]
    sent = send(added(store))
    assert sent.exit_code == 1
    assert "did not take" in why(sent)
    assert "OPS_STATUS: Ops Status is invalid; CATALOG_NAME: invalid" in why(sent)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (reset, "cut off"),
        (status("422 Unprocessable Entity", b"cannot be processed"), "cannot be processed"),
        (status("500 Internal Server Error"), "500"),
        (status("401 Unauthorized"), "refused its own token"),
        (status("201 Created", b'{"status": '), "cut off"),
    ],
)
def test_a_failure_is_told_and_nothing_is_sent_twice(
    send: Send, service: Tracss, store: Path, answer: Callable[..., None], told: str
) -> None:
    service._upload = answer  # type: ignore[method-assign]
    service.route()
    sent = send(added(store))
    assert sent.exit_code == 1
    assert told in why(sent)
    assert SECRET not in sent.output + why(sent)
    assert sum(path.startswith(UPLOAD) for path in service.server.paths()) == 1


def test_a_sentence_is_an_answer_too(send: Send, service: Tracss, store: Path) -> None:
    service._upload = status("201 Created", b"Uploaded OCM(s) Successfully")  # type: ignore[method-assign,assignment]
    service.route()
    assert send(added(store)).stdout == "Uploaded OCM(s) Successfully\n"


def test_what_may_not_be_shared_is_sent_only_if_allowed(send: Send, service: Tracss, store: Path) -> None:
    one = added(store, restricted=True)
    assert send(one).exit_code == 1
    assert service.server.requests == []
    assert send(one, "--allow-restricted").exit_code == 0


def test_without_a_login_it_says_what_to_set(
    send: Send, service: Tracss, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SKYSIEVE_TRACSS_LOGIN")
    sent = send(added(store))
    assert sent.exit_code != 0
    assert "SKYSIEVE_TRACSS_LOGIN" in why(sent)
    assert service.server.requests == []
