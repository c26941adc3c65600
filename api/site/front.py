"""The front page: today in ten numbers and three pictures, and the first events of both lists."""

from datetime import timedelta
from html import escape

from api.site.contents import Contents
from api.site.frame import NAME, Page
from api.site.lists import BY_DISTANCE, BY_PROBABILITY, event_table
from api.site.object_pages import CHANCE
from api.site.pictures.charts import how_near_svg, when_svg, where_svg
from storage.rows.words.numbers import distance, minute, number, probability, significant
from storage.sky.lists import listed, within

SHOWN = 10  # of each list
RE_ENTRY_DAYS = 60.0


def front_page(contents: Contents) -> Page:
    """Return the page. Raises StoreError."""
    found, run = contents.overview, contents.run
    days = (run.window_end - run.window_start) / timedelta(days=1)
    said = (
        f"All close approaches of {run.objects:,} satellites and pieces of debris from "
        f"{minute(run.window_start)} UTC on, for {number(days, 0 if days == round(days) else 1)} "
        f"day{'' if days == 1 else 's'}, with how likely a collision is."
    )
    values = "".join(
        f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>\n"
        for value, label in ten_numbers(contents)
    )
    paged = contents.notable
    figures = "".join(
        f"<figure><h2>{heading}</h2>{drawn}<figcaption>{reading}</figcaption></figure>\n"
        for heading, drawn, reading in (
            (
                "When and how likely",
                when_svg([one for one in contents.likeliest if one.id in paged], run),
                "Each dot is one of the likeliest events; it leads to its page.",
            ),
            (
                "Where",
                where_svg(found.altitude_inclination),
                "The stronger, the more approaches: most near 98°, where orbits are Sun-synchronous.",
            ),
            (
                "How near and how likely",
                how_near_svg(found.miss_probability),
                "Near is not likely: at one distance, probabilities differ by a factor of billions.",
            ),
        )
    )
    lists = "".join(
        f"<section><h2>{heading}</h2>{event_table(contents, events[:SHOWN], heading)}"
        f'<p><a href="{link.path}">All {len(events)} '
        f"{link.label[:1].lower()}{link.label[1:]}</a></p></section>\n"
        for heading, events, link in (
            ("Likeliest collisions", contents.likeliest, BY_PROBABILITY),
            ("Nearest misses", contents.nearest, BY_DISTANCE),
        )
    )
    body = (
        f'<h1>{NAME}</h1>\n<p class="lead">{said}</p>\n<dl class="ten">{values}</dl>\n'
        f'<div class="pictures">{figures}</div>\n<div class="lists">{lists}</div>\n'
    )
    return Page("index.html", NAME, said, body)


def ten_numbers(contents: Contents) -> list[tuple[str, str]]:
    """Return the numbers of the day, each with its meaning. Raises StoreError."""
    run, found = contents.run, contents.overview
    near = found.near
    likeliest, nearest = contents.likeliest[:1], contents.nearest[:1]
    total = f"SELECT sum({CHANCE}) AS p FROM {contents.events}"  # noqa: S608
    expected = contents.snapshot.columns(total)["p"]
    _, re_entries = listed(
        contents.snapshot.store, run.run_id, within(run.window_start, RE_ENTRY_DAYS), limit=0
    )
    chances = [one.decisive_probability for one in likeliest]
    return [
        (f"{run.objects:,}", "objects, all against all"),
        (f"{found.events:,}", f"approaches nearer than {number(run.threshold_km, 0)} km"),
        (f"{near.critical + near.high + near.medium:,}", "of them nearer than 1 km"),
        (f"{near.critical:,}", "nearer than 100 m"),
        (distance(nearest[0].miss_distance_m) if nearest else "—", "the nearest miss"),
        (probability(chances[0] if chances else None), "the highest probability of a collision"),
        (
            f"{found.by_level.critical + found.by_level.high:,}",
            "critical or high: more likely than 1 in 100,000",
        ),
        (significant(float(expected[0] or 0.0)), "collisions expected, by the sum of all probabilities"),
        (f"{run.slow:,}", "slow visits, below 10 m/s"),
        (f"{re_entries:,}", f"objects that re-enter within {RE_ENTRY_DAYS:.0f} days"),
    ]
