"""Changes: how the catalogue differs from an earlier one, and which objects broke up."""

from html import escape

from api.site.contents import Contents
from api.site.frame import Page
from api.site.tables import object_link, table
from storage.rows.words.numbers import minute, number
from storage.sky.catalogue import catalogue_changes
from storage.sky.fragmentations import list_fragmentations

_RUN_HEADS = ("run", "objects", "new", "gone")
_BREAK_UP_HEADS = ("parent", "time (UTC)", "± hours", "altitude (km)", "pieces")


def page(contents: Contents) -> Page | None:
    """Return the page; None: the run has not compared its catalogue."""
    store = contents.snapshot.store
    found = catalogue_changes(store)
    if found.run_id != contents.run.run_id:
        return None
    said = " ".join(found.words)
    runs = (
        (
            f"{escape(one.run_id)}{' <strong>damaged source</strong>' if one.suspect else ''}",
            number(one.objects, 0),
            number(one.new, 0),
            number(one.gone, 0),
        )
        for one in found.runs
    )
    body = (
        f'<h1>Changes</h1>\n<p class="lead">{escape(said)}</p>\n'
        f"<h2>Break-ups</h2>\n{_break_ups(contents)}"
        f"<h2>Catalogues of the last runs</h2>\n{table('Catalogues', _RUN_HEADS, runs, 3)}"
    )
    return Page("changes.html", "Changes", said, body)


def _break_ups(contents: Contents) -> str:
    events = list_fragmentations(contents.snapshot.store).fragmentations
    if not events:
        return "<p>New objects of the runs in this store show none.</p>\n"
    rows = (
        (
            object_link(one.parent_norad_id, one.parent_name),
            minute(one.at),
            number(one.uncertainty_hours),
            number(one.altitude_km, 0),
            number(one.pieces, 0),
        )
        for one in events
    )
    return table("Break-ups", _BREAK_UP_HEADS, rows, 3)
