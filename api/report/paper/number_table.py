"""Draw the table of numbers."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from api.report.numbers import Row, Section
from api.report.paper.writing import rule, write
from api.report.pictures import style

_ROW_IN = 0.166
_HEAD_ROWS, _GAP_ROWS = 1.44, 0.9  # the heading of a section, and what is below it, in rows
# Columns as fractions of the width: the right edges of the values, then unit and meaning.
_ONE_VALUE = ((0.41,), 0.42, 0.56)
_TWO_VALUES = ((0.365, 0.6), 0.605, 0.652)
_NAME, _HEADING = (
    {"fontsize": style.TITLE, "fontweight": "bold"},
    {"fontsize": style.TEXT, "fontweight": "bold"},
)


def draw_sections(
    figure: Figure,
    sections: Sequence[Section],
    left_in: float,
    top_in: float,
    width_in: float,
    height_in: float,
) -> None:
    """Draw sections of the table one below the other, from a place in inches from the upper left corner.

    The rows are closer together if there are more of them than the height has room for.
    """
    rows = sum(len(section.rows) + _HEAD_ROWS + _GAP_ROWS for section in sections)
    row_in = min(_ROW_IN, height_in / rows)
    for section in sections:
        places = _ONE_VALUE if len(section.columns) == 1 else _TWO_VALUES
        write(figure, left_in, top_in, section.title, va="center_baseline", **_NAME)
        for heading, right in zip(section.columns, places[0], strict=True):
            at = left_in + right * width_in
            write(
                figure, at, top_in, heading, va="center_baseline", ha="right", color=style.MUTED, **_HEADING
            )
        rule(figure, left_in, top_in + 0.72 * row_in, width_in, style.FAINT)
        top_in += _HEAD_ROWS * row_in
        for row in section.rows:
            _draw_row(figure, row, places, (left_in, top_in, width_in))
            rule(figure, left_in, top_in + 0.5 * row_in, width_in, style.GRID)
            top_in += row_in
        top_in += _GAP_ROWS * row_in


def _draw_row(
    figure: Figure,
    row: Row,
    places: tuple[tuple[float, ...], float, float],
    where: tuple[float, float, float],
) -> None:
    left, top, width = where
    rights, unit, meaning = places
    line = {"va": "center_baseline", "fontsize": style.TEXT}
    write(figure, left, top, row.label, **line)
    for value, right in zip(row.values, rights, strict=True):
        write(figure, left + right * width, top, value, ha="right", fontweight="bold", **line)
    aside = {"va": "center_baseline", "fontsize": style.SMALL, "color": style.MUTED}
    write(figure, left + unit * width, top, row.unit, **aside)
    write(figure, left + meaning * width, top, row.meaning, **aside)
