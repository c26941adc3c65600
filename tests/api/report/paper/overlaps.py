"""Look for texts on a sheet that run over its edge or over each other, or are too small to read."""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

# A text may stick out of its line by a descender.
READABLE_PT = 8.0
TOUCHING = 0.9  # of the box, around its middle


def boxes(figure: Figure) -> list[tuple[Text, Bbox]]:
    """Return every text on a sheet with the rectangle it covers."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    found = [*figure.texts]
    for axes in figure.axes:
        found += [*axes.texts, axes.title, axes.xaxis.label, axes.yaxis.label]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())  # ticks beyond are there, and not drawn
            found += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        legend = axes.get_legend()
        found += [] if legend is None else legend.get_texts()
    return [
        (text, text.get_window_extent(renderer)) for text in found if text.get_text() and text.get_visible()
    ]


def check(figure: Figure) -> None:
    """Assert that every text is on the sheet, is not smaller than READABLE_PT, and covers no other."""
    width, height = figure.bbox.width, figure.bbox.height
    placed = boxes(figure)
    for text, box in placed:
        assert text.get_fontsize() >= READABLE_PT, text.get_text()
        assert not ("$" in text.get_text() and text.get_parse_math()), text.get_text()  # not thread-safe
        assert 0 <= box.x0 <= box.x1 <= width, text.get_text()
        assert 0 <= box.y0 <= box.y1 <= height, text.get_text()
    on_paper = [(text, box) for text, box in placed if text.axes is None]
    for i, (text, box) in enumerate(on_paper):
        inner = box.shrunk(TOUCHING, TOUCHING)
        for other, covered in on_paper[:i]:
            assert not inner.overlaps(covered), (text.get_text(), other.get_text())
