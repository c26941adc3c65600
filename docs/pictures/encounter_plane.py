"""Draw one encounter in its encounter plane, and its probability over the covariance's scale.

Run from the repository: python docs/pictures/encounter_plane.py. The encounter is made up; projection and
probabilities are those of screening.risk.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Ellipse

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from screening.kernel_files import keep_kernels_in  # noqa: E402
from screening.risk.geometry.encounter_plane import EncounterPlane, encounter_plane  # noqa: E402
from screening.risk.geometry.rtn import rtn_covariance_to_inertial  # noqa: E402
from screening.risk.probability.exact_2d import exact_2d  # noqa: E402
from screening.risk.probability.formula import formula_arguments  # noqa: E402
from screening.risk.probability.maximum import maximum_over_scale  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

PICTURE = HERE / "encounter_plane.png"
RADIUS_M = np.array([12.0])
# Primary: circular at 7,000 km. Secondary: across at 75 degrees, 150 m away at TCA.
CROSSING = np.radians(75.0)
R1, V1 = np.array([[7.0e6, 0.0, 0.0]]), np.array([[0.0, 7546.0, 0.0]])
V2 = 7546.0 * np.array([[0.0, np.cos(CROSSING), np.sin(CROSSING)]])
RELATIVE = (V2 - V1) / np.linalg.norm(V2 - V1)
ACROSS = np.cross(RELATIVE, [[1.0, 0.0, 0.0]])
R2 = R1 + np.array([[45.0, 0.0, 0.0]]) + 143.0 * ACROSS
SIGMA_RTN_M = np.array([[60.0, 180.0, 50.0]]), np.array([[90.0, 300.0, 70.0]])

INK, ACCENT, SOFT = "#374151", "#c2410c", "#9aa5b1"


def main() -> None:
    """Draw the picture."""
    covariances = [
        rtn_covariance_to_inertial(sigma, r, v)
        for sigma, r, v in zip(SIGMA_RTN_M, (R1, R2), (V1, V2), strict=True)
    ]
    plane = encounter_plane(R1, V1, R2, V2, *covariances)
    mpl.rcParams.update(
        {"font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left"}
    )
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.4, 4.3), layout="constrained", facecolor="white")
    _draw_plane(left, plane)
    _draw_scale(right, plane)
    figure.savefig(PICTURE, dpi=130, metadata={"Software": None})


def _geometry(plane: EncounterPlane) -> tuple[np.ndarray, ...]:
    return plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m


def _draw_plane(axes: Axes, plane: EncounterPlane) -> None:
    major, minor, s_major, s_minor = (float(each[0]) for each in _geometry(plane))
    h, _, r = (float(each[0]) for each in formula_arguments(plane, RADIUS_M, at_minimum=True))
    for sigmas in (1, 2, 3):
        axes.add_patch(
            Ellipse(
                (major, minor),
                2 * sigmas * s_major,
                2 * sigmas * s_minor,
                facecolor=SOFT,
                alpha=0.16,
                edgecolor="none",
            )
        )
        axes.annotate(
            f"{sigmas}σ", (major, minor + sigmas * s_minor), color=INK, ha="center", va="top", fontsize=8
        )
    axes.add_patch(Circle((0.0, 0.0), RADIUS_M[0], facecolor=ACCENT, edgecolor="none"))
    axes.annotate(
        "", xy=(major, minor), xytext=(0, 0), arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 1.1}
    )
    axes.annotate(
        f"primary, with the combined\nhard-body radius R = {RADIUS_M[0]:g} m",
        (0.0, 0.0),
        xytext=(0.03, 0.05),
        textcoords="axes fraction",
        color=ACCENT,
        arrowprops={"arrowstyle": "-", "color": ACCENT, "linewidth": 0.7},
    )
    axes.annotate("secondary", (major, minor), xytext=(-52, -3), textcoords="offset points", color=INK)
    axes.set(
        xlabel="along the larger sigma (m)",
        ylabel="along the smaller sigma (m)",
        xlim=(major - 3.3 * s_major, major + 3.3 * s_major),
    )
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(f"Encounter plane: h = {h:.2f}, r = {r:.3f}")
    _tidy(axes)


def _draw_scale(axes: Axes, plane: EncounterPlane) -> None:
    scales = np.geomspace(0.15, 20.0, 300)
    major, minor, s_major, s_minor = _geometry(plane)
    probability, _ = exact_2d(major, minor, scales * s_major, scales * s_minor, RADIUS_M)
    here, _ = exact_2d(major, minor, s_major, s_minor, RADIUS_M)
    largest, _, at = maximum_over_scale(major, minor, s_major, s_minor, RADIUS_M)
    axes.loglog(scales, probability, color=INK, linewidth=1.4)
    axes.axvspan(at[0], scales[-1], color=SOFT, alpha=0.16, linewidth=0)
    axes.plot(at, largest, "o", color=ACCENT)
    axes.annotate(
        f"probability_max = {largest[0]:.1e}",
        (at[0], largest[0]),
        xytext=(0, 8),
        textcoords="offset points",
        color=ACCENT,
        ha="center",
    )
    axes.plot(1.0, here, "o", color=INK)
    axes.annotate(
        f"probability_2d = {here[0]:.1e}",
        (1.0, here[0]),
        xytext=(9, 0),
        textcoords="offset points",
        color=INK,
    )
    axes.text(
        0.97, 0.06, "diluted:\nbetter data could\ngive more", transform=axes.transAxes, ha="right", color=INK
    )
    axes.set(
        xlabel="all sigmas times k",
        ylabel="probability",
        xlim=(scales[0], scales[-1]),
        ylim=(largest[0] * 1e-4, largest[0] * 3.0),
    )
    axes.set_title("The same miss with other covariances")
    _tidy(axes)


def _tidy(axes: Axes) -> None:
    axes.grid(visible=True, which="major", color="#e5e7eb", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
