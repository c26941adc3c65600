"""Compiled kernels lie where the settings say, whatever is imported first."""

import subprocess
import sys
from pathlib import Path

import pytest

MODULES = [
    "flows.runs.run",
    "flows.runs.catalogue",
    "flows.scheduled.flow",
    "flows.cluster.fan_out",
    "flows.commands.runs",
]


@pytest.mark.parametrize("module", MODULES)
def test_importing_a_flow_module_imports_no_kernel(module: str, repository: Path) -> None:
    # A kernel that is imported before its folder is set would be cached beside the source, or raise there.
    kernels = ("gravity", "knots", "pair_tests")
    code = f"import sys, {module}; print([m for m in sys.modules if m.endswith({kernels})])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=repository
    )
    assert done.stdout.strip() == "[]"


def test_the_folder_changes_with_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from screening import kernels

    before = kernels.keep_kernels_in(tmp_path)
    monkeypatch.setattr(kernels, "_hash_of_sources", lambda: "edited")
    try:
        assert kernels.keep_kernels_in(tmp_path) == tmp_path / "edited" != before
    finally:
        monkeypatch.undo()
        from storage.settings import StoreSettings, load_settings

        kernels.keep_kernels_in(load_settings(StoreSettings).kernel_cache)


def _features_after_setting(folder: Path, environment: dict[str, str]) -> str:
    code = (
        "import sys; from pathlib import Path; from screening.kernels import keep_kernels_in;"
        "keep_kernels_in(Path(sys.argv[1])); from numba.core.registry import cpu_target;"
        "print(cpu_target.target_context.codegen().magic_tuple()[2])"
    )
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout


def test_kernels_use_whole_vectors_unless_told_otherwise(tmp_path: Path, repository: Path) -> None:
    environment = {"PYTHONPATH": str(repository), "HOME": str(tmp_path), "PATH": ""}
    ours = _features_after_setting(tmp_path, environment)
    assert ("-prefer-256-bit" in ours) == ("+avx512f" in ours)
    told = _features_after_setting(tmp_path, environment | {"NUMBA_CPU_FEATURES": "+sse2"})
    assert told.strip() == "+sse2"
