"""Draw where objects pass over the ground: a map of one revolution around an instant."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from storage.pictures import style
from storage.pictures.style import Area

TRACK_IN = (8.0, 4.9)  # width and height, inches
# World Atlas, 1:110 million, from Natural Earth; there once the page is built.
COASTS = FilePath(__file__).parents[2] / "web" / "dist" / "coasts.json"
_LEFT_IN, _BOTTOM_IN, _LAND = 0.5, 0.5, "#e3e7e3"


class GroundTrack(NamedTuple):
    """Points (n,) of one object at ascending times; the middle one is at the instant."""

    name: str
    latitude_deg: npt.NDArray[np.float64]  # NaN where there is no path
    longitude_deg: npt.NDArray[np.float64]  # -180 to 180
    color: str


def draw_ground_tracks(area: Area, tracks: Sequence[GroundTrack], title: str, subtitle: str) -> None:
    """Draw tracks on a map with equal degrees; a dot is the place at the instant, arrows say which way."""
    style.panel(area, title, subtitle)
    width_in = area.width_in - _LEFT_IN - 0.1
    height = 0.5 * width_in / area.height_in
    axes = area.axes(_LEFT_IN / area.width_in, _BOTTOM_IN / area.height_in, width_in / area.width_in, height)
    axes.set(xlim=(-180, 180), ylim=(-90, 90), xlabel="longitude (°)", ylabel="latitude (°)")
    axes.set_xticks(range(-180, 181, 60))
    axes.set_yticks(range(-90, 91, 30))
    for polygon in coasts():
        axes.add_patch(PathPatch(polygon, facecolor=_LAND, edgecolor="none", zorder=0))
    for track in tracks:
        _draw(axes, track)
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.01, 0.995), ncols=2, fontsize=style.TEXT, frameon=False,
        labelcolor=style.INK, handlelength=1.4, borderpad=0,
    )  # fmt: skip


def _draw(axes: Axes, track: GroundTrack) -> None:
    longitude, latitude = _cut(track.longitude_deg, track.latitude_deg)
    (line,) = axes.plot(longitude, latitude, color=track.color, linewidth=1.5, zorder=3)
    line.set_label(track.name.replace("$", r"\$").lstrip("_") or "?")
    middle = len(track.latitude_deg) // 2
    axes.plot(
        track.longitude_deg[middle], track.latitude_deg[middle], "o", markersize=6, color=track.color,
        markeredgecolor=style.PAPER, zorder=5,
    )  # fmt: skip
    for place in (middle // 2, middle + middle // 2):
        ends = [(track.longitude_deg[at], track.latitude_deg[at]) for at in (place, place + 1)]
        if np.isfinite(ends).all() and abs(ends[1][0] - ends[0][0]) < 180.0:
            look: Any = {"arrowstyle": "-|>", "color": track.color, "linewidth": 0}
            axes.annotate("", ends[1], ends[0], arrowprops=look, zorder=4)


def _cut(
    longitude_deg: npt.NDArray[np.float64], latitude_deg: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return a track with a gap wherever it leaves the map at one side and comes back at the other."""
    with np.errstate(invalid="ignore"):
        leaves = np.flatnonzero(np.abs(np.diff(longitude_deg)) > 180.0) + 1
    east = np.where(longitude_deg[leaves] < 0.0, 180.0, -180.0)  # on the side that it leaves
    before, after = longitude_deg[leaves - 1], longitude_deg[leaves] + 2.0 * east
    share = (east - before) / (after - before)
    at_edge = latitude_deg[leaves - 1] + share * (latitude_deg[leaves] - latitude_deg[leaves - 1])
    gap = np.full(len(leaves), np.nan)
    where = np.repeat(leaves, 3)
    return (
        np.insert(longitude_deg, where, np.stack([east, gap, -east], axis=1).ravel()),
        np.insert(latitude_deg, where, np.stack([at_edge, gap, at_edge], axis=1).ravel()),
    )


@cache
def coasts(file: FilePath = COASTS) -> tuple[Path, ...]:
    """Return the land as outlines, longitude and latitude in degrees; none without the page.

    TopoJSON: arcs of whole steps, each shared by the outlines that touch there.
    """
    if not file.is_file():
        return ()
    topology = json.loads(file.read_text(encoding="utf-8"))
    scale, offset = (np.array(topology["transform"][name]) for name in ("scale", "translate"))
    arcs = [np.cumsum(arc, axis=0) * scale + offset for arc in topology["arcs"]]

    def ring(places: Sequence[int]) -> npt.NDArray[np.float64]:
        points = np.concatenate([arcs[place] if place >= 0 else arcs[~place][::-1] for place in places])
        points[:, 0] = np.unwrap(points[:, 0], period=360.0)
        if abs(points[-1, 0] - points[0, 0]) > 180.0:  # around the South Pole
            pole = [(points[-1, 0], -90.0), (points[0, 0], -90.0), points[0]]
            points = np.concatenate([points, pole])
        return points

    def with_lakes(polygon: Sequence[Sequence[int]]) -> list[npt.NDArray[np.float64]]:
        land, *lakes = map(ring, polygon)
        for lake in lakes:  # on the same turn
            lake[:, 0] += 360.0 * np.round((land[:, 0].mean() - lake[:, 0].mean()) / 360.0)
        return [land, *lakes]

    return tuple(
        Path.make_compound_path(*(Path(np.add(one, (turn, 0.0)), closed=True) for one in with_lakes(polygon)))
        for shape in topology["objects"]["land"]["geometries"]
        for polygon in shape["arcs"]
        for turn in (-360.0, 0.0, 360.0)  # what lies across the edge of the map is on both sides of it
    )
