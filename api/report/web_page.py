"""Reports as one self-contained web page: with SVG pictures, and printable."""

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import TextIO

from matplotlib.figure import Figure

from api.report import timeline
from api.report.contents import Report
from api.report.digest import FORECASTS, Digest, above_list, below_list
from api.report.digest_columns import cells, columns, legend
from api.report.numbers import Section, sections
from api.report.page_frame import page_head, svg
from api.report.pictures import verification
from api.report.pictures.in_order import PICTURES
from api.report.summary import main_numbers, sentences, title
from storage.in_memory.messages import ENDINGS
from storage.pictures import style
from storage.pictures.style import PANEL_IN, Area
from storage.rows.words.numbers import instant
from storage.shell.verification import what_passed
from storage.verification.record import Verification

_DIGEST_PANEL_IN = (PANEL_IN[0], 2.9)  # lower, so that two events with letters of 8 points are a sheet of A4
_FORMS = {ending: form.upper() for form, ending in ENDINGS.items()}


def write_event(stream: TextIO, report: Report) -> None:
    """Write a page about one event."""
    stream.write(page_head(f"{title(report.event)}, {instant(report.event.tca)} UTC"))
    stream.write(_article(report, "h1"))
    stream.write("</body>\n</html>\n")


def write_digest(stream: TextIO, digest: Digest, reports: Iterable[Report]) -> None:
    """Write a page with a list of events and a report on each; paper gets only the shorter part."""
    stream.write(page_head(digest.title))
    level = "" if digest.level is None else _level(digest.level)
    said = "".join(f"<p>{escape(text)}</p>\n" for text in above_list(digest))
    stream.write(
        f'<div class="list">\n<header><h1>{escape(digest.title)}</h1>{level}'
        f'<p class="which">{escape(digest.subtitle)}</p></header>\n'
        f"{_notices(digest.notices)}{said}{_list(digest)}</div>\n"
    )
    stream.write('<div class="digest">\n')
    stream.writelines(_article(report, "h2", _DIGEST_PANEL_IN) for report in reports)
    stream.write("</div>\n")
    if digest.judged is not None:
        stream.write(_forecasts(digest.judged))
    stream.write("</body>\n</html>\n")


def _forecasts(found: Verification) -> str:
    """Return how the forecasts of the store did: sentences, and whether regions held what they should."""
    said = "".join(f"<li>{escape(sentence)}</li>\n" for sentence in found.words)
    picture = verification.PICTURES["regions"]
    figure = picture.draw(found)
    drawn = (
        f'<p class="notice">{escape(picture.missing)}</p>'
        if figure is None
        else f"<figure>{svg(FORECASTS, figure)}<figcaption>{escape(picture.reading)}</figcaption></figure>"
    )
    passed = f'<p class="which">{escape(what_passed(found))}</p>'
    return f"<section><h2>{FORECASTS}</h2>{passed}\n<ul>\n{said}</ul>\n{drawn}</section>\n"


def _list(digest: Digest) -> str:
    below = "".join(f"<p>{escape(text)}</p>\n" for text in below_list(digest))
    if not digest.entries:
        return f"<p>There are none.</p>\n{below}"
    kinds = ["number" if column.side == "right" else "" for column in columns(digest)]
    heads = (column.heads for column in columns(digest))
    head = "".join(_both("th", kind, pair) for kind, pair in zip(kinds, heads, strict=True))
    rows = []
    for place, entry in enumerate(digest.entries, start=1):
        (first, _), *rest = cells(place, entry)
        linked = f'<td><a href="#event-{entry.event.id}">{escape(first)}</a></td>'
        others = (_both("td", kind, pair) for kind, pair in zip(kinds[1:], rest, strict=True))
        rows.append(f"<tr>{linked}{''.join(others)}</tr>\n")
    body = f"<thead><tr>{head}</tr></thead>\n<tbody>{''.join(rows)}</tbody>"
    note = "".join(f'<p class="aside">{escape(text)}</p>\n' for text in legend(digest))
    return f'<div class="scroll"><table class="pairs">{body}</table></div>\n{below}{note}'


def _both(element: str, kind: str, pair: tuple[str, str]) -> str:
    return f'<{element} class="{kind}">{"<br>".join(escape(text) for text in pair)}</{element}>'


