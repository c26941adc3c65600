"""The commands below `objects`, as users and scripts call them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from screening.errors import InputError, StoreError, UsageError
from screening.orbits.elements import ElementArray
from skysieve.command_line import app
from storage.reading.newest_run import connect
from storage.state.object_facts import read_facts
from storage.writing.objects_table import objects_of

Command = Callable[..., Result]


@pytest.fixture
def command(store: Path) -> Command:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["objects", *arguments, "--store", str(store)])

    return run


def test_an_import_tells_counts_and_the_first_rejections(
    command: Command, store: Path, tmp_path: Path
) -> None:
    file = tmp_path / "radii.csv"
    rows = ["5,1,a", "6,,a", *(f"{number},900,a" for number in range(10, 17))]
    file.write_text("\n".join(["ObjectID,HBR,HBRSource", *rows]))
    result = command("import", str(file))
    assert result.exit_code == 0
    assert "hard-body radii: 1 imported, 1 blank, 7 rejected" in result.output
    assert "line 4 (10): HBR 900 m must be from 0.01 to 100 m" in result.output
    assert result.output.count("HBR 900") == 5
    assert "and 2 more" in result.output
    assert f"Stored in {store}; takes effect in the next run." in result.output
    assert "1 imported, 1 blank, 7 rejected; 0 new, 0 changed" in command("import", str(file)).output


def test_an_import_recognises_a_satcat(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "anything.txt"
    file.write_text("NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE\n25544,PAY,+\n")
    assert "types and status (SATCAT): 1 imported, 0 blank, 0 rejected" in command("import", str(file)).output


def test_an_import_of_something_else_shows_what_was_expected(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "gp.csv"
    file.write_text("OBJECT_NAME,OBJECT_ID,EPOCH\n")
    error = command("import", str(file)).exception
    assert isinstance(error, InputError)
    assert str(file) in str(error)
    assert "ObjectID,HBR" in str(error)


def test_a_radius_is_set_shown_and_cleared(command: Command, store: Path) -> None:
    assert "object 25544: hard-body radius 66 m" in command("set", "25544", "--radius-m", "66").output
    assert read_facts(store).overrides.tolist() == [(25544, 66.0)]
    assert "66 m, set 2" in command("show", "25544").output
    shown = json.loads(command("show", "25544", "--json").output)
    assert (shown["norad_id"], shown["override_radius_m"]) == (25544, 66.0)
    assert shown["override_set_at"].endswith("Z")
    assert shown["object_type"] is None
    assert "is removed" in command("set", "25544", "--clear").output
    assert command("set", "25544", "--clear").output == "object 25544: no radius was set by hand\n"
    assert "override" not in command("show", "25544").output.lower()
    assert "nothing is stored" in command("show", "999999").output


def test_what_files_say_is_shown_with_its_source(command: Command, tmp_path: Path) -> None:
    for name, text in (
        ("s.csv", "NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE\n25544,PAY,+\n"),
        ("r.csv", "ObjectID,HBR,HBRSource\n25544,66.1,CARA Protected Primary\n"),
    ):
        (tmp_path / name).write_text(text)
        command("import", str(tmp_path / name))
    shown = command("show", "25544").output
    for part in ("payload", "operational", "66.1 m (CARA Protected Primary)", f"from {tmp_path / 's.csv'}"):
        assert part in shown


@pytest.mark.slow
def test_a_body_is_shown_with_its_source_and_beside_a_person(command: Command, make, store: Path) -> None:
    number = str(low_orbits_in_a_store(make, store)["norad_id"][1])
    shown = command("show", number).output
    for part in (
        *("STARLINK-1008", "2 m in the newest run: its published dimensions", "series", "##"),
        *("In use        not known", "Manoeuvres    yes: satellites of its kind have thrusters"),
    ):
        assert part in shown, part
    body = json.loads(command("show", number, "--json").output)["body"]
    assert (body["radius_m"], body["body_source"]) == (2.0, "series")


def test_a_body_is_shown_without_a_run(command: Command) -> None:
    shown = command("show", "11").output
    for part in ("Known as      Cloud cover satellite", "BSC, US", "0.25 m by its mean shadow", "10 kg"):
        assert part in shown, part
    assert "CC BY 4.0" in shown


def low_orbits_in_a_store(make, store: Path) -> ElementArray:
    """Publish a run of low orbits, one of them a Starlink, and return its element sets."""
    made_up = make.run()
    elements = made_up.elements
    elements["mean_motion_rev_day"], elements["eccentricity"] = 15.2, 0.001
    elements["bstar_per_earth_radius"], elements["epoch_day_fraction"] = 5e-4, 0.25
    elements["name"][1] = "STARLINK-1008"
    make.publish(store, made_up, objects=objects_of(elements, read_facts(store)))
    return elements


@pytest.mark.slow
def test_how_far_off_an_element_set_may_be(command: Command, make, store: Path) -> None:
    number = low_orbits_in_a_store(make, store)["norad_id"][0]
    shown = json.loads(command("show", str(number), "--errors", "--json").output)
    errors, law, differences = (shown.pop(name) for name in ("errors", "law", "differences"))
    words = shown.pop("words")
    assert "burns in between. The store has no earlier set of it to compare with." in words
    assert shown.pop("run_id").startswith("2026")
    assert "Swarm" in shown.pop("source")
    assert shown == {
        "norad_id": number,
        "name": "MADE UP 0",
        "regime": "leo",
        "class": "ballistic",
        "manoeuvring": False,
        "element_epoch": "2026-11-21T06:00:00Z",
        "hard_body_radius_m": 2.0,
        "hard_body_source": "type",
        "factors_rtn": None,
        "tail_share": 0.15,
        "tail_scale_rtn": [4.0, 6.0, 3.0],
        "burns_per_day": 0.02,
        "burn_dv_m_s": 0.04,
        "measured": [],
    }
    assert [set(each) for each in errors] == [{"age_days", "sigma_r_m", "sigma_t_m", "sigma_n_m"}] * 4
    assert [each["age_days"] for each in errors] == [0, 1, 3, 7]
    assert differences == {"age_days": [], "missed_rtn_m": []}
    by_age = dict(zip(law["age_days"], law["sigma_rtn_m"], strict=True))
    assert [by_age[each["age_days"]][1] for each in errors] == [each["sigma_t_m"] for each in errors]
    in_track_m = [each["sigma_t_m"] for each in errors]
    assert in_track_m == sorted(in_track_m)
    assert in_track_m[-1] > 10_000.0, "drag as that of Swarm"
    text = command("show", str(number), "--errors").output
    for part in (
        "leo",
        "ballistic",
        "2026-11-21T06:00:00Z",
        "2 m (type)",
        "Swarm",
        f"{in_track_m[-1]:,.0f}",
        words,
    ):
        assert part in text, part


@pytest.mark.slow
def test_what_thrusts_is_told(command: Command, make, store: Path) -> None:
    number = low_orbits_in_a_store(make, store)["norad_id"][1]
    shown = json.loads(command("show", str(number), "--errors", "--json").output)
    assert (shown["class"], shown["manoeuvring"]) == ("starlink", True)
    assert "tens of kilometres off" in command("show", str(number), "--errors").output


@pytest.mark.slow
def test_errors_of_an_object_that_was_not_screened_are_not_known(command: Command, make, store: Path) -> None:
    assert isinstance(command("show", "5", "--errors").exception, StoreError)
    low_orbits_in_a_store(make, store)
    error = command("show", "5", "--errors").exception
    assert isinstance(error, UsageError)
    assert "No object 5 among the 30 objects of the run 20261121T060000Z" in str(error)


@pytest.mark.parametrize(
    "arguments",
    [
        ("25544",),
        ("25544", "--radius-m", "5", "--clear"),
        ("25544", "--radius-m", "0"),
        ("5", "--radius-m", "nan"),
    ],
)
def test_wrong_usage_is_refused(command: Command, store: Path, arguments: tuple[str, ...]) -> None:
    assert isinstance(command("set", *arguments).exception, UsageError)
    assert not store.exists()


@pytest.mark.parametrize("number", ["0", "1000000000", "ISS"])
def test_a_number_out_of_range_is_refused(command: Command, number: str) -> None:
    assert command("set", number, "--radius-m", "5").exit_code == 2
    assert command("show", number).exit_code == 2


@pytest.mark.slow
def test_facts_stand_in_the_objects_of_a_published_run(command: Command, make, store: Path) -> None:
    made_up = make.run()
    number = int(made_up.elements["norad_id"][0])
    command("set", str(number), "--radius-m", "12.5")
    make.publish(store, made_up, objects=objects_of(made_up.elements, read_facts(store)))
    with connect(store) as connection:
        counts = connection.execute(
            "SELECT hard_body_source, count(*), min(hard_body_radius_m) FROM objects GROUP BY 1 ORDER BY 1"
        ).fetchall()
        status = connection.execute("SELECT list(DISTINCT status ORDER BY status) FROM objects").fetchone()
    assert counts == [("override", 1, 12.5), ("type", len(made_up.elements) - 1, 0.15)]
    assert status == (["inactive", "unknown"],)
