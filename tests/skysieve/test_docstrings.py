"""Examples in docstrings of the public interface run, and print what they say."""

import doctest
import importlib
from pathlib import Path

import numpy as np
import pytest

from flows.files.synthetic_catalogue import write_synthetic_file
from tests.screening.risk import message_texts

MODULES = ["catalogue", "messages", "probability", "screening"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_synthetic_file(tmp_path / "catalogue.csv", 200, 1, np.datetime64("2024-11-01T00:00:00", "us"))
    (tmp_path / "message.cdm").write_text(message_texts.kvn())
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(f"skysieve.{name}")
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS, raise_on_error=False)
    assert found.failed == 0
    assert found.attempted > 0
