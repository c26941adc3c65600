"""An owner's objects on the command line: its events, and a fleet of its satellites."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from screening.errors import UsageError
from storage.commands.fleets import app as fleets
from storage.commands.store import app
from storage.state.fleets import fleet
from tests.made_up_run import make_run, publish, publish_owned


def listed(store: Path, *words: str) -> list[dict[str, object]]:
    result = CliRunner().invoke(app, ["events", "--json", *words, "--store", str(store)])
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, object]] = json.loads(result.stdout)
    return found


def ids(events: list[dict[str, object]], *of: list[int]) -> list[object]:
    """Return the ids of events that have an object of each group of numbers."""
    sides = ("primary_norad_id", "secondary_norad_id")
    return [one["id"] for one in events if all({one[side] for side in sides} & {*numbers} for numbers in of)]


@pytest.mark.slow
def test_events_are_those_of_an_owner_whatever_its_case(store: Path) -> None:
    owned = publish_owned(store, make_run())
    every = listed(store)
    for word in ("SES", "NRO/NRL"):
        expected = ids(every, owned[word])
        assert 0 < len(expected) < len(every)
        assert [one["id"] for one in listed(store, "--owner", word.lower())] == expected
    assert [one["id"] for one in listed(store, "--owner", "nrl")] == ids(every, owned["NRO/NRL"])
    number = owned["SESA"][0]
    both = listed(store, "--owner", "SES", "--norad-id", str(number))
    assert [one["id"] for one in both] == ids(every, owned["SES"], [number])


@pytest.mark.slow
def test_an_unknown_owner_is_an_error_with_those_that_are_near(store: Path) -> None:
    publish_owned(store, make_run())
    with pytest.raises(UsageError, match=r"no owner 'SE': did you mean SES or SESA\?"):
        CliRunner().invoke(app, ["events", "--owner", "SE", "--store", str(store)], catch_exceptions=False)


def test_a_run_that_knows_no_owner_says_so(store: Path) -> None:
    publish(store, make_run())
    with pytest.raises(UsageError, match="no owner for any object"):
        CliRunner().invoke(app, ["events", "--owner", "SES", "--store", str(store)], catch_exceptions=False)


@pytest.mark.slow
def test_a_fleet_has_the_satellites_of_an_owner(store: Path) -> None:
    made_up = make_run()
    owned = publish_owned(store, made_up)
    names = dict(zip(made_up.elements["norad_id"].tolist(), made_up.elements["name"].tolist(), strict=True))

    def satellites(word: str) -> list[int]:
        return [one for one in owned[word] if not names[one].endswith((" DEB", " R/B"))]

    def run(*words: str) -> None:
        result = CliRunner().invoke(fleets, [*words, "--store", str(store)], catch_exceptions=False)
        assert result.exit_code == 0, result.stderr

    run("create", "ses", "--owner", "ses")
    assert [one.norad_id for one in fleet(store, "ses").objects] == satellites("SES")
    run("change", "ses", "--owner", "IRIDS", "--without", str(satellites("SES")[0]))
    left = sorted(satellites("SES")[1:] + satellites("IRIDS"))
    assert [one.norad_id for one in fleet(store, "ses").objects] == left
    with pytest.raises(UsageError, match="no owner 'INTEL'"):
        run("create", "none", "--owner", "INTEL")