def _article(report: Report, heading: str, panel_in: tuple[float, float] = PANEL_IN) -> str:
    event = report.event
    which = (
        f"Close approach of {event.primary.norad_id} and {event.secondary.norad_id} · "
        f"{instant(event.tca)} UTC · event {event.id}"
    )
    numbers = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in main_numbers(report)
    )
    pictures = "".join(f"<figure>{_svg(name, report, panel_in)}</figure>\n" for name in PICTURES)
    words = "\n".join(f"<p>{escape(sentence)}</p>" for sentence in sentences(report))
    return (
        f'<article id="event-{event.id}">\n'
        f"<header><{heading}>{escape(title(event))}</{heading}>{_level(event.levels[0])}"
        f'<p class="which">{escape(which)}</p></header>\n'
        f"{_notices(report.notices)}<dl>{numbers}</dl>\n"
        f'<div class="pictures">\n{pictures}</div>\n'
        f"<h3>In words</h3>{words}\n{_messages(report)}"
        f"{_timeline(report)}{_side_by_side(report)}"
        f"{''.join(numbers_table(section) for section in sections(report))}</article>\n"
    )


def _timeline(report: Report) -> str:
    """Return the table of runs and messages; nothing if there is no message."""
    told, aside = timeline.lines(report), timeline.note(report)
    if not told and not aside:
        return ""
    table = _table(timeline.HEADINGS, [line.cells for line in told]) if told else ""
    said = f'<p class="aside">{escape(aside)}</p>' if aside else ""
    return f'<section><h3>{timeline.TITLE}</h3><div class="scroll">{table}</div>{said}</section>\n'


def _side_by_side(report: Report) -> str:
    """Return what each sender says, which to trust, and who was asked for messages."""
    headings, rows = timeline.sides(report)
    words = report.side_by_side.words if report.side_by_side else ""
    table = f'<p>{escape(words)}</p><div class="scroll">{_table(headings, rows)}</div>' if rows else ""
    asked = "".join(f"<li>{escape(one)}</li>" for one in report.origins)
    return f'<section><h3>{timeline.SIDE_TITLE}</h3>{table}<ul class="aside">{asked}</ul></section>\n'


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    right = [name in timeline.RIGHT_ALIGNED or name.startswith("sigma") for name in headings]
    kinds = ["value" if one else "" for one in right]
    head = "".join(
        f'<th class="{kind}">{escape(name)}</th>' for kind, name in zip(kinds, headings, strict=True)
    )
    lines = "".join(
        "<tr>"
        + "".join(f'<td class="{kind}">{escape(text)}</td>' for kind, text in zip(kinds, row, strict=True))
        + "</tr>\n"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{lines}</tbody></table>"


def _messages(report: Report) -> str:
    """Return the event as messages, which are in the page and saved from it without a network."""
    links = []
    for one in report.messages:
        data = base64.b64encode(one.text.encode()).decode()
        name, form = escape(one.name), _FORMS[one.name.rpartition(".")[2]]
        links.append(f'<a download="{name}" href="data:application/octet-stream;base64,{data}">{form}</a>')
    return f'<p class="messages">As a conjunction data message: {", ".join(links)}</p>\n' if links else ""


def numbers_table(section: Section) -> str:
    """Return a part of the table of all numbers."""
    heads = "".join(f'<th class="value">{escape(name)}</th>' for name in section.columns)
    rows = "".join(
        f"<tr><th scope='row'>{escape(row.label)}</th>"
        + "".join(f'<td class="value">{escape(value)}</td>' for value in row.values)
        + f'<td>{escape(row.unit)}</td><td class="aside">{escape(row.meaning)}</td></tr>\n'
        for row in section.rows
    )
    head = f"<thead><tr><td></td>{heads}<td></td><td></td></tr></thead>" if any(section.columns) else ""
    return (
        f'<section><h3>{escape(section.title)}</h3><div class="scroll" tabindex="0" role="region" '
        f'aria-label="{escape(section.title)}"><table>{head}<tbody>\n{rows}</tbody>'
        "</table></div></section>\n"
    )


def _level(level: str) -> str:
    return f'<span class="level" style="background:{style.TIERS[level]}">{escape(level)}</span>'


def _notices(texts: list[str]) -> str:
    said = []
    for text in texts:
        word, _, rest = text.partition(":")
        said.append(f'<p class="notice"><strong>{escape(word)}:</strong>{escape(rest)}</p>\n')
    return "".join(said)


def _svg(name: str, report: Report, panel_in: tuple[float, float]) -> str:
    figure = Figure(figsize=panel_in, facecolor="none")
    PICTURES[name](Area(figure, 0.0, 0.0, *panel_in), report)
    return svg(name, figure)
