"""Method and limits, in a page of text."""

from html import escape

from api.site.contents import Contents
from api.site.frame import Page
from storage.rows.words.event import ADVICE
from storage.rows.words.numbers import minute, number

_TITLE = "Method and limits"


def page(contents: Contents) -> Page:
    """Return the page."""
    run = contents.run
    parts = {
        "What is searched": (
            f"Every pair of the {run.objects:,} objects of the catalogue, continuously in time from "
            f"{minute(run.window_start)} to {minute(run.window_end)} UTC, with SGP4 as published by Vallado. "
            f"Each approach nearer than {number(run.threshold_km, 0)} km is found with its time of closest "
            "approach (TCA); none is left out for being unlikely."
        ),
        "How likely a collision is": (
            "Element sets come without errors. So each object gets those measured for objects of its kind "
            "and age, from differences between consecutive sets, with their wide tails. The probability is "
            "the integral of the errors of both over the disk of both bodies in the encounter plane, in "
            "three dimensions where the plane is too simple. Sizes are published ones where there are any."
        ),
        "Levels": (
            "By the probability alone: critical above 1e-4, high above 1e-5, medium above 1e-6, low below. "
            "Unknown: nothing could be computed, as for slow visits; it does not mean low."
        ),
        "Limits": (
            "Element sets are off by a few hundred metres on the day they are made and by kilometres days "
            "later; objects that thrust may be elsewhere altogether. Most high probabilities dissolve when "
            "newer sets come. Objects without public element sets are missing, and pieces below about 10 cm "
            "are in no catalogue."
        ),
        "What to do with it": ADVICE,
        "Not shown": (
            "Events that rest on trajectories which operators gave to this service in confidence, received "
            "messages, and everything about fleets."
        ),
    }
    sections = "".join(
        f"<section><h2>{head}</h2><p>{escape(text)}</p></section>\n" for head, text in parts.items()
    )
    body = f'<article class="text"><h1>{_TITLE}</h1>\n{sections}</article>\n'
    return Page(
        "method.html", _TITLE, "How close approaches are found and rated, and what is not known.", body
    )
