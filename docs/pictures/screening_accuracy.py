"""Two pictures of docs/screening.md: what sampling misses, and how far curves are from SGP4."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.knots import KNOT_STEP_S, POWERS, hermite_coefficients
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.search.one_step.pads import FLOOR_KM, Knots, checked_groups, measured_pads_km
from screening.search.staying_close.distances import distances_km

INTERVALS = 24
# Everywhere but where the pads were measured, at 0.3 and 0.7.
FRACTIONS = (0.1, 0.2, 0.25, 0.35, 0.4, 0.5, 0.6, 0.65, 0.75, 0.8, 0.9)
REGIMES = {
    "low": "#1d4ed8",
    "medium": "#0f766e",
    "geosynchronous": "#7c3aed",
    "eccentric, e above 0.1": "#c2410c",
}
BLUE, ORANGE = "#1d4ed8", "#c2410c"
BOTH = np.array([[0], [1]], np.int32)
METRES = 1000.0
ERROR_LABEL = "largest error of the curve (m)"
LOW_KM, SYNCHRONOUS_KM, ECCENTRIC = 2000.0, 35_000.0, 0.1


class Errors(NamedTuple):
    """How far the curves of objects (n,) are from SGP4 in four hours."""

    regimes: tuple[str, ...]
    regime: npt.NDArray[np.str_]
    true_km: FloatArray  # the largest, between the points that were checked
    pads_km: FloatArray


def measured_errors(elements: ElementArray, span: TimeWindow) -> Errors:
    """Compare every object's curves with SGP4 in the first four hours of a window."""
    propagator = Propagator(elements, span)
    times_s = np.arange(INTERVALS + 1) * KNOT_STEP_S
    knots = Knots(times_s, *propagator.on_grid(times_s))
    pads_km = measured_pads_km(checked_groups(elements, propagator), knots).astype(np.float64)
    largest = np.zeros(len(elements))
    curves = np.empty((len(elements), POWERS, 3))
    r, v = knots.r_teme_km, knots.v_teme_km_s
    for k in range(INTERVALS):
        hermite_coefficients(r[k], v[k], r[k + 1], v[k + 1], curves)
        _, r_true, _ = propagator.on_grid(times_s[k] + np.array(FRACTIONS) * KNOT_STEP_S)
        for s, true in zip(FRACTIONS, r_true, strict=True):
            here = np.einsum("npa,p->an", curves, s ** np.arange(POWERS))
            largest = np.fmax(largest, np.linalg.norm(here - true, axis=0))
    good = (knots.errors == 0).all(axis=0)
    return Errors(tuple(REGIMES), _regime(elements)[good], largest[good], pads_km[good])


def _regime(elements: ElementArray) -> npt.NDArray[np.str_]:
    turn_rad_s = elements["mean_motion_rev_day"] * 2.0 * np.pi / 86400.0
    altitude_km = np.cbrt(MU_KM3_S2 / turn_rad_s**2) - EARTH_RADIUS_KM
    low, medium, high, eccentric = REGIMES
    circular = np.where(altitude_km < LOW_KM, low, np.where(altitude_km < SYNCHRONOUS_KM, medium, high))
    return np.where(elements["eccentricity"] > ECCENTRIC, eccentric, circular)


def draw_sampling(
    elements: ElementArray, span: TimeWindow, encounters: EncounterArray, threshold_km: float, grid_s: float
) -> Figure:
    """Draw the distance of a pair against time, as it is and as a sampled grid sees it."""
    row = _ordinary(encounters, grid_s)
    propagator = Propagator(elements[[row["primary_index"], row["secondary_index"]]], span)
    figure, (wide, close) = plt.subplots(
        1, 2, figsize=(9.0, 3.6), width_ratios=(3, 2), layout="constrained", facecolor="white"
    )
    _draw_minutes(wide, propagator, float(row["tca_s"]), grid_s)
    wide.text(-39.0, threshold_km * 1.15, f"threshold, {threshold_km:g} km", color="#374151", fontsize=8)
    _draw_seconds(close, propagator, row, threshold_km)
    for axes in (wide, close):
        axes.axhline(threshold_km, color="#6b7280", linewidth=0.8, linestyle="--")
        _tidy(axes)
    figure.suptitle("What a sampled grid misses", fontsize=12, fontweight="bold")
    return figure


