"""The look of the pictures of comparisons."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

# Of Okabe & Ito (2008): colour-blind people tell them apart.
COLOURS = ("#0072b2", "#c44e00", "#3f5673", "#a3195b")
GRID, BINS = "#e5e8ec", 60


def tidy(axes: Axes, x: str, y: str) -> None:
    """Name the axes and draw them plainly."""
    axes.set_xlabel(x, fontsize=9)
    axes.set_ylabel(y, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def curves(
    axes: Axes, x: npt.NDArray[np.float64], named: Sequence[tuple[str, npt.NDArray[np.float64]]]
) -> None:
    """Draw curves with a legend."""
    for (name, values), colour in zip(named, COLOURS, strict=False):
        axes.plot(x, values, color=colour, linewidth=1.4, label=name)
    axes.legend(frameon=False, fontsize=8)
