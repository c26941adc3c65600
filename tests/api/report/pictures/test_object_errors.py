"""The picture of an object's errors shows the law and the differences that are told."""

from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from typer.testing import CliRunner

from api.report.pictures.object_errors import AXES, SMALLEST_M, error_sheet
from screening.errors import UsageError
from screening.risk.views.object_errors import ObjectErrors
from skysieve.command_line import app
from storage.pictures import style
from storage.reading.object_errors import object_errors
from tests.object_history import ObjectHistory, publish_history


@pytest.fixture
def history(store: Path) -> ObjectHistory:
    return publish_history(store)


def texts(figure: Figure) -> str:
    found = [*figure.texts, *figure.legends[0].get_texts()]
    return " ".join(text.get_text() for text in found).replace("\n", " ")


@pytest.mark.slow
def test_lines_are_the_law_and_points_the_differences(history: ObjectHistory, store: Path) -> None:
    found = object_errors(store, history.norad_id)
    figure = error_sheet(found)
    assert [axes.get_title(loc="left") for axes in figure.axes] == list(AXES)
    for place, axes in enumerate(figure.axes):
        sigma, within, points = axes.lines
        for line, values_m in ((sigma, found.law.sigma_rtn_m), (within, found.law.within_95_rtn_m)):
            assert np.array_equal(line.get_xdata(), found.law.age_days)
            assert np.array_equal(line.get_ydata(), values_m[:, place])
        drawn_m = np.abs(found.differences.missed_rtn_m[:, place]).clip(SMALLEST_M)
        assert np.array_equal(points.get_xdata(), found.differences.age_days)
        assert np.array_equal(points.get_ydata(), drawn_m)
        low_m, high_m = axes.get_ylim()
        assert low_m <= drawn_m.min()
        assert max(drawn_m.max(), within.get_ydata().max()) <= high_m  # type: ignore[union-attr]
    said = texts(figure)
    share = 100.0 * -np.expm1(-found.burns_per_day)
    for part in (str(history.norad_id), found.words, f"({share:.1f} % after 1 d", "3 differences of its own"):
        assert part in said, part


@pytest.mark.slow
def test_without_a_history_the_law_alone_is_drawn(history: ObjectHistory, store: Path) -> None:
    figure = error_sheet(object_errors(store, history.alone))
    assert not len(figure.axes[0].lines[-1].get_xdata())  # type: ignore[arg-type]
    assert "no earlier set of it in the store" in texts(figure)


@pytest.mark.slow
def test_the_command_writes_what_it_is_asked_for(history: ObjectHistory, store: Path, tmp_path: Path) -> None:
    def asked(*words: str) -> BaseException | None:
        command = ["objects", "show", str(history.norad_id), *words, "--store", str(store)]
        return CliRunner().invoke(app, command).exception

    png, pdf, svg = (tmp_path / f"errors.{kind}" for kind in ("png", "pdf", "svg"))
    for file in (png, pdf, svg):
        assert asked("--errors", "--output", str(file)) is None
    picture = matplotlib.image.imread(png)[..., :3]
    for color in (style.PRIMARY, style.INK):
        assert (np.abs(picture - to_rgb(color)).max(axis=-1) < 0.02).sum() > 300, color
    assert pdf.read_bytes().startswith(b"%PDF")
    assert f"Errors of {history.norad_id}" in svg.read_text()
    for words in (("--errors", "--output", "errors.gif"), ("--output", str(png))):
        assert isinstance(asked(*words), UsageError)


def test_what_burns_make_of_it_is_said(history: ObjectHistory, store: Path) -> None:
    found: ObjectErrors = object_errors(store, history.norad_id)
    share = -np.expm1(-found.burns_per_day)
    assert f"one time in {1.0 / share:,.0f} it burns in between" in found.words
