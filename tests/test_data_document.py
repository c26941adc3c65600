"""docs/data.md: its tables are what its queries find, its sources have addresses, its links lead on."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from docs.data import DOCUMENT, document
from flows.sources.etiquette import CELESTRAK_INTERVAL, MESSAGES_INTERVAL, SPACETRACK_INTERVAL
from storage.reading.read_only_sql import query

FENCED = re.compile(r"```.*?```", re.DOTALL)


@pytest.fixture(scope="module")
def page() -> str:
    return DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_tables_are_what_the_queries_find(
    page: str, shared_file: Callable[[str], Path], tmp_path: Path
) -> None:
    made = document(shared_file("gp_onorbit_20241101.csv"), tmp_path)
    assert made.count("<!-- measured: ") == 2
    assert made == page, "run: python docs/data.py"


def test_every_query_runs_on_any_store(page: str, store_with_run: Path) -> None:
    queries = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    assert len(queries) == 3
    for sql in queries:
        _, rows = query(store_with_run, sql)
        assert list(rows), sql


def test_sources_are_asked_as_rarely_as_they_ask_for(page: str) -> None:
    for what, interval in (
        ("CelesTrak's copy", CELESTRAK_INTERVAL),
        ("Space-Track", SPACETRACK_INTERVAL),
        ("public conjunction messages", MESSAGES_INTERVAL),
    ):
        (told,) = re.findall(rf"^\| {what} \| (?:may be queried )?every (\d+) h \|", page, re.MULTILINE)
        assert timedelta(hours=int(told)) == interval, what


def test_every_source_has_an_address_or_is_ours(page: str) -> None:
    terms = page.partition("## Terms of the sources")[2].partition("## ")[0]
    rows = [line for line in terms.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 8
    without = [row.split(" | ")[0] for row in rows if "https://" not in row]
    assert without == [
        "| Space-Track, conjunction messages (`cdm_public`)",  # the address is in the row above
        "| messages and ephemerides of operators",
        "| `skysieve synth`",
    ]


@pytest.mark.parametrize("name", ["data.md", "schema.md"])
def test_links_within_the_documents_lead_somewhere(name: str, repository: Path) -> None:
    text = FENCED.sub("", (repository / "docs" / name).read_text(encoding="utf-8"))
    links = re.findall(r"\]\((?!https:)([^)#\s]*)(?:#([^)\s]*))?\)", text)
    assert len(links) > 5
    for file, part in links:
        target = repository / "docs" / file if file else repository / "docs" / name
        assert target.exists(), file
        assert not part or part in headings(target), f"{file}#{part}"


def headings(path: Path) -> set[str]:
    """Return the anchors that headings of a document have."""
    titles = re.findall(r"^#+ (.*)$", FENCED.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