def _draw_minutes(axes: Axes, propagator: Propagator, tca_s: float, grid_s: float) -> None:
    from_tca_s = np.sort(np.concatenate([np.linspace(-2400.0, 2400.0, 4801), np.linspace(-3.0, 3.0, 601)]))
    first, last = np.ceil((tca_s - 2400.0) / grid_s), np.floor((tca_s + 2400.0) / grid_s)
    samples_s = np.arange(first, last + 1) * grid_s
    sampled_km = distances_km(propagator, BOTH, samples_s[None])[0]
    axes.plot(
        from_tca_s / 60.0,
        distances_km(propagator, BOTH, tca_s + from_tca_s[None])[0],
        color=BLUE,
        linewidth=1.2,
    )
    axes.plot((samples_s - tca_s) / 60.0, sampled_km, "o", color=ORANGE, label="samples every 10 minutes")
    nearest = int(sampled_km.argmin())
    axes.annotate(
        f"nearest sample: {sampled_km[nearest]:,.0f} km",
        ((samples_s[nearest] - tca_s) / 60.0, sampled_km[nearest]),
        (-9, -12), textcoords="offset points", ha="right", color=ORANGE, fontsize=8,
    )  # fmt: skip
    axes.set(yscale="log", xlabel="minutes from the TCA", ylabel="distance (km)")
    axes.set(xlim=(-40, 40), ylim=(0.1, 3e4), title="Eighty minutes")
    axes.legend(frameon=False, loc="lower left")


def _draw_seconds(axes: Axes, propagator: Propagator, row: np.void, threshold_km: float) -> None:
    miss_km, speed = float(row["miss_distance_km"]), float(row["relative_speed_km_s"])
    from_tca_s = np.linspace(-3.0, 3.0, 601)
    axes.plot(
        from_tca_s,
        distances_km(propagator, BOTH, row["tca_s"] + from_tca_s[None])[0],
        color=BLUE,
        linewidth=1.2,
    )
    inside_s = np.sqrt(threshold_km**2 - miss_km**2) / speed
    axes.axvspan(-inside_s, inside_s, color="#fde68a", alpha=0.6, linewidth=0)
    axes.text(0.0, 23.5, f"inside for {2 * inside_s:.1f} s", ha="center", color="#374151", fontsize=8)
    axes.plot(0.0, miss_km, ".", color="#1f2937")
    axes.annotate(
        f"{1000 * miss_km:,.0f} m at {speed:.1f} km/s", (0.0, miss_km), (8, 3),
        textcoords="offset points", fontsize=8, color="#1f2937",
    )  # fmt: skip
    axes.set(xlabel="seconds from the TCA", ylabel="distance (km)", xlim=(-3, 3), ylim=(0, 30))
    axes.set_title("Six seconds of them")


def _ordinary(encounters: EncounterArray, grid_s: float) -> np.void:
    """Return an encounter like most: near the median speed, half a kilometre away, between two samples."""
    after_sample_s = encounters["tca_s"] % grid_s
    oddness = (
        np.abs(encounters["relative_speed_km_s"] - 12.0)
        + 4.0 * np.abs(encounters["miss_distance_km"] - 0.5)
        + np.abs(after_sample_s - 0.4 * grid_s) / 30.0
        + 10.0 * (np.abs(encounters["tca_s"] - 43200.0) > 30000.0)
    )
    row: np.void = encounters[oddness.argmin()]
    return row


def draw_errors(errors: Errors) -> Figure:
    """Draw the largest error of each object's curves against its pad."""
    figure, (spread, pads) = plt.subplots(
        1, 2, figsize=(9.0, 4.2), width_ratios=(2, 3), layout="constrained", facecolor="white"
    )
    for name, colour in REGIMES.items():
        here = np.sort(errors.true_km[errors.regime == name]) * METRES
        spread.plot(here, np.arange(1, len(here) + 1) / len(here) * 100.0, color=colour, label=name)
    spread.set(xscale="log", xlabel=ERROR_LABEL, ylabel="objects below (%)")
    spread.set(xlim=(0.015, 2e3), ylim=(0, 101))
    spread.set_title("Curves against SGP4, by regime")
    spread.legend(frameon=False, loc="upper left", fontsize=8)
    order = np.random.default_rng(1).permutation(len(errors.true_km))
    colours = np.array([REGIMES[name] for name in errors.regime])[order]
    true_m, pads_m = errors.true_km[order] * METRES, errors.pads_km[order] * METRES
    pads.scatter(true_m, pads_m, s=2.0, c=colours, linewidths=0)
    line = np.array([1e-2, 2e5])
    pads.plot(line, line, color="#1f2937", linewidth=0.8)
    pads.fill_between(line, line, 1.0, color="#fee2e2", linewidth=0)
    pads.text(4.5e2, 62.0, "an approach could be lost here", color="#b91c1c", fontsize=8, ha="center")
    floor_m = FLOOR_KM * METRES
    pads.axhline(floor_m, color="#6b7280", linewidth=0.8, linestyle="--")
    pads.text(0.6, floor_m * 0.85, f"floor, {floor_m:g} m", color="#374151", fontsize=8)
    pads.set(
        xscale="log", yscale="log", xlabel=ERROR_LABEL, ylabel="pad (m)", xlim=(0.5, 3e3), ylim=(30.0, 4e3)
    )
    pads.set_title("Each object's pad is above its error")
    for axes in (spread, pads):
        _tidy(axes)
    figure.suptitle("How far the curves are from SGP4", fontsize=12, fontweight="bold")
    return figure


def _tidy(axes: Axes) -> None:
    axes.grid(visible=True, which="major", color="#e5e7eb", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
