"""Environment: how crowded the sky is, by altitude, owner and constellation."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from api.answers.rows import records
from api.site.contents import Contents
from api.site.frame import Page
from api.site.pictures.charts import by_altitude_svg
from api.site.tables import table
from storage.rows.words.numbers import number, significant
from storage.sky.crowding import COLUMNS, rows_of_run

GROUPS = 30  # of each kind
_COUNTS = ("objects", "below 1 km a day", "below 5 km a day", "expected collisions a year")
_KINDS = {"owner": "Owners", "constellation": "Constellations", "type": "Types of objects"}
_SAID = (
    "Fast approaches a day, and expected collisions a year as the sum of the probabilities of this run's "
    "events. Both are of objects that do nothing: satellites avoid what comes, and constellations keep apart."
)
_READING = (
    "Fast approaches closer than 5 km a day, up to 2,000 km; the darker part is outside constellations."
)

_Row = dict[str, Any]


def page(contents: Contents) -> Page | None:
    """Return the page; None: the run has not counted."""
    rows: list[_Row] = records(
        COLUMNS, rows_of_run(contents.snapshot.store, contents.run.run_id, None, GROUPS)
    )
    if not rows:
        return None
    shells = [row for row in rows if row["kind"] == "shell" and row["one"] == "all"]
    altitudes = [
        f"{number(row['altitude_from_km'], 0)} to {number(row['altitude_to_km'], 0)}" for row in shells
    ]
    apart = {
        row["altitude_from_km"]: row for row in rows if row["kind"] == "shell" and row["one"] == "outside"
    }
    bars = _bars(shells, apart)
    figure = f"<figure>{by_altitude_svg(bars)}<figcaption>{_READING}</figcaption></figure>"
    drawn = f'<div class="pictures">{figure}</div>\n'
    shown = drawn if any(bar[2] for bar in bars) else ""  # not below 5 km: the run's threshold is lower
    altitude_table = table("Altitudes", ("altitude (km)", *_COUNTS), _cells(altitudes, shells), 4)
    parts = [f"<h2>Altitudes</h2>\n{shown}{altitude_table}"]
    for kind, title in _KINDS.items():
        groups = [row for row in rows if row["kind"] == kind and row["other"] is None]
        names = [escape(row["one"]) for row in groups]
        if groups:
            parts.append(f"<h2>{title}</h2>\n{table(title, (kind, *_COUNTS), _cells(names, groups), 4)}")
    body = f'<h1>Environment</h1>\n<p class="lead">{_SAID}</p>\n{"".join(parts)}'
    return Page("environment.html", "Environment", _SAID, body)


def _bars(shells: Sequence[_Row], apart: Mapping[float, _Row]) -> list[tuple[float, float, float, float]]:
    return [
        (
            row["altitude_from_km"],
            row["altitude_to_km"],
            row["approaches_5km_day"] or 0.0,
            apart.get(row["altitude_from_km"], {}).get("approaches_5km_day") or 0.0,
        )
        for row in shells
    ]


def _cells(names: Sequence[str], rows: Sequence[_Row]) -> Iterator[tuple[str, ...]]:
    for name, row in zip(names, rows, strict=True):
        counts = (row["objects"], row["approaches_1km_day"], row["approaches_5km_day"])
        shown = ("" if one is None else number(one, 0) for one in counts)
        yield (name, *shown, significant(row["collisions_year"]))
