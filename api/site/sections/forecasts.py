"""Forecasts: how earlier predictions did, against what came."""

from html import escape

from api.report.digest import FORECASTS
from api.report.page_frame import svg
from api.report.pictures.verification import PICTURES
from api.report.verification_page import rows_table
from api.site.contents import Contents
from api.site.frame import Page
from api.site.pictures.themed import themed
from storage.shell.verification import TABLES, rows_of, what_passed
from storage.verification.record import verification


def page(contents: Contents) -> Page | None:
    """Return the page; None: no forecast is judged yet. Raises StoreError."""
    found = verification(contents.snapshot.store)
    if found.since is None:
        return None
    parts = []
    for heading, table in TABLES.items():
        picture = PICTURES[table]
        figure = picture.draw(found)
        drawn = (
            f'<p class="note">{escape(picture.missing)}</p>'
            if figure is None
            else f'<figure class="wide">{themed(svg(heading, figure))}'
            f"<figcaption>{escape(picture.reading)}</figcaption></figure>"
        )
        parts.append(
            f"<section><h2>{escape(heading)}</h2>{drawn}<details><summary>Its numbers</summary>"
            f"{rows_table(rows_of(found, table))}</details></section>\n"
        )
    said = "".join(f"<li>{escape(sentence)}</li>\n" for sentence in found.words)
    body = (
        f'<h1>{FORECASTS}</h1>\n<p class="lead">{escape(what_passed(found))}</p>\n<ul '
        f'class="said">{said}</ul>\n'
        f"{''.join(parts)}"
    )
    return Page("forecasts.html", FORECASTS, f"{FORECASTS}: {what_passed(found)}.", body)
