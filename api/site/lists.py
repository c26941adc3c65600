"""The lists of events: by probability, and by distance."""

from collections.abc import Sequence
from html import escape

from api.answers.stored_events import StoredEvent, StoredSide
from api.site.contents import Contents
from api.site.frame import Link, Page, path_of
from storage.rows.words.numbers import distance, number, second, speed

BY_PROBABILITY = Link("probability.html", "By probability")
BY_DISTANCE = Link("distance.html", "By distance")
_HEADS = (
    ("level", ""), ("TCA (UTC)", ""), ("objects", ""), ("miss", "number"), ("probability", "number"),
    ("speed", "number"),
)  # fmt: skip


def list_pages(contents: Contents) -> list[Page]:
    """Return both lists."""
    km = number(contents.run.threshold_km, 0)
    return [
        _page(
            contents, BY_PROBABILITY, "Likely collisions", contents.likeliest,
            "Nearly all of these warnings dissolve as newer element sets come. Slow visits have no "
            "probability: they are in the list by distance only.",
        ),
        _page(
            contents, BY_DISTANCE, "Near misses", contents.nearest,
            f"Of all approaches below {km} km. How near is not how likely: errors are hundreds of metres.",
        ),
    ]  # fmt: skip


def _page(contents: Contents, link: Link, title: str, events: Sequence[StoredEvent], said: str) -> Page:
    first = f"The first {len(events):,} of {contents.run.conjunctions + contents.run.slow:,} approaches"
    description = f"{first}, {link.label[:1].lower()}{link.label[1:]}."
    body = (
        f'<h1>{title}</h1>\n<p class="lead">{description} {escape(said)}</p>\n'
        '<p class="filter" hidden><label for="filter">Only rows with</label> <input type="search" '
        'id="filter" placeholder="name, number, level or time"> <span role="status" '
        'id="filtered"></span></p>\n'
        f"{event_table(contents, events, title)}"
    )
    return Page(link.path, title, description, body)


def event_table(contents: Contents, events: Sequence[StoredEvent], name: str) -> str:
    """Return a table of events; those that have a page are linked."""
    paged = contents.notable
    head = "".join(f'<th scope="col" class="{kind}">{label}</th>' for label, kind in _HEADS)
    rows = "".join(_row(event, event.id in paged) for event in events)
    return (
        f'<div class="scroll-x" tabindex="0" role="region" aria-label="{name}"><table class="plain events">'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )


def _row(event: StoredEvent, has_page: bool) -> str:
    level, when = event.levels[0], second(event.tca)
    linked = f'<a href="{path_of(event.id)}">{when}</a>' if has_page else when
    return (
        f'<tr data-id="{event.id}"><td><span class="badge {level}">{level}</span></td><td>{linked}</td>'
        f"<td>{_object(event.primary)}<br>{_object(event.secondary)}</td>"
        f'<td class="number">{distance(event.miss_distance_m)}</td>'
        f'<td class="number">{escape(event.graded.probability_words)}</td><td '
        f'class="number">{speed(event.relative_speed_m_s)}</td></tr>\n'
    )


def _object(side: StoredSide) -> str:
    name = escape(side.name.strip() or "object")
    return f'<a href="object.html#{side.norad_id}">{name}</a> <span class="unit">{side.norad_id}</span>'
