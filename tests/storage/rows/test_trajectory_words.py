"""What the path of an object is from is said with the same words in every list."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from screening.vocabulary import TRAJECTORY_KINDS
from skysieve.command_line import app
from storage.reading.newest_run import events
from storage.rows.trajectory_words import TRAJECTORY_WORDS, beside_the_name, trajectory_words
from storage.shell.listing import print_events_for_a_reader
from tests.made_up_run import make_run, publish


def test_every_kind_has_words() -> None:
    assert tuple(TRAJECTORY_WORDS) == TRAJECTORY_KINDS
    assert trajectory_words(None) == "element set"  # of an earlier release
    assert [beside_the_name(kind) for kind in (None, "gp")] == ["", ""]
    assert beside_the_name("ephemeris") == " (operator's ephemeris)"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", TRAJECTORY_KINDS)
def test_a_list_says_it_beside_the_name(store: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    made_up = make_run(conjunctions=1)
    row = made_up.conjunctions
    row["primary_trajectory"], row["secondary_trajectory"] = TRAJECTORY_KINDS.index(kind), 0
    row["probability_flag"] = 0  # whose words may not fit
    publish(store, made_up)
    print_events_for_a_reader(events(store), store)
    shown = " ".join(capsys.readouterr().out.split())
    # The column may fold the words.
    assert ("(operator's" in shown and "ephemeris)" in shown) == (kind == "ephemeris")
    assert ("(supplemental element set)" in shown) == (kind == "supgp")
    assert ("1 of them with an object on its operator's ephemeris" in shown) == (kind == "ephemeris")
    piped = CliRunner().invoke(app, ["events", "--store", str(store)]).output.splitlines()
    heads, cells = (line.split("\t") for line in piped)
    assert dict(zip(heads, cells, strict=True))["primary_trajectory"] == kind


def test_the_page_says_the_same(repository: Path) -> None:
    page = (repository / "api" / "web" / "src" / "trajectories.ts").read_text()
    for kind, words in TRAJECTORY_WORDS.items():
        assert f'{kind}: "{words}"' in page
