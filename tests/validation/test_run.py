"""Comparisons with files that are missing or damaged, and values that do not agree."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.errors import InputError, UsageError
from tests.validation.comparison import Subject
from tests.validation.files import MAX_BYTES, bytes_of, json_of, rows_of
from tests.validation.in_order import SUBJECTS
from tests.validation.orbits import burns_integrated, iridium_cosmos, official_sgp4, published_frames
from tests.validation.run import outcome_of, outcomes

NEEDING_FILES = [subject for subject in SUBJECTS if subject.ABOUT.files]
CUT_BYTES = 20_000


def name_of(subject: Subject) -> str:
    return subject.ABOUT.title


@pytest.fixture
def linked(shared_file: Callable[[str], Path], tmp_path: Path) -> Callable[[Subject], Path]:
    """Return a function that makes a folder with links to the files of a comparison."""

    def link(subject: Subject) -> Path:
        for name in subject.ABOUT.files:
            place = tmp_path / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(shared_file(name))
        return tmp_path

    return link


def replace(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


def cut(content: bytes) -> bytes:
    """The beginning of a file, ending within a line and a number."""
    return content[: min(len(content) * 6 // 10, CUT_BYTES)].rstrip(b"\n\r ")[:-1]


def noise(content: bytes) -> bytes:
    return np.random.default_rng(1).bytes(min(len(content), CUT_BYTES))


def other_text(content: bytes) -> bytes:
    return b"this is, no\nsuch file, x\n"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "damaged",
    [
        cut,
        *(pytest.param(way, marks=pytest.mark.slow) for way in (noise, other_text, lambda _: b"")),
    ],
    ids=["cut", "noise", "other", "empty"],
)
@pytest.mark.parametrize("subject", NEEDING_FILES, ids=name_of)
def test_a_damaged_file_is_a_failure_of_its_comparison(
    subject: Subject, damaged: Callable[[bytes], bytes], linked: Callable[[Subject], Path]
) -> None:
    folder = linked(subject)
    for name in subject.ABOUT.files:
        path = folder / name
        if path.is_dir():
            continue
        whole = path.read_bytes()
        replace(path, damaged(whole))
        outcome = outcome_of(folder, subject)
        assert outcome.failed, name
        assert "\n" not in outcome.error
        replace(path, whole)


@pytest.mark.parametrize("subject", NEEDING_FILES, ids=name_of)
def test_a_file_in_place_of_a_folder_is_a_failure(
    subject: Subject, linked: Callable[[Subject], Path], repository: Path
) -> None:
    folder = linked(subject)
    page = (repository / "docs" / "validation.md").read_text()
    (number,) = re.findall(rf"\| \[{re.escape(name_of(subject))}\]\(.*\) \| ([\d,]+) ", page)
    on_page = int(number.replace(",", ""))
    for name in subject.ABOUT.files:
        path = folder / name
        if path.is_dir():
            whole = path.readlink()
            replace(path, b"")
            outcome = outcome_of(folder, subject)
            # What also has other values tells that there are fewer than on the page.
            assert outcome.failed or (outcome.comparison and outcome.comparison.number < on_page), name
            path.unlink()
            path.symlink_to(whole)


@pytest.mark.parametrize("subject", NEEDING_FILES, ids=name_of)
def test_a_missing_file_is_named(subject: Subject, linked: Callable[[Subject], Path]) -> None:
    folder = linked(subject)
    name = subject.ABOUT.files[-1]
    (folder / name).unlink()
    outcome = outcome_of(folder, subject)
    assert (outcome.missing, outcome.failed, outcome.comparison) == (f"needs {name}", False, None)


def test_a_value_that_differs_is_beyond_its_limit(linked: Callable[[Subject], Path]) -> None:
    folder = linked(published_frames)
    path = folder / published_frames.FILE
    values = json.loads(path.read_text())
    values["vallado_2006_appendix_C_TEME_to_ITRF"]["r_ITRF_km"][1] += 1e-3  # a metre
    assert not outcome_of(folder, published_frames).failed
    replace(path, json.dumps(values).encode())
    outcome = outcome_of(folder, published_frames)
    assert outcome.failed
    assert outcome.comparison is not None
    assert [measure.agrees for measure in outcome.comparison.measures] == [False, True, False]


def test_one_state_that_differs_by_a_millimetre_is_found(linked: Callable[[Subject], Path]) -> None:
    folder = linked(official_sgp4)
    path = folder / official_sgp4.STATES
    text = path.read_text()
    assert text.count("7022.46529266") == 1  # of the first row, near the Earth
    replace(path, text.replace("7022.46529266", "7022.46639266").encode())
    outcome = outcome_of(folder, official_sgp4)
    assert outcome.comparison is not None
    beyond = [measure.name for measure in outcome.comparison.measures if not measure.agrees]
    assert beyond == ["largest difference of a position, near Earth"]


@pytest.mark.slow
def test_element_sets_that_miss_each_other_by_more_are_found(linked: Callable[[Subject], Path]) -> None:
    folder = linked(iridium_cosmos)
    path = folder / iridium_cosmos.FILE
    replace(path, path.read_text().replace('"miss_m": 584', '"miss_m": 585').encode())
    outcome = outcome_of(folder, iridium_cosmos)
    assert outcome.comparison is not None
    assert [measure.unit for measure in outcome.comparison.measures if not measure.agrees] == ["m"]


def test_what_is_missing_or_damaged_stops_nothing_else(linked: Callable[[Subject], Path]) -> None:
    folder = linked(published_frames)
    (folder / iridium_cosmos.FILE).parent.mkdir()
    (folder / iridium_cosmos.FILE).write_text("{")
    subjects = (iridium_cosmos, official_sgp4, published_frames)
    made = list(outcomes(folder, subjects))
    assert [bool(outcome.error) for outcome in made] == [True, False, False]
    assert [bool(outcome.missing) for outcome in made] == [False, True, False]
    assert made[2].comparison is not None


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "nowhere", tmp_path / "file"):
        with pytest.raises(UsageError, match=f"{path} is no folder"):
            outcomes(path, SUBJECTS)
    with pytest.raises(
        InputError, match="has none of the files of published values, such as frames/SGP4-VER"
    ):
        outcomes(tmp_path, SUBJECTS)


def test_what_needs_no_file_is_not_enough(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has none of the files"):
        outcomes(tmp_path, (burns_integrated, official_sgp4))


def test_a_file_that_may_not_be_looked_at_is_there(
    linked: Callable[[Subject], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = linked(published_frames)

    def refused(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refused)
    outcome = outcome_of(folder, published_frames)
    assert outcome.error.endswith(f"{published_frames.FILE} cannot be read (Permission denied).")


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError, match=r"huge has 100 MB; .* may have 100 MB"):
        bytes_of(tmp_path, "huge")


def test_a_folder_in_place_of_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "values.json").mkdir()
    with pytest.raises(InputError, match=r"values\.json cannot be read \(Is a directory\)"):
        json_of(tmp_path, "values.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,c\n1,2\n", "has no column b"),
        ("a,b\n", "ends within a row or has none"),
        ("a,b\n1,2\n3\n", "ends within a row or has none"),
    ],
)
def test_a_table_without_a_column_or_with_half_a_row_is_damaged(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "rows.csv").write_text(text)
    with pytest.raises(InputError, match=said):
        rows_of(tmp_path, "rows.csv", ("a", "b"))
