"""What a report says of the path of each side, and of an event whose paths have changed."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from api.report.contents import Report
from api.report.numbers import sections
from api.report.paper.event_sheets import event_pages, wide_sheet
from api.report.summary import main_numbers, sentences
from screening.orbits.ephemerides import Ephemeris, Segment
from storage.rows.words.numbers import number
from storage.trajectories.trajectory_file import About, Trajectory
from tests.api.report.paper.test_event_sheets import check, rows_of

ADDED = datetime(2024, 10, 31, 23, tzinfo=UTC)


def kept(norad_id: int) -> Trajectory:
    none = np.empty(0, "M8[us]")
    segment = Segment(none, np.empty((0, 3)), *np.array([0, 1], "M8[us]"), none, np.empty((0, 6, 6)))
    about = About("definitive", "a.oem", "0" * 64, ADDED, restricted=False)
    return Trajectory("2e65fadf8b9d6b72", about, Ephemeris(norad_id, "", "", (segment,)))


@pytest.fixture(scope="module")
def flown(worst: Report) -> Report:
    """Return a report on an event with the primary on its operator's ephemeris."""
    primary = worst.event.primary._replace(
        trajectory="ephemeris", covariance_source="trajectory", manoeuvring=False
    )
    return worst._replace(
        event=worst.event._replace(primary=primary), trajectories=(kept(primary.norad_id), None)
    )


def test_the_words_name_the_ephemeris_and_no_age_of_it(flown: Report) -> None:
    said = " ".join(sentences(flown))
    name, other = (side.name.strip() for side in flown.event.sides)
    ages = [f"{number(age, 0)} h" for age in flown.event.ages_hours]
    assert f"{name} flies on its operator's ephemeris (2e65fadf8b9d6b72, added 2024-10-31 23:00 UTC; " in said
    assert "the operator's covariance" in said
    assert f"At TCA the element set of {other} is {ages[1]} old." in said
    assert "the element sets are" not in said
    assert ("age of the element sets", f"ephemeris, {ages[1]}") in main_numbers(flown)


def test_the_table_has_no_age_of_an_ephemeris(flown: Report, worst: Report) -> None:
    rows, before = rows_of(flown), rows_of(worst)
    assert rows["On its"].values == ("operator's ephemeris", "element set")
    assert rows["ephemeris"].values == ("2e65fadf8b9d6b72", "–")
    assert rows["Sigmas from"].values[0] == "its operator"
    for label in ("Element epoch", "Age of the elements"):
        assert rows[label].values == ("–", before[label].values[1])
    assert before["On its"].values == ("element set", "element set")
    assert "ephemeris" not in before


def test_an_ephemeris_that_is_gone_or_bare_is_said(flown: Report) -> None:
    primary = flown.event.primary._replace(covariance_source=None)
    event = flown.event._replace(primary=primary)
    said = " ".join(sentences(flown._replace(event=event, trajectories=(None, None))))
    assert "operator's ephemeris (no longer in the store; without covariance)" in said


def test_a_supplemental_set_is_said_to_be_fitted(worst: Report) -> None:
    secondary = worst.event.secondary._replace(trajectory="supgp")
    report = worst._replace(event=worst.event._replace(secondary=secondary))
    name = secondary.name.strip()
    assert f"The set of {name} is fitted to the operator's ephemeris." in " ".join(sentences(report))
    assert {section.title: section for section in sections(report)}["Objects"].rows[4].values == (
        "element set",
        "supplemental element set",
    )


@pytest.mark.slow
def test_both_values_of_an_event_are_told_where_its_path_changed(flown: Report, worst: Report) -> None:
    before = worst.event._replace(
        miss_distance_m=1204.0, probability_best=3.1e-5, risk_level="high", probability_level="high"
    )
    event = flown.event._replace(
        miss_distance_m=15_310.0, computed_at=before.computed_at + timedelta(minutes=5)
    )
    report = flown._replace(event=event, history=[before])
    name = event.primary.name.strip()
    said = " ".join(sentences(report))
    assert f"UTC the event switched {name} from its element set to its operator's ephemeris: " in said
    assert "the miss went from 1,204 m to 15.3 km, the probability from 3.10e-05 to" in said
    turned = before._replace(primary=before.secondary, secondary=before.primary)
    assert sentences(report._replace(history=[turned])) == sentences(report)
    assert "went from" not in " ".join(sentences(worst))
    for sheet in (wide_sheet(report), *event_pages(report)):
        check(sheet)
