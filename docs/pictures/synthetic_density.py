"""Draw how densely a synthetic catalogue fills space, beside the real one: synthetic_density.png.

Run from the repository: python docs/pictures/synthetic_density.py [CATALOGUE]. The real catalogue is any file
of element sets; by default the one of 2024-11-01 that the tests use.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import FloatArray, instants, window
from screening.synthetic.catalogue import synthetic_catalogue

HERE = Path(__file__).resolve().parent
DEFAULT_CATALOGUE = HERE.parents[2] / "shared" / "data" / "gp_onorbit_20241101.csv"
PICTURE = HERE / "synthetic_density.png"
SEED = 1
INSTANTS = 24  # an object in an eccentric orbit counts where it is, at as many instants of a day

REAL = {"color": "#9aa5b1", "alpha": 0.55, "linewidth": 0}
SYNTHETIC = {"color": "#c2410c", "linewidth": 1.3}


class Sample(NamedTuple):
    """A catalogue as it is seen in the picture."""

    label: str
    altitudes_km: FloatArray  # at all instants
    inclinations_deg: FloatArray


def main() -> None:
    """Draw the picture."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_CATALOGUE
    if not path.exists():
        raise SystemExit(
            f"There is no catalogue {path.absolute()}. Get one, for instance the on-orbit catalogue of "
            "celestrak.org (GP data as CSV), and name it as argument."
        )
    real = parse_catalogue(path.read_bytes(), source_name=str(path)).elements
    newest = instants(real["epoch_jd"], real["epoch_day_fraction"]).astype(np.int64)
    epoch = np.int64(np.percentile(newest, 99.0)).astype("M8[us]").astype("M8[h]")
    synthetic = synthetic_catalogue(len(real), SEED, epoch).elements
    samples = (
        _sample(f"real, {epoch.astype('M8[D]')}, {len(real):,} objects", real, epoch),
        _sample(f"synthetic, {len(synthetic):,} objects", synthetic, epoch),
    )
    _drawn(samples).savefig(PICTURE, dpi=130, metadata={"Software": None})


def _sample(label: str, elements: ElementArray, epoch: np.datetime64) -> Sample:
    span = window(epoch, 24.0)
    error, r, _ = Propagator(elements, span).on_grid(np.linspace(0.0, span.seconds, INSTANTS, endpoint=False))
    altitudes_km = np.linalg.norm(r, axis=1) - EARTH_RADIUS_KM
    return Sample(label, altitudes_km[error == 0], elements["inclination_deg"])


def _drawn(samples: tuple[Sample, Sample]) -> Figure:
    mpl.rcParams.update(
        {"font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left"}
    )
    figure = plt.figure(figsize=(9.0, 7.2), layout="constrained", facecolor="white")
    low, high, inclinations = figure.subplot_mosaic([["low", "low"], ["high", "inclination"]]).values()
    _draw_density(low, samples, np.arange(200.0, 2001.0, 25.0))
    low.set_title("Low orbits, shells of 25 km")
    low.set_ylim(2e-10, 4e-7)
    low.legend(frameon=False, loc="upper right")
    for altitude_km, density, text in (
        (550, 2e-7, "Starlink"),
        (800, 5.8e-8, "clouds of Fengyun 1C, CZ-6A,\nCosmos 2251, NOAA 16"),
        (1200, 2.7e-8, "OneWeb"),
        (1460, 1.6e-8, "Strela, Gonets, Globalstar"),
    ):
        low.text(altitude_km, density, text, ha="center", va="bottom", color="#374151", fontsize=8)
    _draw_density(high, samples, np.arange(2000.0, 42001.0, 400.0))
    high.set_title("High orbits, shells of 400 km")
    high.set_ylim(1e-13, 1e-9)
    for altitude_km, density, text in (
        (8300, 5e-11, "O3b"),
        (20500, 7e-11, "navigation"),
        (35786, 1.2e-10, "geostationary"),
    ):
        high.text(altitude_km, density, text, ha="center", va="bottom", color="#374151", fontsize=8)
    _draw_inclinations(inclinations, samples)
    figure.suptitle("A synthetic catalogue beside the real one", fontsize=12, fontweight="bold")
    return figure


def _draw_density(axes: Axes, samples: tuple[Sample, Sample], edges_km: FloatArray) -> None:
    volumes_km3 = np.diff(4.0 / 3.0 * np.pi * (EARTH_RADIUS_KM + edges_km) ** 3)
    real, synthetic = (
        np.histogram(sample.altitudes_km, edges_km)[0] / INSTANTS / volumes_km3 for sample in samples
    )
    axes.stairs(real, edges_km, fill=True, label=samples[0].label, **REAL)
    axes.stairs(synthetic, edges_km, label=samples[1].label, **SYNTHETIC)
    axes.set(yscale="log", xlabel="altitude (km)", ylabel="objects per km³", xlim=(edges_km[0], edges_km[-1]))
    _tidy(axes)


def _draw_inclinations(axes: Axes, samples: tuple[Sample, Sample]) -> None:
    edges_deg = np.arange(-0.5, 150.0, 2.0)
    real, synthetic = (np.histogram(sample.inclinations_deg, edges_deg)[0] for sample in samples)
    axes.stairs(real, edges_deg, fill=True, **REAL)
    axes.stairs(synthetic, edges_deg, **SYNTHETIC)
    axes.set(yscale="log", xlabel="inclination (°)", ylabel="objects per 2°", xlim=(0, 150), ylim=(1, 1e4))
    axes.set_title("Inclinations")
    _tidy(axes)


def _tidy(axes: Axes) -> None:
    axes.grid(visible=True, which="major", color="#e5e7eb", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
