"""A known encounter of two objects of a catalogue, found again on their paths and rated."""

import numpy as np

from screening.errors import InputError
from screening.manoeuvre.rescreen import Catalogue
from screening.manoeuvre.trade_space import Course
from screening.orbits.timegrid import FloatArray, window
from screening.risk.conjunctions import ConjunctionArray
from screening.risk.objects.known_paths import known_paths
from screening.risk.score import score, tails_in_rows
from screening.search.few_objects.refind import approach_again

AROUND = np.timedelta64(10, "m")  # as events of two runs are matched
_HOURS = 2.0 * float(AROUND / np.timedelta64(1, "h"))


class NoEncounter(InputError):
    """Two objects have no encounter at that time on the paths that are known."""


def encounter_again(catalogue: Catalogue, moved: int, other: int, tca: np.datetime64) -> ConjunctionArray:
    """Return the closest approach of two objects around an instant, rated, CONJUNCTION_DTYPE (1,).

    The object `moved` is the primary. Raises NoEncounter.
    """
    both = np.array([moved, other])
    elements = catalogue.elements[both]
    span = window(tca - AROUND, _HOURS)
    flown_by = {
        side: catalogue.flown_by[int(place)]
        for side, place in enumerate(both)
        if int(place) in catalogue.flown_by
    }
    paths = known_paths(elements, flown_by, span)
    found = approach_again(paths.paths)
    if len(found) == 0:
        raise NoEncounter(
            f"{elements['norad_id'][0]} and {elements['norad_id'][1]} have no common states around {tca}Z: "
            "one of them has decayed, or its ephemeris has a gap."
        )
    known = catalogue.known.of(both)._replace(on_ephemerides=paths.on_ephemerides)
    return score(found, elements, span, known)


def course_of(catalogue: Catalogue, moved: int, encounter: ConjunctionArray) -> Course:
    """Return an encounter (1,), whose primary is the object `moved`, as a course that it may leave."""
    span = catalogue.span
    tca_s = float((encounter["tca"][0] - span.start) / np.timedelta64(1, "us")) / 1e6
    return Course(
        paths=catalogue.paths.paths,
        moved=moved,
        tca_s=tca_s,
        other=np.array(
            [
                encounter[f"secondary_{name}"][0]
                for name in ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")
            ]
        ),
        moved_rtn_m2=_covariance(encounter, "primary"),
        other_rtn_m2=_covariance(encounter, "secondary"),
        tails=(tails_in_rows(encounter, "primary"), tails_in_rows(encounter, "secondary")),
        radius_m=float(encounter["hard_body_radius_m"][0]),
    )


def _covariance(encounter: ConjunctionArray, who: str) -> FloatArray:
    """Return the errors of one object's position (3, 3), m2 in its own RTN; NaN if they are not known."""
    sigma_m = np.array([encounter[f"{who}_sigma_{axis}_m"][0] for axis in "rtn"])
    correlation = np.eye(3)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        known = np.nan_to_num(encounter[f"{who}_correlation_{'rtn'[a]}{'rtn'[b]}"][0])
        correlation[a, b] = correlation[b, a] = known
    covariance: FloatArray = correlation * np.outer(sigma_m, sigma_m)
    return covariance
