"""Re-entries: which objects decay soon, and when."""

from api.site.contents import Contents
from api.site.frame import Page
from api.site.front import RE_ENTRY_DAYS
from api.site.tables import object_link, table
from storage.rows.words.numbers import minute, number
from storage.sky.lists import COLUMNS, listed, within

_HEADS = (
    "object",
    "median (UTC)",
    "window that holds 90 % (UTC)",
    "perigee × apogee (km)",
    "inclination (°)",
)


def page(contents: Contents) -> Page | None:
    """Return the page; None: the run forecasts no decay within the next days."""
    run = contents.run
    rows, total = listed(contents.snapshot.store, run.run_id, within(run.window_start, RE_ENTRY_DAYS))
    if not total:
        return None
    lines = []
    for row in rows:
        one = dict(zip(COLUMNS, row, strict=True))
        note = ' <span class="unit">if it does not manoeuvre</span>' if one["may_manoeuvre"] else ""
        lines.append(
            (
                f"{object_link(one['norad_id'], one['name'])}{note}",
                minute(one["median"]),
                f"{minute(one['window_start'])} to {minute(one['window_end'])}",
                f"{number(one['perigee_km'], 0)} × {number(one['apogee_km'], 0)}",
                number(one["inclination_deg"]),
            )
        )
    said = f"{total:,} objects are expected to re-enter within {RE_ENTRY_DAYS:.0f} days of this run."
    body = (
        f'<h1>Re-entries</h1>\n<p class="lead">{said} The forecasts are from how their orbits shrink. '
        "Where they come down, and the risk on the ground, are not forecast. A median before this run means "
        "that the newest element set is old, and the object may be down already.</p>\n"
        f"{table('Re-entries', _HEADS, lines, 2)}"
    )
    return Page("re-entries.html", "Re-entries", said, body)
