"""The picture that previews of links show, a PNG: the main numbers, and the likeliest events."""

from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO

from matplotlib.figure import Figure

from api.site.contents import Contents
from api.site.frame import NAME, PREVIEW_SIZE
from storage.pictures import style
from storage.rows.words.numbers import minute

_DPI = 100
_LEAST = 1e-9


def preview_png(contents: Contents, numbers: Sequence[tuple[str, str]]) -> bytes:
    """Return the picture; `numbers`: of the front page, of which it shows the first of each kind."""
    run = contents.run
    figure = Figure(figsize=(PREVIEW_SIZE[0] / _DPI, PREVIEW_SIZE[1] / _DPI), dpi=_DPI, facecolor=style.PAPER)
    figure.text(0.06, 0.865, NAME, fontsize=38, fontweight="bold", color=style.INK)
    window = f"{minute(run.window_start)} to {minute(run.window_end)} UTC"
    figure.text(0.06, 0.79, window, fontsize=19, color=style.MUTED)
    for place, (value, label) in enumerate((numbers[0], numbers[1], numbers[6])):
        left = 0.06 + 0.31 * place
        figure.text(left, 0.65, value, fontsize=36, fontweight="bold", color=style.PRIMARY)
        figure.text(left, 0.59, label.partition(":")[0], fontsize=16, color=style.MUTED)
    axes = figure.add_axes((0.09, 0.12, 0.85, 0.4))
    style.tidy(axes)
    events = [one for one in contents.likeliest if (one.decisive_probability or 0.0) >= _LEAST]
    hours = [(one.tca - run.window_start) / timedelta(hours=1) for one in events]
    chances = [one.decisive_probability or _LEAST for one in events]
    axes.scatter(
        hours, chances, s=42, c=[style.TIERS[one.levels[0]] for one in events], alpha=0.8, linewidths=0
    )
    axes.set(yscale="log", xlim=(0.0, (run.window_end - run.window_start) / timedelta(hours=1)))
    axes.tick_params(labelsize=15)
    axes.set_xlabel(
        "hours into the window; upwards: probability of a collision", fontsize=15, color=style.MUTED
    )
    stream = BytesIO()
    figure.savefig(stream, format="png", metadata={"Software": "skysieve"})
    return stream.getvalue()
