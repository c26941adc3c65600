"""A command does without pandas, which pyarrow would import where it is installed."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.processes

MAKES_AN_ARRAY = "import numpy, pyarrow, sys; pyarrow.array(numpy.zeros(3)); print('pandas' in sys.modules)"
KEPT_OUT = "from storage.machine.without_pandas import keep_pandas_out; keep_pandas_out(); "


def printed(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_pyarrow_makes_its_arrays_without_it() -> None:
    pytest.importorskip("pandas")
    assert printed(MAKES_AN_ARRAY) == "True"
    assert printed(KEPT_OUT + MAKES_AN_ARRAY) == "False"


def test_all_others_are_found() -> None:
    assert printed(KEPT_OUT + "import json.tool; print(json.tool.__name__)") == "json.tool"
