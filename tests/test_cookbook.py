"""Every block of docs/cookbook.md runs, SQL and pandas agree, and the printed answers are right."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from flows.sources.catalogues import read_file
from tests.runs import make_run

REPOSITORY = Path(__file__).resolve().parents[1]
PAGE = (REPOSITORY / "docs" / "cookbook.md").read_text(encoding="utf-8")
SATCAT = "satcat.csv"

# Of these every question has an answer: NOAA 19, the ISS, one launch, pairs that come near or change.
CHOSEN = {
    *("36796", "58462", "1292", "7490", "11379", "54551", "43776", "55610", "52649", "53826"),
    *("20547", "58820", "5098", "38499", "2120", "13128", "54465", "58754", "38793", "55927"),
    *("22804", "33591", "13019", "6157", "56153", "56154", "25544", "49044", "59913", "60378"),
    *("32729", "40333", "36581", "39617"),
}
LAUNCH = "2024-191"


def _blocks() -> ModuleType:
    spec = spec_from_file_location("cookbook_blocks", REPOSITORY / "docs" / "pictures" / "cookbook_blocks.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


cookbook = _blocks()
QUESTIONS = {question.title: question for question in cookbook.questions(PAGE)}
ASKED = [title for title, question in QUESTIONS.items() if any(b.language == "sql" for b in question.blocks)]


def _moved_catalogues(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the earlier catalogues of the page beside gp.csv, as it says."""
    monkeypatch.chdir(folder)
    (recipe,) = (block for block in QUESTIONS["The example"].blocks if block.language == "python")
    exec(recipe.text, {})


@pytest.fixture(scope="module")
def small(
    shared_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, dict[str, object]]]:
    """The stores of the page, of one object in twelve and the chosen ones, and what its first lines set."""
    folder = tmp_path_factory.mktemp("cookbook")
    header, *lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    fields = [line.split(",") for line in lines]
    kept = [
        line
        for place, (line, field) in enumerate(zip(lines, fields, strict=True))
        if place % 12 == 0 or field[11] in CHOSEN or field[1].startswith(LAUNCH)
    ]
    (folder / "gp.csv").write_text("\n".join([header, *kept]) + "\n")
    with pytest.MonkeyPatch.context() as monkeypatch:
        _moved_catalogues(folder, monkeypatch)
        for name, start in (("gp_12_hours_before", "10:00"), ("gp_6_hours_before", "16:00"), ("gp", "22:00")):
            source = read_file(folder / f"{name}.csv")
            make_run(source, folder / "example", np.datetime64(f"2024-10-31T{start}", "us"), hours=24.0)
        rows = read_file(shared_file("socrates_20260911/gp.csv"))
        make_run(rows, folder / "socrates", np.datetime64("2026-09-11T19:00", "us"), hours=168.0)
        _write_satcat(folder)
        yield folder, cookbook.first_names(PAGE)


def _write_satcat(folder: Path) -> None:
    numbers = pd.read_csv(folder / "gp.csv").NORAD_CAT_ID
    owners = [("US", "PRC", "CIS")[number % 3] for number in numbers]
    pd.DataFrame({"NORAD_CAT_ID": numbers, "OWNER": owners}).to_csv(folder / SATCAT, index=False)


def test_the_page_answers_twenty_questions_and_more() -> None:
    assert len(ASKED) >= 20


def test_the_contents_link_to_each_question() -> None:
    linked = re.findall(r"^- \[(.*)\]\(#(.*)\)$", PAGE, re.MULTILINE)
    assert [title for title, _ in linked] == ASKED
    assert [anchor for _, anchor in linked] == [
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in ASKED
    ]


@pytest.mark.parametrize("title", ASKED)
def test_sql_and_pandas_give_the_same_and_the_columns_of_the_page(
    title: str, small: tuple[Path, dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, names = small
    monkeypatch.chdir(folder)
    question = QUESTIONS[title]
    given = list(cookbook.answers(question, folder, names))
    assert [block.language for block, _ in given] == ["sql", "python"]
    (_, by_sql), (_, by_pandas) = given
    assert len(by_sql) > 0
    if "equal_to_1e_6" in by_pandas:
        assert by_pandas.pop("equal_to_1e_6").all()
    assert cookbook.as_table(by_pandas) == cookbook.as_table(by_sql)
    printed = [block.text.splitlines()[0] for block in question.blocks if block.language == "table"]
    assert printed or SATCAT in question.blocks[0].text
    assert all(
        cookbook.as_table(by_sql).splitlines()[0] in line.replace("equal_to_1e_6 | ", "") for line in printed
    )


def test_a_row_of_socrates_is_the_published_one(
    small: tuple[Path, dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, names = small
    monkeypatch.chdir(folder)
    (_, row), _ = cookbook.answers(QUESTIONS["How do I reproduce a row of SOCRATES?"], folder, names)
    assert row[["tca_later_by_ms", "range_km", "speed_km_s"]].to_numpy().tolist() == [[0.0, 0.025, 15.095]]


@pytest.mark.slow
def test_the_printed_answers_are_those_of_the_real_catalogue(
    shared_file: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gp.csv").write_bytes(shared_file("gp_onorbit_20241101.csv").read_bytes())
    (tmp_path / "socrates_gp.csv").write_bytes(shared_file("socrates_20260911/gp.csv").read_bytes())
    _moved_catalogues(tmp_path, monkeypatch)
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY),
    }
    for question in QUESTIONS.values():
        for block in question.blocks:
            if block.language == "sh":
                command = ["sh", "-ec", block.text]
                done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
                assert done.returncode == 0, done.stderr
    assert cookbook.answered(PAGE, tmp_path) == PAGE
