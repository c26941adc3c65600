"""`skysieve score` on files as they come: real ones, broken ones, and both at once."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import skysieve

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run_score(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["skysieve", "score", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            skysieve.main()
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return run


@pytest.fixture
def real(shared_file: Callable[[str], Path]) -> Path:
    return shared_file("cdm/000028654_conj_000041835_20220106_193032_20220105_161142.cdm")


def test_json_holds_what_was_found_and_what_was_claimed(run_score: Run, real: Path) -> None:
    code, out, _ = run_score(real, "--json", "--mc", 10_000)
    assert code == 0
    (record,) = json.loads(out)
    assert record["file"] == str(real)
    six_digits = 1e-3  # the file gives four digits
    assert record["probability_2d_unchecked"] == pytest.approx(record["claimed_probability"], rel=six_digits)
    assert record["probability_2d"] == record["probability_2d_unchecked"]
    assert record["probability_mc_low"] < record["probability_2d"] < record["probability_mc_high"]
    assert record["tca"].endswith("Z")
    assert record["mc_samples"] >= 10_000


def test_a_bad_file_does_not_stop_the_others_and_the_exit_code_says_so(
    run_score: Run, real: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.cdm"
    text = real.read_text()
    cut.write_text(text[: text.index("CR_R") + 20])
    code, out, err = run_score(cut, real, tmp_path / "missing.cdm", "--json", "--mc", 0)
    assert code == 1
    records = json.loads(out)
    assert [Path(record["file"]).name for record in records] == ["cut.cdm", real.name, "missing.cdm"]
    assert "error" in records[0]
    assert records[1]["probability_2d"] > 0
    assert str(cut) in err
    assert "missing.cdm" in err


def test_a_radius_that_nobody_gave_is_asked_for(run_score: Run, real: Path, tmp_path: Path) -> None:
    without = tmp_path / "without.cdm"
    lines = [line for line in real.read_text().splitlines() if "HBR" not in line.upper()]
    without.write_text("\n".join(lines))
    code, _, err = run_score(without, "--mc", 0)
    assert code == 1
    assert "--hbr" in err
    code, out, _ = run_score(without, "--mc", 0, "--hbr", 10, "--json")
    assert code == 0
    assert json.loads(out)[0]["hard_body_radius_m"] == 10


def test_the_same_seed_gives_the_same_value(run_score: Run, real: Path) -> None:
    first, again, other = (
        json.loads(run_score(real, "--json", "--mc", 5000, "--seed", seed)[1])[0]["probability_mc"]
        for seed in (3, 3, 4)
    )
    assert first == again != other
