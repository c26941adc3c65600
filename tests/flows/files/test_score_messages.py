"""`skysieve score` on files as they come: real ones, broken ones, and both at once."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skysieve import command_line
from tests.screening.risk.message_texts import kvn, parts

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run_score(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["skysieve", "score", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            command_line.main()
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
    assert record["probability_2d"] == record["probability_2d_correlated"]
    assert record["claimed_as"] == "disk"
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
    assert "In brackets: the 2-D integral, where" in err


def summary(number: int, **changed: object) -> dict[str, object]:
    """A message as Space-Track's class cdm_public has it."""
    return {
        "CDM_ID": str(number),
        "CREATED": "2024-11-01 02:09:06.000000",
        "TCA": "2024-11-04T01:03:42.235000",
        "MIN_RNG": "886",
        "PC": "0.000173503",
        "SAT_1_ID": str(10_000 + number),
        "SAT_1_NAME": "ONE",
        "SAT_2_ID": str(40_000 + number),
        "SAT_2_NAME": "OTHER",
        **changed,
    }


@pytest.mark.slow
def test_of_ten_thousand_messages_the_bad_ones_are_counted_and_the_others_scored(
    run_score: Run, tmp_path: Path
) -> None:
    many = [summary(number) for number in range(10_000)]
    for number in range(0, 10_000, 100):
        many[number]["TCA"] = "soon"
    file = tmp_path / "public.json"
    file.write_text(json.dumps(many, indent=0))
    code, out, err = run_score(file, "--json")
    assert code == 1
    records = json.loads(out, parse_constant=_no_constant)
    assert [record["message"] for record in records] == list(range(1, 10_001))
    assert sum("error" in record for record in records) == 100
    assert records[1]["claimed_probability"] == 0.000173503
    assert records[1]["probability_2d"] is None
    assert records[1]["risk_level"] == "critical"
    assert "100 of 10,000 messages could not be scored" in err
    assert "9,880 more messages have remarks" in err
    assert err.count("TCA of the message must be") == 20, "the first of them"
    assert "line 5 " in err, "where the first stands"


def test_a_file_of_100_mb_is_refused_before_it_is_read(run_score: Run, real: Path, tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as stream:
        stream.truncate(100_000_000)  # no block of it is written
    code, out, err = run_score(huge, real, "--json", "--mc", 0)
    assert code == 1
    assert [("error" in record) for record in json.loads(out)] == [True, False]
    assert "has 100.0 MB; a file of messages may have 64 MB" in err


def test_the_messages_of_one_text_stop_nothing_but_themselves(
    run_score: Run, real: Path, tmp_path: Path
) -> None:
    text = real.read_text()
    cut = text[: text.index("CN_R ")]
    odd = text.replace("MISS_DISTANCE", "no equals sign\nMISS_DISTANCE", 1)
    several = tmp_path / "several.cdm"
    several.write_text("\n".join([text, cut, odd, text]))
    code, out, err = run_score(several, "--json", "--mc", 0)
    assert code == 1
    records = json.loads(out)
    assert [("error" in record) for record in records] == [False, True, True, False]
    assert "message 2" in records[1]["error"]
    assert "a line must be of the form KEYWORD = value" in records[2]["error"]
    assert records[0]["probability_2d"] == records[3]["probability_2d"]
    assert "2 of 4 messages could not be scored" in err


def test_the_same_message_as_json_scores_the_same(run_score: Run, tmp_path: Path) -> None:
    message = parts()
    message[0] |= {"MISS_DISTANCE": "20 [m]", "RELATIVE_POSITION_R": "20 [m]"}
    message[2]["X"] = "7000.02 [km]"  # 20 m away, with sigmas of 14 m
    plain = tmp_path / "plain.cdm"
    plain.write_text(kvn(message))
    header, *objects = message
    prefixed = {f"SAT{n}_{key}": value for n, part in enumerate(objects, 1) for key, value in part.items()}
    made = tmp_path / "made.json"
    made.write_text(json.dumps([header | prefixed]))
    _, out, _ = run_score(plain, made, "--json", "--mc", 1000)
    first, second = json.loads(out)
    assert {**first, "file": ""} == {**second, "file": ""}
    assert first["probability_2d"] > 0.01


@pytest.mark.parametrize("radius", ["0", "-5", "nan"])
def test_a_radius_that_is_none_is_wrong_usage(run_score: Run, real: Path, radius: str) -> None:
    code, out, _ = run_score(real, "--hbr", radius)
    assert code == 2
    assert out == ""


def test_a_radius_that_nobody_gave_is_asked_for(run_score: Run, real: Path, tmp_path: Path) -> None:
    without = tmp_path / "without.cdm"
    radii = re.compile("HBR|EXCLUSION", re.IGNORECASE)
    lines = [line for line in real.read_text().splitlines() if not radii.search(line)]
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
