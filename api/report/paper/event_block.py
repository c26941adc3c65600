"""An event on half a sheet, as a digest shows each."""

from matplotlib.figure import Figure

from api.report.contents import Report
from api.report.numbers import COVARIANCE_WORDS
from api.report.paper.writing import A4_IN, MARGIN_IN, chip, cut, fitting, rule, wrapped, write
from api.report.pictures.dilution import draw_dilution
from api.report.pictures.plane import draw_plane
from api.report.summary import in_short, main_numbers, title
from storage.pictures import style
from storage.pictures.style import Area
from storage.rows.trajectory_words import trajectory_words
from storage.rows.words.numbers import NOT_KNOWN, instant, metres, number
from storage.rows.words.whom import whom_briefly
from storage.vocabulary import HARD_BODY_WORDS

BLOCK_IN = 5.2
_WIDTH_IN = A4_IN[0] - 2 * MARGIN_IN
_HEADING_IN, _PICTURES_IN, _LINE_IN = 0.95, 2.55, 0.15
_CHIP_IN = 1.0
_SHARES = (0.17, 0.17, 0.3, 0.18, 0.18)  # of the width, for the main numbers: a probability has its method
_HEAD = 11.0  # points
_LINES = int((BLOCK_IN - _HEADING_IN - _PICTURES_IN - 0.15) / _LINE_IN)


def draw_block(
    figure: Figure, report: Report, number_in_list: int, top_in: float, height_in: float = BLOCK_IN
) -> None:
    """Draw names, main numbers, two pictures, both objects, and the words, from a height downwards.

    What the height has more than BLOCK_IN, the pictures get.
    """
    pictures_in = _PICTURES_IN + height_in - BLOCK_IN
    _heading(figure, report, number_in_list, top_in)
    top_in += _HEADING_IN
    for draw, left in ((draw_plane, MARGIN_IN), (draw_dilution, MARGIN_IN + 0.5 * _WIDTH_IN)):
        draw(Area(figure, left, top_in, style.PANEL_IN[0], pictures_in), report)
    top_in += pictures_in + 0.05
    for line in _lines(report):
        write(figure, MARGIN_IN, top_in, line, fontsize=style.TEXT)
        top_in += _LINE_IN


def _heading(figure: Figure, report: Report, number_in_list: int, top_in: float) -> None:
    event = report.event
    rule(figure, MARGIN_IN, top_in, _WIDTH_IN, style.FAINT)
    name = cut(f"{number_in_list}.  {title(event)}", _WIDTH_IN - _CHIP_IN, _HEAD, "bold")
    write(figure, MARGIN_IN, top_in + 0.09, name, fontsize=_HEAD, fontweight="bold")
    chip(figure, event.levels[0], top_in + 0.14)
    both = f"{event.primary.norad_id} and {event.secondary.norad_id}"
    which = f"{both}  ·  {instant(event.tca)} UTC  ·  event {event.id}"
    write(figure, MARGIN_IN, top_in + 0.32, which, fontsize=style.TEXT, color=style.MUTED)
    draw_main_numbers(figure, report, top_in + 0.54, 0.14, 10.0)


def draw_main_numbers(figure: Figure, report: Report, top_in: float, below_in: float, points: float) -> None:
    """Draw the main numbers side by side over the width of a sheet, each below its label."""
    left, width = MARGIN_IN, figure.get_size_inches()[0] - 2 * MARGIN_IN
    for (label, value), share in zip(main_numbers(report), _SHARES, strict=True):
        write(figure, left, top_in, label, fontsize=style.SMALL, color=style.MUTED)
        size = fitting(value, share * width - 0.1, points, "bold")
        write(figure, left, top_in + below_in, value, fontsize=size, fontweight="bold")
        left += share * width


def _lines(report: Report) -> list[str]:
    """Return the words without the advice, which the list has, as many lines as there is room for.

    The level and its cautions come first: what there is no room for is of less worth.
    """
    first, rest = in_short(report)
    paragraphs = (first, _about(report, 0), _about(report, 1), rest)
    lines = [line for one in paragraphs for line in wrapped(one, _WIDTH_IN, style.TEXT)]
    if len(lines) <= _LINES:
        return lines
    more = f"… more in the report on event {report.event.id} alone."
    return [*lines[: _LINES - 1], more]


def _about(report: Report, which: int) -> str:
    """Describe one object: what it is, the source of its path, its errors, and whom to ask."""
    side, known = report.event.sides[which], report.objects[which]
    contact = whom_briefly((report.whom.primary, report.whom.secondary)[which])
    age = report.event.ages_hours[which]
    words = [word.replace("_", " ") for word in (known.object_type, known.status) if word]
    old = "" if age is None or side.on_ephemeris else f", {number(age, 0)} h old at TCA"
    path = trajectory_words(side.trajectory)
    words += [] if path == NOT_KNOWN else [f"on its {path}{old}"]
    if side.sigma_r_m is not None:
        sigmas = ", ".join(metres(sigma) for sigma in (side.sigma_r_m, side.sigma_t_m, side.sigma_n_m))
        source = COVARIANCE_WORDS.get(side.covariance_source or "", "source not known")
        words.append(f"1σ {sigmas} m radial, in-track, cross-track ({source})")
    if known.hard_body_radius_m is not None:
        source = HARD_BODY_WORDS.get(known.hard_body_source or "", "source not known")
        words.append(f"radius {metres(known.hard_body_radius_m)} m ({source})")
    words += ["manoeuvres often or lately"] if side.manoeuvring else []
    words += [f"ask: {contact}"] if contact else []
    told = "; ".join(words) or "nothing known"
    return f"{'Secondary' if which else 'Primary'} {side.norad_id} {side.name.strip()}: {told}."
