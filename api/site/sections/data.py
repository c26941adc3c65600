"""Data: the files behind the site, and how to cite them."""

from html import escape

import orjson

from api.site.contents import Contents
from api.site.data_files import TABLES, citation, file_names
from api.site.frame import Page
from screening.vocabulary import SIZES_FROM
from storage.rows.words.numbers import minute
from storage.times import time_text

_TITLE = "Data"


def page(contents: Contents) -> Page:
    """Return the page."""
    run = contents.run
    rows = "".join(
        f'<tr><th scope="row">{escape(about)}</th><td>'
        + " · ".join(f'<a href="data/{name}">{name}</a>' for name in file_names(table))
        + "</td></tr>\n"
        for table, about in TABLES.items()
        if table != "elements" or contents.wishes.with_element_sets
    )
    cited = escape(_as_text(contents))
    body = (
        f'<article class="text"><h1>{_TITLE}</h1>\n<p class="lead">All of run {escape(run.run_id)}, for '
        "your own questions. Times are UTC; names of columns carry their unit.</p>\n"
        f'<table class="plain files"><tbody>{rows}</tbody></table>\n'
        '<section><h2>How to cite</h2><p><cite class="citation">'
        f'{cited}</cite></p><p><a href="data/CITATION.cff">CITATION.cff</a> says the same for machines. '
        "If you deposit these files to get a DOI, keep it beside them.</p></section>\n"
        f"<section><h2>Terms</h2><p>Sizes, masses and owners: {escape(SIZES_FROM)}; name it when you pass "
        f"them on. {_about_sets(contents)}</p></section></article>\n"
    )
    head = f'<script type="application/ld+json">{_dataset(contents)}</script>\n'
    return Page("data.html", _TITLE, f"Close approaches of run {run.run_id} as Parquet and CSV.", body, head)


def _about_sets(contents: Contents) -> str:
    if contents.wishes.with_element_sets:
        return "Element sets are in these files: their publisher answers for the terms of their source."
    return (
        "Element sets, and positions that say as much, are not in these files: Space-Track, which they come "
        "from, permits sharing them only with its consent."
    )


def _as_text(contents: Contents) -> str:
    said = citation(contents)
    where = f" {contents.wishes.base_url}" if contents.wishes.base_url else ""
    return f"{said['authors'][0]['name']} ({said['date-released'][:4]}). {said['title']} [data set].{where}"


def _dataset(contents: Contents) -> str:
    """Return the files as a Dataset of schema.org, JSON-LD within a script element."""
    run, base = contents.run, contents.wishes.base_url
    said = citation(contents)
    found = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": said["title"],
        "description": (
            f"{said['abstract']} From {minute(run.window_start)} to {minute(run.window_end)} UTC, among "
            f"{run.objects:,} objects."
        ),
        "identifier": run.run_id,
        "version": said["version"],
        "datePublished": said["date-released"],
        "temporalCoverage": "/".join(time_text(one, "seconds") for one in (run.window_start, run.window_end)),
        "creator": {"@type": "Organization", "name": said["authors"][0]["name"]},
        "keywords": said["keywords"],
        "isAccessibleForFree": True,
        "citation": SIZES_FROM,
        "distribution": [
            {
                "@type": "DataDownload",
                "name": name,
                "encodingFormat": "text/csv" if ".csv" in name else "application/vnd.apache.parquet",
                "contentUrl": f"{base}/data/{name}" if base else f"data/{name}",
            }
            for table in TABLES
            if table != "elements" or contents.wishes.with_element_sets
            for name in file_names(table)
        ],
    }
    return orjson.dumps(found).decode().replace("<", "\\u003c")
