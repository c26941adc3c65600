"""How the web page is served: its files, its headers, and what is said where it is not built."""

import gzip
from pathlib import Path

import pytest
from fastapi import FastAPI

from api.app import create_app
from api.routes import page
from api.routes.page import PAGE_HEADERS
from api.settings import ApiSettings
from tests.api.client import Client

INDEX = '<base href="$BASE"><meta content="$STALE_AFTER_S"><script src="assets/main-A.js"></script>'


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder of a built page of one script."""
    assets = tmp_path / "dist" / "assets"
    assets.mkdir(parents=True)
    for name in ("index.html", "docs.html"):
        (assets.parent / name).write_text(INDEX)
    (assets / "main-A.js").write_text("script()")
    (assets / "main-A.js.gz").write_bytes(gzip.compress(b"script()"))
    monkeypatch.setattr(page, "DIST", assets.parent)
    return assets.parent


def app(tmp_path: Path, **settings: object) -> FastAPI:
    return create_app(ApiSettings(store=tmp_path / "store", **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_the_page_needs_no_credential_and_allows_no_other_host(dist: Path, tmp_path: Path, path: str) -> None:
    answer = Client(app(tmp_path), {}).get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert {name: answer.headers[name] for name in PAGE_HEADERS} == PAGE_HEADERS


@pytest.mark.parametrize("path", ["/", "/docs", "/assets/main-A.js"])
def test_head_is_answered_like_get_without_a_body(dist: Path, tmp_path: Path, path: str) -> None:
    client = Client(app(tmp_path), {})
    whole, head = client.get(path), client.request("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert dict(head.headers).keys() == dict(whole.headers).keys()
    assert head.headers["Content-Length"] == whole.headers["Content-Length"]


def test_it_knows_where_it_is_and_when_data_are_stale(dist: Path, tmp_path: Path) -> None:
    below = Client(app(tmp_path, root_path="/sky", refresh_hours=1.5), {}).get("/sky/").text
    assert '<base href="/sky/"><meta content="10800">' in below


@pytest.mark.parametrize(("taken", "coding"), [("gzip, br", "gzip"), ("identity", None)])
def test_files_are_sent_as_the_browser_takes_them(
    dist: Path, tmp_path: Path, taken: str, coding: str | None
) -> None:
    answer = Client(app(tmp_path), {"Accept-Encoding": taken}).get("/assets/main-A.js")
    assert answer.text == "script()"
    assert answer.headers.get("Content-Encoding") == coding
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["main-B.js", "..%2Findex.html", "%2e%2e/index.html"])
def test_no_other_file_is_served(dist: Path, tmp_path: Path, name: str) -> None:
    assert Client(app(tmp_path), {}).get(f"/assets/{name}").status_code == 404


def test_where_it_is_not_built_the_page_says_how_and_the_rest_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "DIST", tmp_path / "missing")
    client = Client(app(tmp_path), {})
    answer = client.get("/")
    assert answer.status_code == 503
    assert "make page" in answer.text
    assert client.get("/health").status_code == 200
