"""Passwords and keys of sources are used, and neither kept nor shown anywhere."""

import base64
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.settings import FlowSettings
from flows.sources.catalogues import fetch_catalogue
from flows.sources.download import Web
from flows.sources.errors import SourceError
from flows.sources.names import find_origin
from screening.errors import SkysieveError, UsageError
from storage.disk.downloads import CATALOGUES, history_path, read_history, write_history
from storage.reading.newest_run import connect
from storage.settings import load_settings
from tests.flows.made_up_catalogue import catalogue_csv
from tests.flows.misbehaving_server import Exchange, MisbehavingServer, tagged, text

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
NO_WAIT = Web(wait=lambda _seconds: None)
PASSWORD, KEY, TOKEN = "pa55-w0rd/of:mine", "kee-8d1f00", "tok-77aa"
pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def settings(store: Path) -> FlowSettings:
    return FlowSettings(store=store)


def with_secrets(server: MisbehavingServer) -> str:
    address = server.url.replace("http://", "http://alice:pa55-w0rd%2Fof%3Amine@")
    return f"{address}/gp.csv?apikey={KEY}&GROUP=a&token={TOKEN}"


def leaks(texts: dict[str, str]) -> list[tuple[str, str]]:
    login = base64.b64encode(f"alice:{PASSWORD}".encode()).decode()
    secrets = (PASSWORD, "pa55-w0rd%2Fof%3Amine", "pa55-w0rd", KEY, TOKEN, login)
    return [(name, secret) for name, found in texts.items() for secret in secrets if secret in found]


