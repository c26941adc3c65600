"""Supplemental element sets replace general ones, and where there are none the run goes on with these."""

import io
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from flows.settings import SUPGP_FILES, FlowSettings
from flows.sources.download import Limits, Web
from flows.sources.files import Source
from flows.sources.supplemental import Supplemented, with_supplemental_sets
from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from screening.orbits.timegrid import instants
from screening.vocabulary import TRAJECTORY_KINDS
from tests.flows.made_up_catalogue import catalogue_csv
from tests.flows.misbehaving_server import (
    Answer,
    MisbehavingServer,
    by_path,
    of_length,
    silent,
    status,
    tagged,
    text,
)

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)  # the made-up general sets have epochs six hours before
HOUR = timedelta(hours=1)
SUPGP = TRAJECTORY_KINDS.index("supgp")
WEB = Web(lambda _seconds: None, limits=Limits(silence_s=0.3))
PATH = "/NORAD/elements/supplemental/sup-gp.php?FILE="
pytestmark = pytest.mark.timeout(60)


@pytest.fixture(scope="module")
def general() -> Source:
    return Source("celestrak", "0" * 64, parse_catalogue(catalogue_csv(20)), "downloaded")


@pytest.fixture
def settings(server: MisbehavingServer, store: Path) -> FlowSettings:
    return FlowSettings(store=store, celestrak_url=server.url, supgp="starlink,iss")


def sets(general: Source, hours_and_numbers: list[tuple[float, int]]) -> ElementArray:
    """Return sets of objects with epochs so many hours from NOW, which their mean motions tell."""
    made = []
    for hours, number in hours_and_numbers:
        one = general.content.elements[:1].copy()
        one["norad_id"], one["name"], one["object_id"] = number, "OTHER NAME", ""
        one["epoch_day_fraction"], days = (0.25 + hours / 24.0) % 1.0, np.floor(0.25 + hours / 24.0)
        one["epoch_jd"] += days
        one["mean_motion_rev_day"] = 15.0 + hours / 1000.0
        made.append(one)
    return np.concatenate(made)


def csv(elements: ElementArray) -> bytes:
    stream = io.StringIO()
    write_omm_csv(elements, stream)
    return stream.getvalue().encode()


def published(starlink: Answer, iss: Answer | None = None) -> Answer:
    answers = {f"{PATH}starlink&FORMAT=csv": starlink}
    if iss is not None:
        answers[f"{PATH}iss&FORMAT=csv"] = iss
    return by_path(answers)


def supplement(general: Source, settings: FlowSettings, now: datetime = NOW) -> Supplemented:
    return with_supplemental_sets(general, settings, now, WEB)


def hours_used(found: Supplemented) -> dict[int, float]:
    """Return of the objects with supplemental sets, which one each has, by the hours of its epoch."""
    elements = found.source.content.elements
    used = elements[elements["trajectory"] == SUPGP]
    hours = instants(used["epoch_jd"], used["epoch_day_fraction"]) - np.datetime64(NOW.replace(tzinfo=None))
    return dict(
        zip(used["norad_id"].tolist(), (hours / np.timedelta64(1, "h")).round(3).tolist(), strict=True)
    )


def test_a_supplemental_set_replaces_the_general_one_and_keeps_its_names(
    server: MisbehavingServer, settings: FlowSettings, general: Source
) -> None:
    server.answer = published(
        text(csv(sets(general, [(-1.0, 3), (-2.0, 7)]))), text(csv(sets(general, [(-3.0, 9)])))
    )
    found = supplement(general, settings)
    assert hours_used(found) == {3: -1.0, 7: -2.0, 9: -3.0}
    assert found.problems == ()
    assert found.source.name == "celestrak with supgp"
    assert "3 of 20" in found.said
    after, before = found.source.content.elements, general.content.elements
    np.testing.assert_array_equal(after["name"], before["name"])
    np.testing.assert_array_equal(after["object_id"], before["object_id"])
    np.testing.assert_array_equal(after["norad_id"], before["norad_id"])
    others = after["trajectory"] != SUPGP
    assert others.sum() == 17
    np.testing.assert_array_equal(after[others], before[others])
    assert after["mean_motion_rev_day"][2] == pytest.approx(14.999)


