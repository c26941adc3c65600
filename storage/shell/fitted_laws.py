"""What `objects errors` prints."""

from storage.histories.fitted_laws import SHIPPED, FittedLaws
from storage.shell import output


def print_fitted_laws(fitted: FittedLaws | None, *, as_json: bool) -> None:
    """Print the refitted laws of a store; None: all are as shipped."""
    words, laws = (SHIPPED, {}) if fitted is None else (fitted.words, fitted.laws)
    if as_json:
        output.print_json(
            {"error_laws": words, "laws": {name: one._asdict() for name, one in laws.items()}},
        )
        return
    print(f"Error laws: {words}")  # noqa: T201 - this is what was asked for
    if laws:
        print(f"{'factors on':<16}{'radial':>8}{'in-track':>10}{'cross-track':>13}")  # noqa: T201
    for name, (objects, pairs, (radial, in_track, cross_track)) in laws.items():
        print(  # noqa: T201
            f"{name:<16}{radial:>8.2f}{in_track:>10.2f}{cross_track:>13.2f}"
            f"  by {objects:,} objects, {pairs:,} pairs of sets"
        )
