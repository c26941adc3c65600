"""Words for the source of an object's path."""

TRAJECTORY_WORDS = {
    "gp": "element set",
    "supgp": "supplemental element set",
    "ephemeris": "operator's ephemeris",
}
OF_AN_EARLIER_RELEASE = "element set"  # there was nothing else


def trajectory_words(kind: object) -> str:
    """Return a word of the columns `primary_trajectory` and `secondary_trajectory` for readers."""
    return TRAJECTORY_WORDS.get(str(kind), OF_AN_EARLIER_RELEASE)


def beside_the_name(kind: object) -> str:
    """Return what lists show behind an object's name: nothing where the path is from an element set."""
    words = trajectory_words(kind)
    return "" if words == OF_AN_EARLIER_RELEASE else f" ({words})"
