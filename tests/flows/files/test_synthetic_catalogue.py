"""A synthetic catalogue as a file: whole or not at all, and what was planted in it."""

from pathlib import Path

import numpy as np
import pytest

from flows.files.synthetic_catalogue import write_synthetic_file
from screening.errors import InputError, UsageError
from screening.orbits.texts.catalogue import parse_catalogue
from screening.synthetic.catalogue import synthetic_catalogue
from screening.synthetic.marks import is_synthetic

EPOCH = np.datetime64("2026-11-21T06:00")


def test_the_file_holds_the_catalogue_and_the_planted_encounters_are_returned(tmp_path: Path) -> None:
    target = tmp_path / "synthetic.csv"
    planted = write_synthetic_file(target, 300, 4, EPOCH)
    made = synthetic_catalogue(300, 4, EPOCH)
    catalogue = parse_catalogue(target.read_bytes())
    assert catalogue.elements.tobytes() == made.elements.tobytes()
    assert catalogue.rejected == []
    assert is_synthetic(catalogue.elements)
    assert planted.tobytes() == made.planted.tobytes()
    assert list(tmp_path.iterdir()) == [target]


def test_replaces_a_file(tmp_path: Path) -> None:
    target = tmp_path / "synthetic.csv"
    target.write_text("old")
    write_synthetic_file(target, 200, 1, EPOCH)
    assert target.read_text(encoding="utf-8").count("\n") == 201


def test_a_wrong_request_leaves_the_old_file_alone(tmp_path: Path) -> None:
    target = tmp_path / "synthetic.csv"
    target.write_text("old")
    with pytest.raises(UsageError, match="5 objects"):
        write_synthetic_file(target, 5, 1, EPOCH)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_names_the_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=str(tmp_path / "nowhere")):
        write_synthetic_file(tmp_path / "nowhere" / "synthetic.csv", 200, 1, EPOCH)


def test_names_the_file_that_cannot_be_written_and_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "a folder"
    target.mkdir()
    with pytest.raises(InputError, match=str(target)):
        write_synthetic_file(target, 200, 1, EPOCH)
    assert list(tmp_path.iterdir()) == [target]
