"""`make docs` writes a site of every document, without a warning: no link of it leads nowhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def site(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site that the recipe of `make docs` writes."""
    folder = tmp_path_factory.mktemp("site")
    (recipe,) = re.findall(r"\$\(BIN\)/python (-m sphinx .*)", (repository / "Makefile").read_text())
    words = recipe.replace("docs/site", str(folder)).split()
    done = subprocess.run(
        [sys.executable, *words], cwd=repository, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_every_document_is_a_page(site: Path, repository: Path) -> None:
    names = [path.stem for path in (repository / "docs").glob("*.md")]
    assert len(names) > 20
    assert [name for name in names if not (site / "docs" / f"{name}.html").is_file()] == []


def test_the_front_page_leads_to_all_of_them(site: Path) -> None:
    front = (site / "README.html").read_text()
    pages = [str(path.relative_to(site)) for path in site.rglob("*.html")]
    documents = [page for page in pages if page.startswith(("docs/", "deploy/")) or page == "CHANGELOG.html"]
    assert [page for page in documents if f'href="{page}"' not in front] == []


def test_search_finds_a_word(site: Path) -> None:
    assert '"dilut' in (site / "searchindex.js").read_text()
