"""What lists of events show beside a probability that rests on a guess, and in place of a missing one."""

# Words of covariance_source: errors of similar element sets, none of the object's own measured.
USUAL_ERRORS = ("default", "constellation")
GUESSED_RADII = ("class", "type")  # words of hard_body_source
MARKS = {
    "R": "a radius is guessed from the kind of object",
    "M": "an object manoeuvres, so its element set may be tens of km off",
}
NOT_COMPUTED = "not computed"  # a flag says why
LEGEND = "; ".join(f"{mark}: {meaning}" for mark, meaning in MARKS.items())


def marks(
    probability: object, hard_body_source: object, primary_manoeuvring: object, secondary_manoeuvring: object
) -> str:
    """Return the marks of an event's probability, values as stored; none where there is no probability."""
    if probability is None:
        return ""
    manoeuvring = primary_manoeuvring is True or secondary_manoeuvring is True
    return ("R" if hard_body_source in GUESSED_RADII else "") + ("M" if manoeuvring else "")
