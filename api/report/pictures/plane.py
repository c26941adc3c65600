"""Draw the encounter plane of a report's event."""

from api.report.contents import Report
from storage.pictures.plane import draw_encounter_plane
from storage.pictures.style import Area


def draw_plane(area: Area, report: Report) -> None:
    """Draw the encounter plane of an event, or why there is none."""
    draw_encounter_plane(
        area,
        report.geometry.plane,
        report.event.hard_body_radius_m,
        [str(side.norad_id) for side in report.event.sides],
        report.geometry.missing.get("encounter_plane", ""),
    )
