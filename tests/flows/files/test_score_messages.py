"""`skysieve score` on files as they come: real ones, broken ones, and both at once."""

import json
import re
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


def _no_constant(name: str) -> float:
    raise AssertionError(f"{name} in the output")


def test_every_kind_of_bad_file_is_named_by_line_and_keyword(
    run_score: Run, real: Path, tmp_path: Path
) -> None:
    text = real.read_text()
    broken = {
        "no_covariance": (text.replace("CT_T ", "COMMENT CT_T ", 1), "CT_T of OBJECT1 is missing"),
        "no_motion": (_same_velocity(text), "X_DOT of OBJECT2 and its companions equal those of OBJECT1"),
        "no_radius": (re.sub(r"HBR = \S+", "HBR = 0", text), "COMMENT of the message must give a hard-body"),
        "wrong_frame": (text.replace("EME2000", "TEME", 1), "REF_FRAME of OBJECT1 must be EME2000, GCRF"),
        "cut": (text[: text.rindex("CT_T ")], "CT_T of OBJECT2 is missing"),
    }
    for name, (content, _) in broken.items():
        (tmp_path / f"{name}.cdm").write_text(content)
    files = [tmp_path / f"{name}.cdm" for name in broken]
    code, out, err = run_score(*files, real, "--json", "--mc", 0)
    assert code == 1
    records = json.loads(out, parse_constant=_no_constant)
    assert [("error" in record) for record in records] == [True] * len(broken) + [False]
    for record, (name, (content, said)) in zip(records, broken.items(), strict=False):
        assert said in record["error"], name
        assert f"{name}.cdm" in record["error"]
        line = re.search(r"line (\d+) ", record["error"])
        assert line is not None, name
        assert int(line[1]) <= len(content.splitlines())
    assert err.count("error: Cannot read a conjunction data message") == len(broken)


def _same_velocity(text: str) -> str:
    """Give OBJECT2 the velocity of OBJECT1."""
    first, middle, second = text.partition("OBJECT2")
    for keyword in ("X_DOT", "Y_DOT", "Z_DOT"):
        line = re.search(rf"^{keyword} .*$", first, re.MULTILINE)
        assert line is not None
        second = re.sub(rf"^{keyword} .*$", line[0], second, flags=re.MULTILINE)
    return first + middle + second


def test_what_contradicts_itself_is_one_warning_a_file(run_score: Run, real: Path, tmp_path: Path) -> None:
    text = real.read_text()
    odd = tmp_path / "odd.cdm"
    odd.write_text(re.sub(r"(RELATIVE_SPEED|MISS_DISTANCE)( *= )\S+", r"\g<1>\g<2>1", text))
    code, _, err = run_score(odd, real, "--mc", 0)
    assert code == 0
    (line,) = err.splitlines()
    assert line.startswith(f"warning: {odd}: line ")
    assert "MISS_DISTANCE: 1 is claimed" in line
    assert "RELATIVE_SPEED: 1 is claimed" in line


def test_a_number_that_does_not_hold_is_marked(run_score: Run, shared_file: Callable[[str], Path]) -> None:
    curved = shared_file("cdm/000027424_conj_000041740_20220530_042037_20220525_221911.cdm")
    code, out, err = run_score(curved, "--mc", 0)
    assert code == 0
    assert "(0.0002556)" in out
    assert "In brackets: the 2-D integral where" in err


@pytest.mark.parametrize("radius", ["0", "-5", "nan"])
def test_a_radius_that_is_none_is_wrong_usage(run_score: Run, real: Path, radius: str) -> None:
    code, out, _ = run_score(real, "--hbr", radius)
    assert code == 2
    assert out == ""


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
