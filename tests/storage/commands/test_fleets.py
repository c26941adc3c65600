"""`skysieve fleets`: made from numbers, files and patterns, changed, removed; what is wrong is refused."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.storage.commands.told import Told


@pytest.fixture
def told(store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Give commands on an empty store."""
    return Told("fleets", store, monkeypatch, capsys)


@pytest.fixture
def told_with_run(
    store_with_run: Path, store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Told:
    """Give commands on a store with a run, of its own."""
    shutil.copytree(store_with_run, store)
    return Told("fleets", store, monkeypatch, capsys)


def test_a_fleet_is_made_listed_changed_and_removed(told: Told) -> None:
    made = told(
        "create", "mine", "--norad-id", 25544, "--norad-id", 5, "--object-volume", "5=sphere:2",
        "--volume", "box:2x25x25", "--hours", 72, "--contact", "ops@example.org",
    )  # fmt: skip
    assert made == "fleet 1 'mine' is made: no run yet, volume box:2x25x25\n"
    (listed,) = json.loads(told("list", "--json"))
    assert listed | {"created": ""} == {
        "id": 1,
        "name": "mine",
        "created": "",
        "made_by": "command line",
        "contact": "ops@example.org",
        "volume": "box:2x25x25",
        "hours": 72.0,
        "radius": "shadow",
        "name_pattern": "",
        "manoeuvre_class": "unknown",
        "objects": [
            {"norad_id": 5, "volume": "sphere:2", "hours": None},
            {"norad_id": 25544, "volume": None, "hours": None},
        ],
        "members": None,
        "unknown": [],
    }
    assert json.loads(told("show", "MINE", "--json")) == {**listed, "satellites": []}
    changed = told(
        "change", 1, "--name", "ours", "--without", 25544, "--norad-id", 48274, "--norad-id", 5,
        "--hours", "run", "--contact", "", "--name-pattern", "CSS*",
        "--manoeuvre-class", "Crewed", "--json",
    )  # fmt: skip
    assert json.loads(changed) == listed | {
        "name": "ours",
        "hours": None,
        "contact": "",
        "name_pattern": "CSS*",
        "manoeuvre_class": "crewed",
        "objects": [
            {"norad_id": 5, "volume": "sphere:2", "hours": None},  # given again: it keeps its own
            {"norad_id": 48274, "volume": None, "hours": None},
        ],
    }
    gone = told("remove", "ours")
    assert gone == "fleet 1 'ours' is removed, and with it: 0 alerts, 0 feeds\n"
    assert told("list", "--json") == "[]\n"


def test_numbers_may_be_given_with_commas(told: Told) -> None:
    made = json.loads(told("create", "mine", "--norad-id", "39634, 40697,5", "--norad-id", 6, "--json"))
    assert [one["norad_id"] for one in made["objects"]] == [5, 6, 39634, 40697]
    left = json.loads(told("change", "mine", "--without", "5,39634", "--json"))
    assert [one["norad_id"] for one in left["objects"]] == [6, 40697]


def test_a_radius_of_its_own_is_said_and_goes_again(told: Told) -> None:
    made = told("create", "mine", "--norad-id", 5, "--radius", "bounding")
    assert made == "fleet 1 'mine' is made: no run yet, volume handbook, radius bounding\n"
    assert json.loads(told("change", "mine", "--radius", "7.50", "--json"))["radius"] == "7.5"
    assert told("change", "mine", "--radius", "shadow").endswith("volume handbook\n")


def test_a_change_of_nothing_is_refused(told: Told) -> None:
    told("create", "mine", "--norad-id", 5)
    told("change", "mine", code=2)
    assert "No change is given for the fleet 'mine': give --name, " in told.err


def test_taken_out_and_given_at_once_an_object_forgets_its_own_volume(told: Told) -> None:
    told("create", "mine", "--object-volume", "5=sphere:2")
    changed = json.loads(told("change", "mine", "--without", 5, "--norad-id", 5, "--json"))
    assert changed["objects"] == [{"norad_id": 5, "volume": None, "hours": None}]


def test_a_file_of_numbers_with_volumes_and_comments(told: Told, tmp_path: Path) -> None:
    path = tmp_path / "numbers.txt"
    path.write_bytes(
        b"\xef\xbb\xbf# ours\r\n25544, 48274 box:2x25x25 48h  # stations\r\n\r\n5\r\n 6;7,\r\n"
        b"8\tHandbook\r\n9 2.5h"
    )
    made = json.loads(told("create", "mine", "--from", path, "--json"))
    assert [tuple(one.values()) for one in made["objects"]] == [
        (5, None, None),
        (6, None, None),
        (7, None, None),
        (8, "handbook", None),
        (9, None, 2.5),
        (25544, "box:2x25x25", 48.0),
        (48274, "box:2x25x25", 48.0),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no catalogue numbers"),
        (b"# nothing\n", "has no catalogue numbers"),
        (b"5\n-6\n", "line 2: '-6' is not expected there"),
        (b"0\n", "line 1: '0' is not expected there"),
        (b"1000000000\n", "line 1: '1000000000' is not expected there"),
        (b"NORAD_CAT_ID\n5\n", "line 1: 'NORAD_CAT_ID' is not expected there"),
        (b"5 box:1x2\n", "line 1: 'box:1x2' is not a screening volume"),
        (b"5 sphere:1 sphere:2\n", "line 1: 'sphere:2' is not expected there"),
        (b"5 sphere:1 6\n", "line 1: '6' is not expected there"),
        (b"5 300h\n", "300 hours"),
        (b"5 48\n6 sphere:1\n6 sphere:2\n", "line 3: object 6 has another volume or other hours in line 2"),
        (b"\xff\xfe5\x00", "not UTF-8 text"),
        (b"5\n" * 600_000, "too large"),
        (b"\n".join(b"%d" % number for number in range(1, 5002)), "5,001 catalogue numbers are too many"),
        (b"x" * 10_000, "line 1: 'xxxx"),
    ],
)
def test_files_that_are_refused(told: Told, tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "numbers.txt"
    path.write_bytes(content)
    told("create", "mine", "--from", path, code=2 if "300 hours" in message else None)
    assert message in told.err
    assert len(told.err) < 600
    assert told("list", "--json") == "[]\n"


def test_a_file_that_is_not_there(told: Told, tmp_path: Path) -> None:
    told("create", "mine", "--from", tmp_path / "none.txt", code=1)
    assert "none.txt cannot be read: No such file" in told.err
    told("create", "mine", "--from", tmp_path, code=1)
    assert "cannot be read: Is a directory" in told.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mine"], "has no objects"),
        (["a\nb", "--norad-id", 5], "'a\\nb' is not allowed as the name"),
        (["f" * 10_000, "--norad-id", 5], "(10,000 characters) is not allowed as the name"),
        (["mine", "--norad-id", -1], "--norad-id is '-1': expected catalogue numbers, 1 to 999999999"),
        (["mine", "--norad-id", 1_000_000_000], "--norad-id is '1000000000': expected catalogue numbers"),
        (["mine", "--norad-id", "5,x"], "--norad-id is '5,x': expected catalogue numbers"),
        (["mine", "--norad-id", ","], "--norad-id is ',': expected catalogue numbers"),
        (["mine", "--norad-id", 0], "--norad-id is '0': expected catalogue numbers"),
        (["mine", "--norad-id", 5, "--volume", "sphere:1e9"], "'sphere:1e9' is not a screening volume"),
        (["mine", "--norad-id", 5, "--hours", "nan"], "nan hours is not allowed"),
        (["mine", "--norad-id", 5, "--hours", "2 days"], "--hours is '2 days'"),
        (["mine", "--norad-id", 5, "--radius", "0"], "'0' is not allowed as the hard-body radius"),
        (["mine", "--norad-id", 5, "--radius", ""], "'' is not allowed as the hard-body radius"),
        (["mine", "--norad-id", 5, "--radius", "big"], "expected shadow, bounding, or 0.01 to 100 m"),
        (["mine", "--object-volume", "5"], "'5' is not an object with its volume"),
        (["mine", "--object-volume", "=sphere:1"], "is not an object with its volume"),
        (["mine", "--object-volume", "5=cube:1"], "'cube:1' is not a screening volume"),
        (["mine", "--object-volume", "5=sphere:1", "--object-volume", "5=sphere:2"], "5 is given twice"),
    ],
)
def test_values_that_are_refused(told: Told, words: list[object], message: str) -> None:
    told("create", *words, code=2)
    assert message in told.err.replace("│", "")
    assert told("list", "--json") == "[]\n"


