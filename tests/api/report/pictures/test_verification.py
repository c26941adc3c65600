"""The pictures of a verification show its numbers."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from api.report.pictures.verification import (
    FATES,
    LEAST_PROBABILITY,
    LEAST_RATIO,
    PICTURES,
    SAID_PERCENT,
    draw_errors,
    draw_probabilities,
    draw_regions,
    draw_warnings,
)
from storage.verification.record import Verification
from tests.api.report.verified import VERIFIED, with_rows


def drawn(figure: Figure | None, axes: int = 0) -> dict[str, tuple[list[float], list[float]]]:
    """Return the points of each line but the dashed one, by the first words of its label."""
    assert figure is not None
    handles, labels = figure.axes[axes].get_legend_handles_labels()
    lines = zip(labels, (getattr(one, "lines", [one])[0] for one in handles), strict=True)
    points = {label: (list(line.get_xdata()), list(line.get_ydata())) for label, line in lines}
    as_said = points.pop("as said")
    assert as_said[0] == as_said[1] or set(as_said[1]) == {1.0}
    return points


def test_regions_of_one_day_and_of_the_farthest_with_enough() -> None:
    figure = draw_regions(VERIFIED)
    assert figure is not None
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["one day ahead", "3 days ahead"]
    for place, day in enumerate((1, 3)):  # of day 5 there are but 99
        of_day = {
            f"{one.kind}, {one.encounters:,.0f}": one for one in VERIFIED.regions if one.days_ahead == day
        }
        points = drawn(figure, place)
        assert set(points) == set(of_day)
        for label, one in of_day.items():
            held = [one.inside_50, one.inside_80, one.inside_95, one.inside_99]
            assert points[label][0] == list(SAID_PERCENT)
            assert points[label][1] == pytest.approx([100.0 * share for share in held])
        for bars, one in zip(figure.axes[place].containers, of_day.values(), strict=True):
            ends = bars[2][0].get_segments()[0][:, 1]  # type: ignore[index]
            assert ends == pytest.approx([100.0 * end for end in one.between[0]])
    for ahead, said in ((1, "No farther day has 100 encounters."), (3, "None was predicted a day ahead.")):
        alone = draw_regions(with_rows(regions=[one for one in VERIFIED.regions if one.days_ahead == ahead]))
        assert alone is not None
        assert len(alone.axes) == 1
        assert alone.texts[-1].get_text() == said
    only = with_rows(regions=[one for one in VERIFIED.regions if one.days_ahead == 5])
    assert draw_regions(only) is None


def test_probabilities_said_and_come() -> None:
    points = drawn(draw_probabilities(VERIFIED))
    assert points == {
        "one day ahead, 310": ([3.1e-5, 2.5e-6], [2.7e-5, LEAST_PROBABILITY]),
        "2 days ahead, 41": ([1.5e-4], [4.5e-4]),
    }
    figure = draw_probabilities(VERIFIED)
    assert figure is not None
    low, high = figure.axes[0].get_ylim()
    assert low < LEAST_PROBABILITY < 4.5e-4 < high


def test_errors_of_laws_by_days() -> None:
    points = drawn(draw_errors(VERIFIED))
    assert points == {
        "leo (3,408)": ([0, 1], [0.7, 1.1]),
        "starlink (60)": ([1], [LEAST_RATIO]),
    }


def test_bars_of_warnings_are_shares_of_critical_and_high_ones() -> None:
    figure = draw_warnings(VERIFIED)
    assert figure is not None
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["10", "1,250"]
    shares = np.array([[bar.get_height() for bar in bars] for bars in axes.containers])  # type: ignore[attr-defined]
    # One day ahead 4 critical (all stayed so) and 6 high; the medium ones have no part in it.
    assert shares[:, 0] == pytest.approx([50.0, 20.0, 10.0, 20.0])
    assert shares[:, 1] == pytest.approx([8.0, 24.0, 40.0, 28.0])
    assert [bars.get_label() for bars in axes.containers] == [label for label, _ in FATES.values()]
    bottoms = np.array([[bar.get_y() for bar in bars] for bars in axes.containers])  # type: ignore[attr-defined]
    assert bottoms == pytest.approx(np.cumsum(shares, axis=0) - shares)


def test_each_has_title_axes_and_a_sentence_and_nothing_without_rows() -> None:
    empty: Verification = with_rows(regions=[], errors=[], probabilities=[], warnings=[])
    for picture in PICTURES.values():
        figure = picture.draw(VERIFIED)
        assert figure is not None
        assert figure.texts[0].get_text().endswith("?")
        assert all(axes.get_xlabel() and axes.get_ylabel() for axes in figure.axes)
        assert picture.reading.endswith(".")
        assert picture.draw(empty) is None
        assert picture.missing.endswith(".")
