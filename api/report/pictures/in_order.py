"""The pictures of an event, in their order."""

from collections.abc import Callable

from api.report.contents import Report
from api.report.pictures.dilution import draw_dilution
from api.report.pictures.history import draw_history
from api.report.pictures.plane import draw_plane
from api.report.pictures.radius import draw_radius
from api.report.pictures.range import draw_range
from storage.pictures.style import Area

PICTURES: dict[str, Callable[[Area, Report], None]] = {
    "encounter plane": draw_plane,
    "distance over time": draw_range,
    "probability against the scale of the covariance": draw_dilution,
    "probability against the combined hard-body radius": draw_radius,
    "miss distance and probability from run to run": draw_history,
}