def bytes_below(folder: Path) -> dict[str, str]:
    """Return every file's bytes, and its name, which is a text too."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): f"{path} {path.read_bytes().decode('latin-1')}" for path in files}


def refusal_that_repeats_everything(exchange: Exchange) -> None:
    asked = f"{exchange.request.path} {exchange.request.headers.get('authorization')} {PASSWORD} {KEY}"
    location = f"http://alice:{PASSWORD.replace('/', '%2F')}@elsewhere/{exchange.request.path}"
    exchange.send_head("403 Forbidden", location=location, content_type="text/plain")
    exchange.send(f"you sent {asked}".encode())


def test_an_origin_shows_and_names_no_secret(server: MisbehavingServer, settings: FlowSettings) -> None:
    origin = find_origin(with_secrets(server), settings)
    assert origin.name == origin.url == f"{server.url}/gp.csv?apikey=***&GROUP=a&token=***"
    assert leaks({"repr": repr(origin)}) == []


def test_secrets_reach_the_server_and_nothing_else(server: MisbehavingServer, settings: FlowSettings) -> None:
    server.answer = text(catalogue_csv(100))
    fetched = fetch_catalogue(with_secrets(server), settings, NOW, NO_WAIT)
    (request,) = server.requests
    assert request.path == f"/gp.csv?apikey={KEY}&GROUP=a&token={TOKEN}"
    login = base64.b64encode(f"alice:{PASSWORD}".encode()).decode()
    assert request.headers["authorization"] == f"Basic {login}"
    told = {"name": fetched.name, "reason": fetched.reason}
    assert leaks(bytes_below(settings.store) | told) == []


@pytest.mark.parametrize(
    ("key", "path", "header"),
    [("apikey=a/b%20c", "/gp.csv?b=c&apikey=a%2Fb%2520c", None), ("X-API-Key: a b", "/gp.csv?b=c", "a b")],
)
def test_credentials_come_from_settings(
    server: MisbehavingServer, settings: FlowSettings, key: str, path: str, header: str | None
) -> None:
    server.answer = text(catalogue_csv(100))
    more = load_settings(FlowSettings, store=settings.store, source_login=f"bob:{PASSWORD}", source_key=key)
    fetched = fetch_catalogue(f"{server.url}/gp.csv?b=c", more, NOW, NO_WAIT)
    (request,) = server.requests
    assert (request.path, request.headers.get("x-api-key")) == (path, header)
    assert (
        base64.b64decode(request.headers["authorization"].removeprefix("Basic ")).decode()
        == f"bob:{PASSWORD}"
    )
    assert fetched.name == f"{server.url}/gp.csv?b=c"


def test_credentials_of_an_address_do_not_go_to_celestrak(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = text(catalogue_csv(100))
    chosen = {"source_login": f"bob:{PASSWORD}", "source_key": f"X-API-Key: {KEY}"}
    fetch_catalogue(
        "celestrak",
        load_settings(FlowSettings, store=settings.store, celestrak_url=server.url, **chosen),
        NOW,
        NO_WAIT,
    )
    assert {"authorization", "x-api-key"}.isdisjoint(server.requests[0].headers)


@pytest.mark.parametrize("key", ["no name", "=x", "Name: x\ny", "näme=x", ": x"])
def test_a_key_of_another_form_is_refused_unseen(key: str) -> None:
    with pytest.raises(UsageError, match=r"SKYSIEVE_SOURCE_KEY=\*\*\*"):
        load_settings(FlowSettings, source_key=key)


def test_a_login_in_the_address_of_a_mirror_is_used_and_not_kept(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = text(catalogue_csv(100))
    mirror = server.url.replace("http://", "http://alice:pa55-w0rd%2Fof%3Amine@")
    fetched = fetch_catalogue(
        "celestrak", settings.model_copy(update={"celestrak_url": mirror}), NOW, NO_WAIT
    )
    assert "authorization" in server.requests[0].headers
    assert leaks(bytes_below(settings.store) | {"reason": fetched.reason}) == []


@pytest.mark.parametrize("server_has", ["a refusal", "a page", "nobody"])
def test_errors_are_reported_without_secrets(
    server: MisbehavingServer, settings: FlowSettings, server_has: str
) -> None:
    source = with_secrets(server)
    if server_has == "a refusal":
        server.answer = refusal_that_repeats_everything
    elif server_has == "a page":
        server.answer = lambda exchange: text(f"1 {exchange.request.path} {PASSWORD}".encode())(exchange)
    else:
        server.close()
    with pytest.raises(SourceError) as failed:
        fetch_catalogue(source, settings, NOW, NO_WAIT)
    chain = {"error": str(failed.value), "cause": repr(failed.value.__cause__)}
    assert leaks(bytes_below(settings.store) | chain) == []
    assert "127.0.0.1" in str(failed.value)


@pytest.mark.parametrize("source", [f"http://alice:{KEY}@ho st:port/?token={TOKEN}", f"http://:{KEY}@/"])
def test_an_invalid_address_is_reported_without_secrets(settings: FlowSettings, source: str) -> None:
    with pytest.raises(SkysieveError) as failed:
        find_origin(source, settings)
    assert leaks({"error": str(failed.value), "cause": repr(failed.value.__cause__)}) == []


def test_the_history_that_an_earlier_release_kept_under_a_key_goes_on_without_it(
    server: MisbehavingServer, settings: FlowSettings
) -> None:
    address, shown = f"{server.url}/gp.csv?apikey={KEY}", f"{server.url}/gp.csv?apikey=***"
    server.answer = tagged(catalogue_csv(100), '"one"')
    fetch_catalogue(address, settings, NOW, NO_WAIT)
    path = history_path(settings.store, shown)
    former = replace(read_history(settings.store, shown), url=address, stopped_by=f"{address} answered 403")
    path.unlink()
    write_history(settings.store, former)
    assert leaks(bytes_below(settings.store / CATALOGUES))
    assert fetch_catalogue(address, settings, NOW, NO_WAIT).decision == "unchanged"
    assert leaks(bytes_below(settings.store / CATALOGUES)) == []


@pytest.mark.slow
def test_whole_runs_leave_no_secret_in_store_prefect_logs_or_output(
    server: MisbehavingServer, small_catalogue: Path, repository: Path, store: Path, tmp_path: Path
) -> None:
    """Refresh, status, a refresh that is refused, and one without anything to fall back on."""
    store, told = store, dict[str, str]()
    chosen = {
        "SKYSIEVE_SOURCE": with_secrets(server),
        "SKYSIEVE_WORKERS": "1",
        "SKYSIEVE_LOOK_AHEAD_HOURS": "0.5",
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "PYTHONPATH": str(repository),
    }

    def skysieve(step: str, *words: str, to: Path) -> int:
        command = [sys.executable, "-m", "skysieve", *words, "--store", str(to)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=repository, env=os.environ | chosen
        )
        told[step] = done.stdout + done.stderr
        return done.returncode

    server.answer = text(small_catalogue.read_bytes())
    assert skysieve("refresh", "refresh", to=store) == 0, told["refresh"]
    server.answer = refusal_that_repeats_everything
    assert skysieve("refused", "refresh", to=store) == 0, told["refused"]
    assert "answered 403 Forbidden" in told["refused"]
    assert skysieve("failed", "refresh", to=tmp_path / "empty") == 1
    assert skysieve("status", "status", to=store) == 0
    assert "gp.csv?apikey=***&GROUP=a&token=***" in told["status"]
    assert skysieve("status of nothing", "status", to=tmp_path / "empty") == 1
    assert "FAILED at fetch" in told["status of nothing"]
    with connect(store) as connection:  # what is compressed in Parquet
        told["runs"] = str(connection.execute("FROM runs").fetchall())
    assert "gp.csv?apikey=***" in told["runs"]
    assert leaks(bytes_below(tmp_path) | told) == []
