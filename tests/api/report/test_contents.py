"""What a report warns of, and what it says in words."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from api.report.contents import Report, notices
from api.report.numbers import sections
from api.report.summary import sentences
from api.settings import ApiSettings
from storage.rows.words.numbers import (
    chances,
    distance,
    instant,
    mass,
    metres,
    number,
    odds,
    place,
    significant,
    span,
    speed,
)
from storage.settings import load_settings


def first_words(texts: list[str]) -> list[str]:
    return [text.partition(":")[0] for text in texts]


def test_old_synthetic_and_stale_runs_are_marked(worst: Report) -> None:
    settings = load_settings(ApiSettings)
    finished = worst.run.finished.replace(tzinfo=UTC)
    run = replace(worst.run, historic=False, synthetic=False, catalogue_epoch=finished)
    soon, late = finished + settings.stale_after * 0.9, finished + settings.stale_after * 1.1
    assert notices(run, settings, soon) == []
    assert first_words(notices(run, settings, late)) == ["Stale"]
    old = replace(run, catalogue_epoch=finished - 2 * settings.blind_after)
    assert notices(old, settings, soon)[0].startswith("No new element sets since")
    both = replace(old, historic=True, synthetic=True)
    assert first_words(notices(both, settings, late)) == [
        "Synthetic catalogue",
        "Historic catalogue",
        "Stale",
    ]
    assert f"{run.window_start:%Y-%m-%d}" in notices(both, settings, soon)[1]


def test_the_words_tell_what_the_numbers_do(reports: list[Report], bare: Report) -> None:
    for report in reports:
        said = " ".join(sentences(report))
        assert distance(report.event.miss_distance_m) in said
        assert f"level is {report.event.levels[0]}" in said
        assert ("is diluted" in said) == (report.event.diluted is True)
        assert ("No collision probability" in said) == (report.event.probability_best is None)
        assert ("larger, up to" in said) == (report.event.diluted is True)
        assert "No number here justifies a manoeuvre on its own" in said
        assert "{" not in said, "a number was left out"
        thrusts = any(side.manoeuvring for side in report.event.sides)
        assert ("tens of kilometres off" in said) == (thrusts and report.event.probability_2d is not None)
    assert "has not been rated" in " ".join(sentences(bare))


def test_the_words_tell_what_a_collision_would_leave_and_what_the_sizes_allow(reports: list[Report]) -> None:
    kinds = set()
    for report in reports:
        said, event, curve = " ".join(sentences(report)), report.event, report.geometry.radius
        shatters = {True: "would shatter both;", False: "would not shatter both;", None: "is unknown"}
        assert f"A collision {shatters[event.catastrophic]}" in said.replace(
            "The outcome of a collision", "A collision"
        )
        larger = curve is not None and (curve.bounding_radius_m or 0.0) > 1.001 * curve.hard_body_radius_m
        assert ("With the spheres around both" in said) == larger
        if larger:
            assert curve is not None
            assert f"{metres(curve.bounding_radius_m)} m together, the probability would be at most" in said
            assert f"at most {curve.probability_bounding:.2e}." in said
        kinds |= {event.catastrophic, larger}
    assert kinds == {True, False, None}


def test_the_table_tells_both_radii_of_each_object_and_whose_numbers_they_are(reports: list[Report]) -> None:
    for report in reports:
        rows = {row.label.strip(): row.values for section in sections(report) for row in section.rows}
        published = [(one.radius_m, one.bounding_radius_m, one.mass_kg) for one in report.objects]
        expected = zip(*published, strict=True)
        for name, values, written in zip(
            ("Mean-shadow radius", "Bounding radius", "Mass"), expected, (metres, metres, mass), strict=True
        ):
            assert rows[name] == tuple(map(written, values))
        assert rows["Pieces"] == (significant(report.event.fragments_10cm),)
        assert ("Sizes, masses" in rows) == any(one.radius_m is not None for one in report.objects)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (number(-12.34), "−12.3"),
        (number(-0.01), "0.0"),
        (number(None), "–"),
        (number(float("nan")), "–"),
        (mass(1.334), "1.33"),
        (mass(42.3), "42"),
        (significant(1211.4), "1,211"),
        (significant(42.34), "42.3"),
        (significant(-0.00136), "−0.00136"),
        (significant(-2.5e-5), "−2.50e-05"),
        (significant(0.0), "0"),
        (significant(None), "–"),
        (distance(9_999.6), "10,000 m"),
        (distance(12_345.0), "12.3 km"),
        (speed(4.57), "4.6 m/s"),
        (speed(14_926.7), "14.93 km/s"),
        (odds(1.26e-4), "1 in 7,940"),
        (odds(0.25), "1 in 4"),
        (odds(0.4), "1 in 2.5"),
        (odds(1 / 12_345), "1 in 12,300"),
        (odds(6.66e-7), "1 in 1.5 million"),
        (odds(1.01e-9), "1 in 990 million"),
        (odds(1e-12), ""),
        (odds(0.0), ""),
        (odds(None), ""),
        (chances(1.26e-4), "1 in 7,940"),
        (chances(0.7), "above 1 in 2"),
        (chances(1e-12), "next to none"),
        (chances(None), "not defined"),
        (place(-34.76, 144.3), "34.8° S, 144.3° E"),
        (instant(None), "–"),
        (span(timedelta(seconds=100)), "2 min"),
        (span(timedelta(hours=30)), "30.0 h"),
        (span(timedelta(days=4)), "4.0 days"),
    ],
)
def test_numbers_as_people_read_them(said: str, expected: str) -> None:
    assert said == expected


def test_a_time_is_rounded_and_not_cut(worst: Report) -> None:
    time = worst.event.tca.replace(second=59, microsecond=999_600)
    assert instant(time) == f"{time.replace(microsecond=0) + timedelta(seconds=1):%Y-%m-%d %H:%M:%S}.000"
