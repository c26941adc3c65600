"""The folder of a site: written only where it changed, mended, never someone else's."""

import errno
import re
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from api.site import build
from api.site.folder import MARKER
from screening.errors import InputError, StoreError, UsageError
from skysieve.command_line import app
from tests.api.site.conftest import PAGED, Build
from tests.made_up_run import make_run, possible, publish

BASE = "https://sky.example.org/today"


@pytest.fixture
def site(make: Build, tmp_path: Path) -> Path:
    """Give the folder of a site."""
    make(tmp_path / "site")
    return tmp_path / "site"


def files(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_a_second_build_writes_nothing_and_mends_what_is_broken(make: Build, site: Path) -> None:
    before = files(site)
    again = make(site)
    assert (again.written, again.removed) == (0, 0)
    assert again.unchanged == len(before) - 1  # the marker
    (site / "index.html").write_text("<html>half")
    (site / "objects" / ".7.js.new").write_text("left by a build that was killed")
    (site / ".index.htm.new").write_text("the same")
    (site / "events" / "1.html").write_text("an event of an earlier run")
    (site / "CNAME").write_text("sky.example.org")
    mended = make(site)
    assert (mended.written, mended.removed) == (1, 3)
    assert files(site) == before | {"CNAME": b"sky.example.org", MARKER: files(site)[MARKER]}


def test_a_build_that_stops_midway_leaves_whole_pages(
    make: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = build.list_pages

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "list_pages", stopped)
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "site")
    assert all(one.read_text().endswith("</html>\n") for one in (tmp_path / "site").rglob("*.html"))
    monkeypatch.setattr(build, "list_pages", made)
    make(tmp_path / "site")
    make(tmp_path / "whole")
    one, other = files(tmp_path / "site"), files(tmp_path / "whole")
    assert one == other


def test_a_full_disk_is_said(make: Build, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(site)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match=r"No space left on device.*again mends it"):
        make(site)
    assert files(site) == before


def test_a_folder_of_someone_else_stays_as_it_is(make: Build, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("mine")
    with pytest.raises(UsageError, match="holds other files"):
        make(tmp_path / "site")
    assert files(tmp_path / "site") == {"index.html": b"mine"}


def test_without_the_page_the_way_to_build_it_is_named(
    make: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "ASSETS", tmp_path)
    with pytest.raises(InputError, match="make page"):
        make(tmp_path / "site")


def test_without_a_run_there_is_no_site(store: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["site", str(tmp_path / "site"), "--store", str(store)])
    assert isinstance(done.exception, StoreError)
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("url", ["sky.example.org", "ftp://sky.example.org", "https://a.org/?page=1"])
def test_an_address_that_is_none_is_refused(run_store: Path, tmp_path: Path, url: str) -> None:
    command = ["site", str(tmp_path / "site"), "--store", str(run_store), "--base-url", url]
    assert isinstance(CliRunner().invoke(app, command).exception, UsageError)


def test_with_an_address_all_pages_are_in_the_map_and_events_in_the_feeds(
    make: Build, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    make(site, base_url=BASE)
    mapped = {
        one.text
        for one in ElementTree.parse(site / "sitemap.xml").getroot().iter()
        if one.tag.endswith("loc")
    }
    pages = {str(one.relative_to(site)) for one in site.rglob("*.html")} - {"404.html", "index.html"}
    assert mapped == {f"{BASE}/"} | {f"{BASE}/{page}" for page in pages}
    for feed in ("feed.xml", "nearest.xml"):
        root = ElementTree.parse(site / feed).getroot()
        links = [one.get("href") or "" for one in root.iter() if one.get("rel") == "alternate"]
        assert len(links) > PAGED // 2
        assert all((site / link.removeprefix(f"{BASE}/")).is_file() for link in links)
    page = next((site / "events").iterdir()).read_text()
    assert f'<link rel="canonical" href="{BASE}/events/' in page
    assert f'content="{BASE}/assets/preview.png"' in page
    assert (site / "assets/preview.png").read_bytes().startswith(b"\x89PNG")
    make(site)
    assert not {"sitemap.xml", "feed.xml", "nearest.xml", "assets/preview.png"} & files(site).keys()


def test_every_link_leads_somewhere(make: Build, tmp_path: Path) -> None:
    site = tmp_path / "site"
    make(site, base_url=BASE)
    for page in site.rglob("*.html"):
        for address in re.findall(r'(?:href|src)="([^"#]+)', page.read_text()):
            target = (
                site / address.removeprefix(f"{BASE}/")
                if address.startswith("http")
                else page.parent / address
            )
            assert target.exists(), (page, address)


def test_what_is_not_real_or_not_new_is_marked_on_every_page(
    make: Build, run_store: Path, tmp_path: Path
) -> None:
    make(tmp_path / "made up", later=timedelta(days=3))
    for page in (tmp_path / "made up").rglob("*.html"):
        text = page.read_text()
        assert "<strong>Synthetic catalogue</strong>" in text
        assert "<strong>Stale</strong>" in text
    publish(run_store, possible(make_run(synthetic=False, hours_later=6)))
    make(tmp_path / "real")
    assert "banner" not in (tmp_path / "real/index.html").read_text()
