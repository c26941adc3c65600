"""Sites of a made-up run, in which nothing is bundled: the page's script and styles are stand-ins."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from api.settings import ApiSettings
from api.site import build, contents
from api.site.build import Built, build_site
from api.site.contents import Wishes
from storage.in_memory.snapshot import newest_snapshot
from storage.settings import load_settings
from tests.made_up_run import make_run, possible, publish

EVIL = '<b id="x">&amp;$</b>'
EVENTS, OBJECTS, PAGED = 120, 30, 8

Build = Callable[..., Built]


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a folder with what the site takes from the page; few events get pages, of 20 CPU-ms each."""
    folder = tmp_path_factory.mktemp("assets")
    for name in (*build.PAGE_FILES, "inter-A.woff2"):
        (folder / name).write_text(name)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(build, "ASSETS", folder)
        patched.setattr(contents, "PAGED", PAGED)
        yield folder


@pytest.fixture(scope="module")
def run_store(module_store: Path) -> Path:
    """Give a store with a made-up run, in which one name holds markup."""
    made_up = possible(make_run(conjunctions=EVENTS, objects=OBJECTS))
    made_up.elements["name"][:] = [f"OBJECT {place}" for place in range(OBJECTS)]
    made_up.elements["name"][3] = EVIL
    publish(module_store, made_up)
    return module_store


@pytest.fixture(scope="module")
def settings(run_store: Path) -> ApiSettings:
    return load_settings(ApiSettings, store=run_store)


@pytest.fixture(scope="module")
def make(settings: ApiSettings, assets: Path) -> Build:
    """Return what builds the site of the store into a folder."""

    def made(folder: Path, later: timedelta = timedelta(hours=1), **wishes: object) -> Built:
        snapshot = newest_snapshot(settings.store, analyses=False)
        wanted = Wishes(**wishes)  # type: ignore[arg-type]
        return build_site(folder, snapshot, wanted, settings, "1.2.3", snapshot.run.finished + later)

    return made