@pytest.mark.parametrize(
    ("epochs_h", "used_h"),
    [
        ((-12.0, -6.0, 0.5, 6.0), -6.0),  # the ISS: one after the other, to six hours each
        ((-6.0, 0.0, 6.0), 0.0),
        ((2.0, 8.0), 2.0),  # after a planned manoeuvre, or for want of another
        ((8.0, 2.0), 2.0),
    ],
)
def test_of_several_the_one_counts_that_holds_at_the_start(
    server: MisbehavingServer,
    settings: FlowSettings,
    general: Source,
    epochs_h: tuple[float, ...],
    used_h: float,
) -> None:
    server.answer = published(
        text(csv(sets(general, [(-1.0, 3)]))), text(csv(sets(general, [(hours, 5) for hours in epochs_h])))
    )
    assert hours_used(supplement(general, settings)) == {3: -1.0, 5: used_h}


def test_an_old_one_and_one_of_an_unknown_object_are_left_out(
    server: MisbehavingServer, settings: FlowSettings, general: Source
) -> None:
    server.answer = published(
        text(csv(sets(general, [(-53.0, 3), (-55.0, 4), (-1.0, 72_001)]))),
        text(csv(sets(general, [(-1.0, 5)]))),
    )
    assert hours_used(supplement(general, settings)) == {3: -53.0, 5: -1.0}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (status("404 Not Found"), "404"),
        (status("403 Forbidden"), "403"),
        (text(b"No GP data found"), "neither OMM nor TLE"),
        (text(b""), "it is empty"),
        (of_length(100_000, b"x" * 5_000), "was cut off"),
        (silent, "sent nothing for"),
    ],
)
def test_a_file_that_fails_is_said_and_the_others_count(
    server: MisbehavingServer,
    settings: FlowSettings,
    general: Source,
    answer: Answer,
    told: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.answer = published(answer, text(csv(sets(general, [(-1.0, 5)]))))
    found = supplement(general, settings)
    assert hours_used(found) == {5: -1.0}
    (problem,) = found.problems
    assert problem.startswith("supgp:starlink: ")
    assert told in problem
    assert [record.levelno for record in caplog.records if record.message == problem] == [logging.WARNING]


def test_without_any_the_run_goes_on_with_general_sets_and_says_so(
    server: MisbehavingServer, settings: FlowSettings, general: Source
) -> None:
    server.answer = status("503 Service Unavailable")
    found = supplement(general, settings)
    assert found.source is general
    assert len(found.problems) == 2
    assert "no supplemental" in found.said


def test_they_are_asked_for_as_catalogues_are(
    server: MisbehavingServer, settings: FlowSettings, general: Source
) -> None:
    starlink, iss = (csv(sets(general, [(-1.0, number)])) for number in (3, 5))
    server.answer = published(tagged(starlink, '"s"'), tagged(iss, '"i"'))
    for hours in (0.0, 3.0):
        assert hours_used(supplement(general, settings, NOW + hours * HOUR)) == {3: -1.0, 5: -1.0}
    assert [request.headers.get("if-none-match") for request in server.requests] == [None, None, '"s"', '"i"']
    server.answer = status("500 Internal Server Error")
    found = supplement(general, settings, NOW + 6 * HOUR)
    assert hours_used(found) == {3: -1.0, 5: -1.0}  # the last good ones
    assert len(found.problems) == 2


@pytest.mark.parametrize("wrong", ["starlink,,iss", "starlink&FORMAT=tle", "../gp"])
def test_a_name_that_is_none_is_refused_at_once(wrong: str) -> None:
    with pytest.raises(ValueError, match="names of CelesTrak's files"):
        FlowSettings(supgp=wrong)


def test_all_files_some_or_none_are_wanted() -> None:
    assert {FlowSettings(supgp=word).supgp for word in (True, "true", "1", "On")} == {SUPGP_FILES}
    assert {FlowSettings(supgp=word).supgp for word in (False, "false", "0", "")} == {""}
    assert FlowSettings().supgp == ""
    assert FlowSettings(supgp=" iss, starlink").supgp == "iss,starlink"
