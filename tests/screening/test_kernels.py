"""Compiled kernels lie where the settings say, whatever is imported first."""

import subprocess
import sys
from pathlib import Path

import pytest

from screening import kernel_files

pytestmark = pytest.mark.processes

# Imported first, as everything else is; the folder comes after it, and then the first compilation.
ONE_KERNEL = """
import sys
from pathlib import Path
import numpy as np
from screening.orbits.knots import hermite_coefficients
from screening.kernel_files import keep_kernels_in
print(keep_kernels_in(Path(sys.argv[1])).exists())
out = np.zeros((1, 6, 3))
hermite_coefficients(*np.full((4, 3, 1), 7000.0), out)
assert (out[0, 0] == 7000.0).all()
print(sum(hermite_coefficients.stats.cache_hits.values()))
"""
COLOURS = """
import screening.kernels
from numba import njit
from numba.core import errors
def init(): raise SystemExit("numba has taken standard output")
errors.init = errors.reinit = errors.deinit = init  # those of colorama, if it is installed
try:
    njit(lambda: "a" + 1)()
except errors.TypingError:
    print("refused")
"""
FEATURES = """
import screening.kernels
from numba.core.registry import cpu_target
print(cpu_target.target_context.codegen().magic_tuple()[2])
"""


def _printed(code: str, *arguments: str, repository: Path, **environment: str) -> str:
    """Return what Python code prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(repository), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )
    return done.stdout


def test_a_kernel_that_is_imported_before_its_folder_is_chosen_is_kept_there(
    tmp_path: Path, repository: Path
) -> None:
    folder = tmp_path / "kernels"
    first = _printed(ONE_KERNEL, str(folder), repository=repository, HOME=str(tmp_path))
    assert first.split() == ["False", "0"]  # nothing was there, and it was compiled
    kept = [path for path in folder.rglob("*.nbi") if path.name.startswith("knots.hermite_coefficients-")]
    assert len(kept) == 1
    again = _printed(ONE_KERNEL, str(folder), repository=repository, HOME=str(tmp_path))
    assert again.split() == ["True", "1"]


@pytest.mark.slow
def test_a_compiled_kernel_is_loaded_without_the_compiler_and_another_one_compiled_after_it(
    tmp_path: Path, repository: Path
) -> None:
    one_more = """
print("numba.np.linalg" in sys.modules)
from numba import njit
print(njit(lambda x: np.sort(x).sum())(np.arange(4.0)))
"""
    for loaded, prepared in (("0", "True"), ("1", "False")):
        printed = _printed(ONE_KERNEL + one_more, str(tmp_path), repository=repository, HOME=str(tmp_path))
        assert printed.split()[1:] == [loaded, prepared, "6.0"]


@pytest.mark.slow
def test_a_kernel_that_calls_a_loaded_one_is_compiled_kept_and_loaded(
    tmp_path: Path, repository: Path
) -> None:
    folder = tmp_path / "kernels"
    loaded_first = """
import sys
from pathlib import Path
from screening.kernel_files import keep_kernels_in
from screening.risk.probability.exact_2d import _log_probabilities, exact_2d
from screening.risk.probability.exact_2d_kernel import log_probability_of
keep_kernels_in(Path(sys.argv[1]))
log_probability_of(1.0, 2.0, 3.0, 2.0, 1.0)
print(exact_2d(1.0, 2.0, 3.0, 2.0, 1.0)[0][0])
print(*(sum(one.stats.cache_hits.values()) for one in (log_probability_of, _log_probabilities)))
print("scipy.linalg" in sys.modules)
"""
    compiled = _printed(loaded_first, str(folder), repository=repository, HOME=str(tmp_path)).split()
    for kept in folder.rglob("exact_2d._log_probabilities*"):
        kept.unlink()
    caller_compiled = _printed(loaded_first, str(folder), repository=repository, HOME=str(tmp_path)).split()
    both_loaded = _printed(loaded_first, str(folder), repository=repository, HOME=str(tmp_path)).split()
    assert compiled[0] == caller_compiled[0] == both_loaded[0]
    assert compiled[1:3] == ["0", "0"]
    assert caller_compiled[1:3] == ["1", "0"]
    assert both_loaded[1:] == ["1", "1", "False"]


def test_nobody_chooses_and_numba_finds_a_place(tmp_path: Path, repository: Path) -> None:
    chosen = ONE_KERNEL.replace("print(keep_kernels_in(Path(sys.argv[1])).exists())", "")
    elsewhere = tmp_path / "numba"
    _printed(chosen, repository=repository, HOME=str(tmp_path), NUMBA_CACHE_DIR=str(elsewhere))
    assert list(elsewhere.rglob("*.nbi"))


def test_the_folder_changes_with_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_files, "_chosen", None)  # it is put back afterwards
    before = kernel_files.keep_kernels_in(tmp_path)
    monkeypatch.setattr(kernel_files, "_hash_of_sources", lambda: "edited")
    assert kernel_files.keep_kernels_in(tmp_path) == tmp_path / "edited" != before
    assert kernel_files.chosen_folder() == tmp_path / "edited"


def test_kernels_use_whole_vectors_unless_told_otherwise(tmp_path: Path, repository: Path) -> None:
    ours = _printed(FEATURES, repository=repository, HOME=str(tmp_path))
    assert ("-prefer-256-bit" in ours) == ("+avx512f" in ours)
    told = _printed(FEATURES, repository=repository, HOME=str(tmp_path), NUMBA_CPU_FEATURES="+sse2")
    assert told.strip() == "+sse2"


def test_compiling_leaves_standard_output_alone(tmp_path: Path, repository: Path) -> None:
    """What a command printed while another thread compiled went elsewhere."""
    assert _printed(COLOURS, repository=repository, HOME=str(tmp_path)).strip() == "refused"
