"""What lists of events show beside a probability that rests on a guess, and in place of a missing one."""

from collections.abc import Iterable

# Words of covariance_source: errors of similar element sets, none of the object's own measured.
USUAL_ERRORS = ("default", "constellation")
GUESSED_RADII = ("class", "type")  # words of hard_body_source
MARKS = {
    "R": "a radius is guessed from the kind of object",
    "M": "an object manoeuvres, so its element set may be tens of km off",
    "E": "an object flies another path than its element set, by its operator's ephemeris",
}
NOT_COMPUTED = "not computed"  # a flag says why
LEGEND = "; ".join(f"{mark}: {meaning}" for mark, meaning in MARKS.items())


def marks(
    probability: object,
    hard_body_source: object,
    manoeuvring: Iterable[object],
    departs_at: Iterable[object],
) -> str:
    """Return the marks of an event, values as stored, of both objects; only E without a probability."""
    elsewhere = "" if all(one is None for one in departs_at) else "E"
    if probability is None:
        return elsewhere
    moves = "M" if any(one is True for one in manoeuvring) else ""
    return ("R" if hard_body_source in GUESSED_RADII else "") + moves + elsewhere
