"""Draw the pictures of docs/cookbook.md, and write its answers anew.

Run from the folder that holds the stores `example` and `socrates`, which the page says how to make:
python docs/pictures/cookbook.py [--answers]. With --answers it also replaces the tables of the page.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from cookbook_blocks import answered
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import skysieve

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "cookbook.md"
EARTH_RADIUS_KM = 6378.135
ORANGE, GREY, BLUE = "#c2410c", "#9aa5b1", "#1d4ed8"


def main() -> None:
    """Draw the pictures; write the answers if asked to."""
    if "--answers" in sys.argv[1:]:
        PAGE.write_text(answered(PAGE.read_text(encoding="utf-8"), Path.cwd()), encoding="utf-8")
    store = skysieve.open_store("example")
    mpl.rcParams.update(
        {"font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left"}
    )
    for name, figure in (("traffic", _traffic(store)), ("history", _histories(store))):
        figure.savefig(HERE / f"cookbook_{name}.png", dpi=130, metadata={"Software": None})


def _traffic(store: skysieve.Store) -> Figure:
    events = store.conjunctions()
    figure, axes = plt.subplots(2, 2, figsize=(9.0, 6.4), layout="constrained", facecolor="white")
    place_km = events[[f"primary_{axis}_km" for axis in "xyz"]].to_numpy()
    radius_km = np.linalg.norm(place_km, axis=1)
    _draw_altitudes(axes[0, 0], store, radius_km - EARTH_RADIUS_KM)
    _draw_speeds(axes[0, 1], events)
    _draw_latitudes(axes[1, 0], np.degrees(np.arcsin(place_km[:, 2] / radius_km)))
    _draw_growth(axes[1, 1], events[events.encounter == "fast"])
    for each in axes.flat:
        _tidy(each)
    return figure


def _draw_altitudes(axes: Axes, store: skysieve.Store, altitudes_km: np.ndarray) -> None:
    edges_km = np.arange(300.0, 1601.0, 25.0)
    motion = store.sql(
        "SELECT mean_motion_rev_day FROM elements WHERE eccentricity < 0.01"
    ).mean_motion_rev_day
    orbits_km = (398600.8 / (motion * 2 * np.pi / 86400) ** 2) ** (1 / 3) - EARTH_RADIUS_KM
    objects = np.histogram(orbits_km, edges_km)[0]
    approaches = np.histogram(altitudes_km, edges_km)[0]
    axes.stairs(objects / objects.sum(), edges_km, fill=True, color=GREY, alpha=0.55, label="objects")
    axes.stairs(approaches / approaches.sum(), edges_km, color=ORANGE, linewidth=1.3, label="approaches")
    axes.set(xlabel="altitude (km)", ylabel="share of all", xlim=(300, 1600), ylim=(0, None))
    axes.set_title("Altitudes, shells of 25 km")
    axes.legend(frameon=False)


def _draw_speeds(axes: Axes, events: pd.DataFrame) -> None:
    of_two = sum(
        events[f"{who}_name"].str.startswith("STARLINK").astype(int) for who in ("primary", "secondary")
    )
    speeds_km_s = [events.relative_speed_m_s[of_two == n] / 1000 for n in (2, 1, 0)]
    labels = ["two Starlink satellites", "one", "none"]
    axes.hist(speeds_km_s, np.arange(0, 16.1, 0.25), stacked=True, color=[BLUE, ORANGE, GREY], label=labels)
    axes.set(xlabel="relative speed (km/s)", ylabel="approaches", xlim=(0, 16))
    axes.set_title("Relative speeds")
    axes.legend(frameon=False, loc="upper left")


def _draw_latitudes(axes: Axes, latitudes_deg: np.ndarray) -> None:
    edges_deg = np.arange(-90.0, 90.1, 2.5)
    share = np.diff(np.sin(np.radians(edges_deg))) / 2
    count = np.histogram(latitudes_deg, edges_deg)[0]
    axes.stairs(count / len(latitudes_deg) / share, edges_deg, color=ORANGE, linewidth=1.3)
    axes.axhline(1.0, color=GREY, linewidth=0.8)
    axes.set(xlabel="latitude (°)", ylabel="approaches per area, mean 1", xlim=(-90, 90), yscale="log")
    axes.set_xticks(range(-90, 91, 30))
    axes.set_title("Where above the Earth")


def _draw_growth(axes: Axes, fast: pd.DataFrame) -> None:
    pair = fast.primary_name.str.startswith("STARLINK") & fast.secondary_name.str.startswith("STARLINK")
    for chosen, colour, label in ((~pair, ORANGE, "all others"), (pair, BLUE, "two Starlink satellites")):
        miss_km = np.sort(fast.miss_distance_m[chosen].to_numpy()) / 1000
        axes.plot(miss_km, np.arange(1, len(miss_km) + 1), color=colour, linewidth=1.3, label=label)
        axes.plot(
            [0.1, 10], (miss_km < 2).sum() / 4 * np.array([0.01, 100]), color=colour, ls=":", linewidth=0.9
        )
    axes.set(xlabel="miss distance (km)", ylabel="approaches within it", xscale="log", yscale="log")
    axes.set(xlim=(0.1, 10), ylim=(1, 2e5))
    axes.set_title("Growth with distance; dotted: its square")
    axes.legend(frameon=False)


def _histories(store: skysieve.Store) -> Figure:
    rows = store.sql(
        "SELECT event_id, epoch_us(tca - window_start) / 3600e6 AS hours, miss_distance_m, probability_best "
        "FROM conjunction_history JOIN runs USING (run_id) WHERE event_id IN "
        "(SELECT event_id FROM conjunctions WHERE probability_level IN ('critical', 'high')) ORDER BY run_id"
    )
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.0, 3.6), layout="constrained", facecolor="white")
    for _, event in rows.groupby("event_id"):
        if len(event) == 3:
            miss_m = event.miss_distance_m
            style = (
                {"color": ORANGE, "alpha": 0.8, "zorder": 3}
                if miss_m.max() > 2 * miss_m.min()
                else {"color": GREY, "alpha": 0.4}
            )
            for axes, column in ((left, "miss_distance_m"), (right, "probability_best")):
                axes.plot(event.hours, event[column], ".-", linewidth=0.8, markersize=3, **style)
    for axes in (left, right):
        axes.set(xlabel="hours to TCA", yscale="log", xlim=(25, 0))
        _tidy(axes)
    left.set(ylabel="m")
    left.set_title("Miss distance; red: it changed by a factor of 2")
    right.set(ylim=(1e-10, 1e-3))
    right.set_title("Probability")
    return figure


def _tidy(axes: Axes) -> None:
    axes.grid(visible=True, which="major", color="#e5e7eb", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