def test_what_there_is_not(told: Told) -> None:
    for words in (["show", "mine"], ["change", "mine", "--hours", 3], ["remove", "mine"]):
        told(*words, code=2)
        assert "There is no fleet 'mine' in" in told.err
    told("create", "mine", "--name-pattern", "A*")
    told("show", "MINES", code=2)
    assert "There is no fleet 'MINES' in" in told.err
    assert "did you mean 'mine'?" in told.err
    told("show", "x", code=2)
    assert "did you mean" not in told.err
    told("create", "Mine", "--norad-id", 5, code=2)
    assert "A fleet named 'mine' already exists (id 1)." in told.err
    told("change", "mine", "--without", 5, code=2)
    assert "has no object 5 that was added by number" in told.err
    told("change", "mine", "--name-pattern", "", code=2)
    assert "has no objects" in told.err


@pytest.mark.slow
def test_its_objects_in_the_newest_run_are_told(told_with_run: Told) -> None:
    told = told_with_run
    catalogue = json.loads(told("create", "all", "--name-pattern", "*", "--json"))
    assert catalogue["members"] > 500
    shown = json.loads(told("show", "all", "--json"))["satellites"]
    number, name = shown[0]["norad_id"], shown[0]["name"]
    made = told("create", "mine", "--norad-id", number, "--norad-id", 999_999_999)
    assert made == (
        f"fleet 2 'mine' is made: 1 object in the newest run ({number} {name}), volume handbook\n"
    )
    note, searching, searched = told.err.splitlines()
    assert note == "note: not in the newest run: 999999999"
    assert searching == "searching now (Ctrl-C leaves it to the next run)"
    assert re.fullmatch(r"searched: \d+ events? in the volumes around 1 object", searched)
    assert json.loads(told("show", "mine", "--json"))["satellites"] == [
        {"norad_id": number, "name": name, "volume": "handbook", "hours": None}
    ]
    assert name in told("show", "mine")
    told("create", "none", "--name-pattern", "NO SUCH NAME*")
    assert told.err.startswith(
        "note: the pattern 'NO SUCH NAME*' matches no object of the newest run\nsearching"
    )


@pytest.mark.slow
def test_a_pattern_that_fits_too_much_is_refused(
    told_with_run: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_with_run
    told("create", "before", "--name-pattern", "*")
    told("create", "mine", "--name-pattern", "NO SUCH NAME")
    monkeypatch.setattr("storage.fleets.members.MOST_MEMBERS", 100)
    told("create", "all", "--name-pattern", "*", code=1)
    assert "more than the 100 allowed: its pattern '*' matches too many names" in told.err
    told("change", "mine", "--name-pattern", "*", code=1)
    listed = json.loads(told("list", "--json"))
    # The catalogue has outgrown the first; the list still has it.
    assert [(one["name_pattern"], one["members"]) for one in listed] == [("*", None), ("NO SUCH NAME", 0)]
