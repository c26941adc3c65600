"""The four pictures of an event, in their order."""

from collections.abc import Callable

from api.report.contents import Report
from api.report.dilution_panel import draw_dilution
from api.report.history_panel import draw_history
from api.report.plane_panel import draw_plane
from api.report.range_panel import draw_range
from api.report.style import Area

PICTURES: dict[str, Callable[[Area, Report], None]] = {
    "encounter plane": lambda area, report: draw_plane(area, report.geometry),
    "distance over time": lambda area, report: draw_range(area, report.geometry),
    "probability against the scale of the covariance": lambda area, report: draw_dilution(
        area, report.geometry
    ),
    "miss distance and probability from run to run": lambda area, report: draw_history(area, report.history),
}
