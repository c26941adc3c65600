"""The four pictures of an event, in their order."""

from collections.abc import Callable

from api.report.contents import Report
from api.report.pictures.dilution import draw_dilution
from api.report.pictures.history import draw_history
from api.report.pictures.plane import draw_plane
from api.report.pictures.range import draw_range
from api.report.pictures.style import Area

PICTURES: dict[str, Callable[[Area, Report], None]] = {
    "encounter plane": lambda area, report: draw_plane(area, report.geometry),
    "distance over time": lambda area, report: draw_range(area, report.geometry),
    "probability against the scale of the covariance": lambda area, report: draw_dilution(
        area, report.geometry
    ),
    "miss distance and probability from run to run": lambda area, report: draw_history(area, report.history),
}
