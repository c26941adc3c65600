"""The examples of docs/python.md run, one after the other as in a notebook, and its tables tell the truth."""

import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import skysieve
from storage.histories.incoming import import_histories
from tests.screening.risk import message_texts
from tests.storage.histories.made_up import history, seen_table


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "python.md").read_text()


@pytest.fixture(scope="module")
def notebook(
    page: str, store_with_run: Path, small_catalogue: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """The variables after all examples have run in a folder that has what they name."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "skysieve-store").symlink_to(store_with_run)
    shutil.copy(small_catalogue, folder / "gp.csv")
    (folder / "message.cdm").write_text(message_texts.kvn())
    (folder / "history.csv").write_text(seen_table(history(5, 3)))
    import_histories(folder / "past", [folder / "history.csv"], datetime.now(UTC))
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 9
    variables: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for number, block in enumerate(blocks, 1):
            exec(compile(block, f"docs/python.md, example {number}", "exec"), variables)
    return variables | {"folder": folder}


def test_the_examples_find_something(notebook: dict[str, Any]) -> None:
    events = notebook["events"]
    assert len(events) > 5
    assert len(notebook["near"]) == sum(distance < 1000 for distance in events["miss_distance_m"])
    assert notebook["per_hour"].sum() == len(events)
    assert notebook["by_type"]["count"].sum() == len(events)
    assert set(notebook["dangerous"]["risk_level"]) <= {"high", "critical"}
    assert len(notebook["gone"]) == 0  # the oldest run is the only one
    ids = events["primary_norad_id"].head(50)
    expected = events[events["primary_norad_id"].isin(ids) & (events["tca"] >= notebook["since"])]
    assert len(notebook["found"]) == len(expected) > 0
    assert notebook["told"][-1] == ("finished", 1.0)
    assert len(notebook["published"]) == len(notebook["run"].conjunctions) > 0
    assert 0 < len(notebook["low"]) < len(notebook["catalogue"])
    assert notebook["message"].miss_distance_m == 1000.0


@pytest.mark.slow
def test_the_example_of_the_readme_runs(
    repository: Path, notebook: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (repository / "README.md").read_text(), re.DOTALL)
    monkeypatch.chdir(notebook["folder"])
    variables: dict[str, Any] = {}
    exec(compile(block, "README.md", "exec"), variables)
    assert len(variables["events"]) == len(notebook["store"].conjunctions())
    assert len(variables["run"].objects) == len(variables["catalogue"])


def test_the_table_of_methods_lists_them_all_and_no_other(page: str) -> None:
    table = page.partition("| method |")[2].partition("\n\n")[0]
    methods = {name for name in vars(skysieve.Store) if not name.startswith("_")}
    assert set(re.findall(r"`(\w+)\(", table)) == methods


@pytest.mark.parametrize(
    ("sql", "stored"),
    [
        ("SELECT tca, tca::DATE AS day FROM conjunctions", "time, date"),
        ("SELECT max(tca) - min(tca) AS span FROM conjunctions", "span of time (`max(tca) - min(tca)`)"),
        ("SELECT miss_distance_m, 1.5 AS d FROM conjunctions", "double, decimal"),
        ("SELECT event_id, 1 AS one, true AS yes FROM conjunctions", "integer; yes or no"),
        (
            "SELECT nullif(i, 1) AS a, nullif(i, 1)::INT AS b, nullif(i = 1, true) AS c FROM range(2) t(i)",
            "integer; yes or no, where the schema allows NULL",
        ),
    ],
)
def test_types_are_those_of_the_table(page: str, store_with_run: Path, sql: str, stored: str) -> None:
    (row,) = re.findall(rf"^\| {re.escape(stored)} \| (.*?) \|", page, re.MULTILINE)
    frame = skysieve.open_store(store_with_run).sql(sql)
    assert {str(dtype) for dtype in frame.dtypes} == set(re.findall(r"`(.*?)`", row))


def test_texts_are_those_of_the_table(page: str, store_with_run: Path) -> None:
    objects = skysieve.open_store(store_with_run).objects()
    assert isinstance(objects["object_type"].dtype, pd.CategoricalDtype)
    assert "| other text | `str` (pandas 2: `object`) |" in page
    assert str(objects["name"].dtype) == ("object" if pd.__version__ < "3" else "str")


def test_the_table_of_figures_lists_them_all_and_no_other(page: str) -> None:
    table = page.partition("| function | draws |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)\(", table, re.MULTILINE)) == set(skysieve.plot.__all__)
    assert set(skysieve.plot.__all__) == {
        name
        for name, value in vars(skysieve.plot).items()
        if getattr(value, "__module__", "") == "skysieve.plot" and not name.startswith("_")
    }
