"""One page for all objects, `object.html#25544`: a script reads what it shows from data files.

27,000 pages would be 100 MB; 256 files by the last bits of the catalogue number are 60 kB each.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

import numpy as np
import orjson

from api.site.contents import Contents
from api.site.frame import Page
from screening.vocabulary import PROBABILITY_LEVELS
from storage.rows.danger import DECISIVE_PROBABILITY, PROBABILITY_LEVEL, SQL_ORDERS
from storage.sky.lists import listed, within

SHARDS = 256
EVENTS_SHOWN = 30  # of one object, the most dangerous
FACTS = (
    "name", "object_id", "object_type", "status", "owner", "state", "mass_kg", "hard_body_radius_m",
    "perigee_km", "apogee_km", "inclination_deg", "can_manoeuvre", "last_manoeuvre",
)  # fmt: skip
# With these, somebody who has the file can propagate the object.
ELEMENTS = (
    "epoch", "mean_motion_rev_day", "eccentricity", "inclination_deg", "raan_deg",
    "argument_of_perigee_deg", "mean_anomaly_deg", "bstar_per_earth_radius",
)  # fmt: skip
COARSE = {"perigee_km": 0, "apogee_km": 0, "inclination_deg": 1, "mass_kg": 1, "hard_body_radius_m": 2}

# As lists have it: of what is unknown, no number.
CHANCE = f"CASE WHEN {PROBABILITY_LEVEL} <> 'unknown' THEN {DECISIVE_PROBABILITY} END"

Row = tuple[Any, ...]


def object_page(contents: Contents) -> Page:
    """Return the page of all objects."""
    said = f"Orbit, size, owner and close approaches of each of {contents.run.objects:,} objects."
    body = (
        '<div id="object"><h1>Objects</h1>\n<p class="lead">Search above for a name or a catalogue '
        "number.</p>\n"
        "<noscript><p>This page needs JavaScript; the same is in the files of the page "
        "Data.</p></noscript></div>"
    )
    return Page("object.html", "Objects", said, body)


def search_file(contents: Contents) -> bytes:
    """Return the numbers and names of all objects, for the search of every page."""
    found = contents.snapshot.objects(("norad_id", "name"))
    return b"skysieve.search=" + orjson.dumps([(number, str(name).strip()) for number, name in found])


def object_files(contents: Contents) -> Iterator[tuple[str, bytes]]:
    """Yield the data files of the objects, name and content. Raises StoreError."""
    rows = _events(contents)
    decays, _ = listed(contents.snapshot.store, contents.run.run_id, within(contents.run.window_start, None))
    ends = {row[1]: [_day(row[place]) for place in (3, 4, 5)] for row in decays}
    sets = _element_sets(contents) if contents.wishes.with_element_sets else {}
    shards: dict[int, dict[int, Any]] = defaultdict(dict)
    for row in contents.snapshot.objects(("norad_id", *FACTS)):
        number, facts = cast("int", row[0]), row[1:]
        events, total = rows.get(number, ([], 0))
        told = [_told(name, value) for name, value in zip(FACTS, facts, strict=True)]
        shards[number % SHARDS][number] = [told, total, events, ends.get(number), sets.get(number)]
    window = contents.run.window_start.timestamp()
    for shard, objects in sorted(shards.items()):
        others = {row[1]: row[2] for one in objects.values() for row in one[2]}
        brief = {
            number: [told, total, [[row[0], row[1], *row[3:]] for row in events], *rest]
            for number, (told, total, events, *rest) in objects.items()
        }
        content = {"from": window, "names": others, "objects": brief}
        text = orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS)
        yield f"objects/{shard}.js", b"skysieve.objects=" + text


def _told(name: str, value: object) -> object:
    if isinstance(value, datetime):
        return _day(value)
    if isinstance(value, float):
        return round(value, COARSE[name])
    return value.strip() or None if isinstance(value, str) else value


def _day(time: datetime) -> str:
    return f"{time:%Y-%m-%d}"


def _events(contents: Contents) -> dict[int, tuple[list[Row], int]]:
    """Return the events of each object: seconds into the window, the other object, its name, miss (m).

    Then probability, level as a place in PROBABILITY_LEVELS, speed (m/s), the id if it has a page, else 0.
    And how many there are in all.
    """
    numbers = (
        "tca", "miss_distance_m", f"{CHANCE} AS p", "relative_speed_m_s", "event_id",
        f"list_position({list(PROBABILITY_LEVELS)}, {PROBABILITY_LEVEL}) - 1 AS level",
        f"row_number() OVER (ORDER BY {SQL_ORDERS['risk']}) AS place",
    )  # fmt: skip
    sides = (("primary", "secondary"), ("secondary", "primary"))
    both = " UNION ALL ".join(
        f"SELECT {own}_norad_id AS own, {other}_norad_id AS other, {other}_name AS name, * FROM ranked"  # noqa: S608
        for own, other in sides
    )
    of_both = ", ".join(
        f"{side}_{name}" for side in ("primary", "secondary") for name in ("norad_id", "name")
    )
    wanted = "own, other, name, tca, miss_distance_m, p, level, relative_speed_m_s, event_id"
    sql = (
        f"WITH ranked AS (SELECT {of_both}, {', '.join(numbers)} FROM {contents.events}), sides AS ({both}) "  # noqa: S608
        f"SELECT {wanted}, count(*) OVER (PARTITION BY own) AS total FROM sides "
        f"QUALIFY row_number() OVER (PARTITION BY own ORDER BY place) <= {EVENTS_SHOWN} ORDER BY own, place"
    )
    found = contents.snapshot.columns(sql)
    start = np.datetime64(contents.run.window_start.replace(tzinfo=None), "us")
    seconds = (np.ma.getdata(found["tca"]).astype("M8[us]") - start) / np.timedelta64(1, "s")
    paged = np.isin(np.ma.getdata(found["event_id"]), list(contents.notable))
    columns = [
        np.round(seconds, 1).tolist(),
        found["other"].tolist(),
        found["name"].tolist(),
        np.round(np.ma.getdata(found["miss_distance_m"]).astype(float), 1).tolist(),
        [
            None if chance is None or chance != chance else float(f"{chance:.2e}")
            for chance in found["p"].tolist()
        ],
        found["level"].tolist(),
        [
            None if speed is None or speed != speed else round(speed)
            for speed in found["relative_speed_m_s"].tolist()
        ],
        np.where(paged, np.ma.getdata(found["event_id"]), 0).tolist(),
    ]
    events: dict[int, tuple[list[Row], int]] = {}
    for own, total, *row in zip(found["own"].tolist(), found["total"].tolist(), *columns, strict=True):
        events.setdefault(own, ([], total))[0].append(tuple(row))
    return events


def _element_sets(contents: Contents) -> dict[int, Row]:
    names = ", ".join(ELEMENTS)
    rows = contents.snapshot.rows(f"SELECT norad_id, {names} FROM elements WHERE trajectory = 'gp'", [])  # noqa: S608
    return {cast("int", row[0]): row[1:] for row in rows}
