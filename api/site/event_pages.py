"""A page for each notable event: sentences, the encounter plane, how it developed, and every number."""

from collections.abc import Iterator, Sequence
from html import escape

from api.answers.geometry import EventDetails, event_details
from api.answers.manoeuvred import manoeuvred_since
from api.answers.rows import EVENT_FIELDS, records
from api.answers.stored_events import StoredEvent, typed
from api.models.trend import Trend
from api.report.contents import Report
from api.report.numbers import sections
from api.report.summary import main_numbers, sentences, title
from api.report.web_page import numbers_table
from api.site.contents import Contents, private_objects
from api.site.frame import Page, path_of
from api.site.pictures.plane import caption, plane_svg
from screening.risk.tiers import LIMITS
from screening.risk.views.better_data import BetterData
from storage.in_memory.single_objects import mover_of
from storage.rows.words.event import headline
from storage.rows.words.numbers import distance, instant, minute
from storage.rows.words.right_of_way import who_gives_way
from storage.verification.outlook import outlook
from storage.vocabulary import FLEET, SECOND_LOOK

_RUNS_SHOWN = 12
_AFTER_RUNS = (FLEET, SECOND_LOOK)


def event_pages(contents: Contents) -> Iterator[Page]:
    """Yield the pages of the notable events. Raises StoreError."""
    snapshot, notable = contents.snapshot, contents.notable
    unpublished = private_objects(snapshot)
    histories = snapshot.histories(list(notable))
    for event in notable.values():
        found = [typed(row) for row in records(EVENT_FIELDS, histories[event.id])]
        history = [one for one in found if one.origin not in _AFTER_RUNS and not _rests_on(one, unpublished)]
        yield _page(_report(contents, event_details(snapshot, event), history))


def _rests_on(event: StoredEvent, objects: frozenset[int]) -> bool:
    return any(side.on_ephemeris and side.norad_id in objects for side in event.sides)


def _report(contents: Contents, details: EventDetails, history: list[StoredEvent]) -> Report:
    """Return a report without what is an organisation's: messages, plans, intents, whom to ask."""
    event, run = details.event, contents.run
    ours = Trend(
        event.id, event.tca, event.primary.norad_id, event.secondary.norad_id, LIMITS, [], [], [],
        [], BetterData([], None, "", ""), 0,
    )  # fmt: skip
    movers = (
        mover_of(side.norad_id, side.name, known, lambda _number, _name: None, ())
        for side, known in zip(event.sides, details.objects, strict=True)
    )
    return Report(
        event,
        details.geometry,
        details.objects,
        history,
        run,
        contents.notices,
        run.finished,  # so that nothing on the page changes until the next run
        ours,
        who_gives_way(event.row, *movers),
        details.trajectories,
        manoeuvred=manoeuvred_since(contents.snapshot, event),
        outlook=outlook(contents.snapshot.store, event.probability_level, event.tca, run.window_start),
    )


def _page(report: Report) -> Page:
    event = report.event
    name, level = title(event), event.levels[0]
    values = "".join(
        f"<div><dt>{escape(label)}</dt><dd>{escape(text)}</dd></div>" for label, text in main_numbers(report)
    )
    words = "".join(f"<p>{escape(sentence)}</p>\n" for sentence in sentences(report))
    sides = " and ".join(
        f'<a href="../object.html#{side.norad_id}">{escape(side.name.strip() or "object")} '
        f"({side.norad_id})</a>"
        for side in event.sides
    )
    tables = "".join(numbers_table(section) for section in sections(report)[:-1])
    body = (
        f'<article class="event">\n<h1>{escape(name)} <span class="badge {level}">{level}</span></h1>\n'
        f'<p class="lead">{sides} · <time datetime="{event.tca.isoformat()}">{instant(event.tca)} '
        "UTC</time></p>"
        f'\n<dl class="main-numbers">{values}</dl>\n<div class="beside">\n<div class="words">{words}</div>\n'
        f"{_picture(report)}</div>\n{_developed(report.history)}"
        f'<section class="all-numbers"><h2>Every number</h2>\n{tables}</section>\n</article>\n'
    )
    said = f"{headline(event.row)}, {minute(event.tca)} UTC."
    return Page(path_of(event.id), name, said, body)


def _picture(report: Report) -> str:
    event, plane = report.event, report.geometry.plane
    if plane is None:
        why = report.geometry.missing.get("encounter_plane", "")
        return f'<p class="note">No picture of the encounter plane: {escape(why)}</p>\n'
    drawn = plane_svg(
        plane, event.hard_body_radius_m, [side.name.strip() or str(side.norad_id) for side in event.sides]
    )
    said = escape(caption(plane, event.hard_body_radius_m))
    return f"<figure>{drawn}<figcaption>{said}</figcaption></figure>\n"


def _developed(history: Sequence[StoredEvent]) -> str:
    if len(history) < 2:
        return ""
    rows = "".join(
        f"<tr><td>{minute(one.computed_at)}</td><td>{instant(one.tca)}</td>"
        f'<td class="number">{distance(one.miss_distance_m)}</td>'
        f'<td class="number">{escape(one.graded.probability_words)}</td>'
        f'<td><span class="badge {one.levels[0]}">{one.levels[0]}</span></td></tr>\n'
        for one in history[: -_RUNS_SHOWN - 1 : -1]
    )
    return (
        '<section><h2>From run to run</h2><div class="scroll-x" tabindex="0" role="region" '
        'aria-label="From run to run"><table class="plain"><thead><tr><th>computed (UTC)</th><th>TCA '
        "(UTC)</th>"
        '<th class="number">miss</th><th class="number">probability</th><th>level</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>\n"
    )
