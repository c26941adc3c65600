"""From encounters to rated conjunctions: geometry at TCA, probabilities, and the resulting tier."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.pieces import BY_ELEMENTS
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, instants, seconds_since, utc
from screening.risk.best_of_runs import set_best
from screening.risk.conjunctions import (
    CONJUNCTION_DTYPE,
    COVARIANCE_SOURCES,
    ENCOUNTERS,
    NO_CODE,
    PROBABILITY_FLAGS,
    ConjunctionArray,
    unrated,
)
from screening.risk.consequence import catastrophic, fragments_10cm
from screening.risk.geometry.encounter_plane import BoolArray, EncounterPlane, encounter_plane
from screening.risk.geometry.rtn import along_rtn, rtn_covariance_to_inertial, speed_rt_km_s
from screening.risk.monte_carlo.two_dimensional import monte_carlo_2d
from screening.risk.objects.error_classes import OWN_CONSTELLATIONS, manoeuvring
from screening.risk.objects.error_law import TAIL_SCALES_RTN, ErrorLaws, error_laws
from screening.risk.objects.hard_body import combined_radius_m
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.objects.known_paths import OnEphemerides
from screening.risk.probability.choice import NOT_2D
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.formula import formula, formula_arguments
from screening.risk.probability.maximum import maximum_over_scale
from screening.risk.probability.mixture import weighted_sum
from screening.risk.probability.tails import Tails
from screening.risk.probability.validity import validity_flags
from screening.risk.tiers import near_levels, probability_levels, risk_levels
from screening.vocabulary import ERROR_LAWS, RISK_LEVELS, TRAJECTORY_KINDS

METRES_PER_KM = 1000.0
# Encounters scored at a time: 3 MB of records, most of which stay in the processor's cache.
EVENTS_AT_A_TIME = 6_000
# Alarming events get a Monte Carlo value that validates the integral.
VALIDATED_LEVELS = ("critical", "high")
MONTE_CARLO_SAMPLES = 10_000

_STORED_TAILS = ("tail_share", "burn_share", "burn_in_track_m")

_SOURCES_OF_LAWS = np.array(
    [
        COVARIANCE_SOURCES.index("constellation" if law in OWN_CONSTELLATIONS else "default")
        for law in ERROR_LAWS
    ]
)

_SLOW, _LONG = (np.uint8(1 << PROBABILITY_FLAGS.index(word)) for word in ("slow", "long"))


def score(
    encounters: EncounterArray,
    elements: ElementArray,
    span: TimeWindow,
    known: ObjectKnowledge,
    laws: ErrorLaws | None = None,
) -> ConjunctionArray:
    """Rate encounters (n,) between objects of `elements` in the window `span`; CONJUNCTION_DTYPE (n,).

    Each encounter is rated independently: together or in any parts, the result is the same. `laws` are those
    of `laws_for`, for callers that rate the same objects' encounters in parts.
    """
    out = unrated(len(encounters))
    laws = laws_for(elements, known) if laws is None else laws
    for first in range(0, len(encounters), EVENTS_AT_A_TIME):
        here = slice(first, first + EVENTS_AT_A_TIME)
        _describe(out[here], encounters[here], elements, span, known.on_ephemerides)
        _measure_miss(out[here], encounters[here])
        _set_probabilities(out[here], encounters[here], laws, known)
    return out


def laws_for(elements: ElementArray, known: ObjectKnowledge) -> ErrorLaws:
    """Return the error laws of element sets (n,) of objects of which so much is known."""
    return error_laws(elements, known.error_classes, known.factors_rtn, known.burns, known.law_factors_rtn)


def at_radius(rows: ConjunctionArray, radius_m: FloatArray) -> ConjunctionArray:
    """Rate conjunctions (n,) again with other combined hard-body radii (n,), m, all else as they have it.

    Each object's own radius and the source stay; the columns of the Monte Carlo validation are empty.
    """
    out = rows.copy()
    none = unrated(1)
    for name in CONJUNCTION_DTYPE.names or ():
        if name.startswith(("probability", "formula", "mc_", "diluted")):
            out[name] = none[name]
    out["hard_body_radius_m"] = radius_m
    for first in range(0, len(out), EVENTS_AT_A_TIME):
        here = out[first : first + EVENTS_AT_A_TIME]
        states, covariances_rtn = states_in_rows(here), _covariances_of_both(here)
        plane, given = _plane(here, states, covariances_rtn)
        _set_rating(here, plane, states, covariances_rtn, given)
    return out


def probability_in_plane(rows: ConjunctionArray) -> FloatArray:
    """Return the probabilities (n,) of conjunctions by their states, sigmas, tails and radii: of the plane.

    Whether the plane holds is not asked. NaN where a covariance in the plane is not positive definite.
    """
    states, covariances_rtn = states_in_rows(rows), _covariances_of_both(rows)
    covariances = [
        rtn_covariance_to_inertial(one, *states[2 * side : 2 * side + 2])
        for side, one in enumerate(covariances_rtn)
    ]
    plane = encounter_plane(*states, *covariances)
    radius_m = rows["hard_body_radius_m"]
    quiet, _ = exact_2d(
        plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radius_m
    )
    tails = [tails_in_rows(rows, who) for who in ("primary", "secondary")]
    return weighted_sum(quiet, plane, states, covariances_rtn, tails, radius_m)


def by_distance(
    encounters: EncounterArray,
    elements: ElementArray,
    span: TimeWindow,
    on_ephemerides: OnEphemerides | None,
) -> ConjunctionArray:
    """Rate encounters (n,) by their miss distance alone, without probabilities; CONJUNCTION_DTYPE (n,)."""
    out = unrated(len(encounters))
    _describe(out, encounters, elements, span, on_ephemerides)
    _measure_miss(out, encounters)
    _set_levels(out)
    return out


def _describe(
    out: ConjunctionArray,
    encounters: EncounterArray,
    elements: ElementArray,
    span: TimeWindow,
    on_ephemerides: OnEphemerides | None,
) -> None:
    out["tca"] = utc(span, encounters["tca_s"])
    out["inside_from"] = utc(span, encounters["inside_from_s"])
    out["inside_to"] = utc(span, encounters["inside_to_s"])
    out["encounter"] = np.where(encounters["slow"], ENCOUNTERS.index("slow"), ENCOUNTERS.index("fast"))
    for who in ("primary", "secondary"):
        index = encounters[f"{who}_index"]
        out[f"{who}_norad_id"] = elements["norad_id"][index]
        epoch = elements["epoch_jd"][index], elements["epoch_day_fraction"][index]
        out[f"{who}_epoch"] = instants(*epoch)
        out[f"{who}_age_days"] = (encounters["tca_s"] - seconds_since(span, *epoch)) / SECONDS_PER_DAY
        out[f"{who}_trajectory"] = elements["trajectory"][index]
        for axis, name in enumerate("xyz"):
            out[f"{who}_{name}_km"] = encounters[f"{who}_r_teme_km"][:, axis]
            out[f"{who}_v{name}_km_s"] = encounters[f"{who}_v_teme_km_s"][:, axis]
        if on_ephemerides is not None:
            rows, begins, departs_at = on_ephemerides.begins_at(index, encounters["tca_s"])
            out[f"{who}_trajectory"][rows] = TRAJECTORY_KINDS.index("ephemeris")
            out[f"{who}_epoch"][rows] = begins
            elsewhere = out["tca"][rows] >= departs_at
            out[f"{who}_departs_at"][rows[elsewhere]] = departs_at[elsewhere]
            out[f"{who}_age_days"][rows] = (out["tca"][rows] - begins) / np.timedelta64(1, "D")


def _measure_miss(out: ConjunctionArray, encounters: EncounterArray) -> None:
    out["miss_distance_m"] = encounters["miss_distance_km"] * METRES_PER_KM
    out["relative_speed_m_s"] = encounters["relative_speed_km_s"] * METRES_PER_KM
    miss_km = encounters["secondary_r_teme_km"] - encounters["primary_r_teme_km"]
    state = encounters["primary_r_teme_km"], encounters["primary_v_teme_km_s"]
    miss_rtn_m = along_rtn(miss_km, *state) * METRES_PER_KM
    for axis, name in enumerate(("radial", "in_track", "cross_track")):
        out[f"miss_{name}_m"] = miss_rtn_m[:, axis]


def _set_probabilities(
    out: ConjunctionArray, encounters: EncounterArray, laws: ErrorLaws, known: ObjectKnowledge
) -> None:
    """Fill covariances, radii, probabilities, flags and tiers."""
    states: list[FloatArray] = []
    covariances_rtn = []
    for who in ("primary", "secondary"):
        states += [encounters[f"{who}_{what}"] * METRES_PER_KM for what in ("r_teme_km", "v_teme_km_s")]
        covariances_rtn.append(_covariances(out, who, encounters, laws, known))
    out["hard_body_radius_m"], out["hard_body_source"] = combined_radius_m(
        known.bodies, encounters["primary_index"], encounters["secondary_index"]
    )
    for who in ("primary", "secondary"):
        out[f"{who}_radius_m"] = known.bodies.radius_m[encounters[f"{who}_index"]]
    _set_consequence(
        out, *(known.bodies.mass_kg[encounters[f"{who}_index"]] for who in ("primary", "secondary"))
    )
    plane, given = _plane(out, states, covariances_rtn)
    flat = _set_rating(out, plane, states, covariances_rtn, given)
    alarming = np.isin(out["risk_level"], [RISK_LEVELS.index(level) for level in VALIDATED_LEVELS])
    validated = flat[alarming[flat] & (out["probability_flag"][flat] & _LONG == 0)]
    if len(validated):
        _validate(out, validated, plane.of(validated), out["hard_body_radius_m"][validated])


def _plane(
    out: ConjunctionArray, states: Sequence[FloatArray], covariances_rtn: Sequence[FloatArray]
) -> tuple[EncounterPlane, BoolArray]:
    """Return the encounter planes (n,), and where both covariances are known; fill the flags."""
    covariances = [
        rtn_covariance_to_inertial(one, *states[2 * side : 2 * side + 2])
        for side, one in enumerate(covariances_rtn)
    ]
    given = np.ones(len(out), np.bool_)
    for who in ("primary", "secondary"):
        given &= out[f"{who}_covariance_source"] != NO_CODE
    plane = encounter_plane(*states, *covariances)
    flags = np.where(given, validity_flags(plane, *states, *covariances), np.uint8(0))
    slow = out["encounter"] == ENCOUNTERS.index("slow")
    out["probability_flag"] = flags | np.where(slow, _SLOW, np.uint8(0))
    return plane, given


def _set_rating(
    out: ConjunctionArray,
    plane: EncounterPlane,
    states: Sequence[FloatArray],
    covariances_rtn: Sequence[FloatArray],
    given: BoolArray,
) -> npt.NDArray[np.intp]:
    """Fill probabilities and levels at the radii that are filled; return the rows that hold in the plane."""
    flat = np.flatnonzero(given & ((out["probability_flag"] & NOT_2D) == 0))
    if len(flat):
        _set_flat(out, flat, plane.of(flat), out["hard_body_radius_m"][flat])
    set_best(out, plane, states, covariances_rtn, given)
    out["probability_best"] = weighted_sum(
        out["probability_best"],
        plane,
        states,
        covariances_rtn,
        [tails_in_rows(out, who) for who in ("primary", "secondary")],
        out["hard_body_radius_m"],
    )
    _set_levels(out)
    return flat


def _set_consequence(out: ConjunctionArray, primary_kg: FloatArray, secondary_kg: FloatArray) -> None:
    """Fill what a collision would leave, where both masses are known."""
    out["fragments_10cm"] = fragments_10cm(primary_kg, secondary_kg, out["relative_speed_m_s"])
    shattered = catastrophic(primary_kg, secondary_kg, out["relative_speed_m_s"])
    out["catastrophic"] = np.where(np.isnan(primary_kg + secondary_kg), NO_CODE, shattered)


def _covariances(
    out: ConjunctionArray, who: str, encounters: EncounterArray, laws: ErrorLaws, known: ObjectKnowledge
) -> FloatArray:
    """Return the errors of one side's positions at TCA in its own RTN, and note where they are from.

    By the laws, standard deviations (n, 3) in m; if an object is on an ephemeris, covariances (n, 3, 3) in
    m^2, NaN where neither is known.
    """
    index = encounters[f"{who}_index"]
    r_km, v_km_s = encounters[f"{who}_r_teme_km"], encounters[f"{who}_v_teme_km_s"]
    sigma_m = laws.sigma_rtn_m(index, out[f"{who}_age_days"], speed_rt_km_s(r_km, v_km_s))
    out[f"{who}_complex_id"] = known.complex_ids[index]
    out[f"{who}_manoeuvring"] = manoeuvring(known.error_classes[index])
    code = laws.codes[index]
    out[f"{who}_error_law"] = code
    out[f"{who}_covariance_source"] = np.where(
        laws.own[index], COVARIANCE_SOURCES.index("own"), _SOURCES_OF_LAWS[code]
    )
    tails = laws.tails(index, out[f"{who}_age_days"])
    for name in _STORED_TAILS:
        out[f"{who}_{name}"] = getattr(tails, name)
    covariance = sigma_m
    if known.on_ephemerides is not None:
        covariance = np.einsum("ni,ij->nij", sigma_m**2, np.eye(3))
        rows, theirs = _of_operators(out, who, encounters, known.on_ephemerides)
        _drop_tails(out, who, rows if known.planned is None else rows[~known.planned[index[rows]]])
        covariance[rows] = theirs
        sigma_m[rows] = np.sqrt(np.einsum("nii->ni", theirs))
        for a, b in ((0, 1), (0, 2), (1, 2)):
            product = sigma_m[rows, a] * sigma_m[rows, b]
            correlation = np.divide(theirs[:, a, b], product, out=np.zeros_like(product), where=product > 0.0)
            out[f"{who}_correlation_{'rtn'[a]}{'rtn'[b]}"][rows] = correlation
    for axis, name in enumerate("rtn"):
        out[f"{who}_sigma_{name}_m"] = sigma_m[:, axis]
    return covariance


def _drop_tails(out: ConjunctionArray, who: str, rows: npt.NDArray[np.intp]) -> None:
    """Leave an operator's covariance as it is given."""
    out[f"{who}_error_law"][rows] = NO_CODE
    for name in _STORED_TAILS:
        out[f"{who}_{name}"][rows] = 0.0


def tails_in_rows(rows: ConjunctionArray, who: str) -> Tails:
    """Return what one side's sigmas leave out, as rows have it; those of earlier releases have nothing."""
    stored = {name: np.nan_to_num(rows[f"{who}_{name}"]) for name in _STORED_TAILS}
    return Tails(tail_scale_rtn=TAIL_SCALES_RTN[rows[f"{who}_error_law"]], **stored)


def states_in_rows(rows: ConjunctionArray) -> list[FloatArray]:
    """Return positions and velocities (n, 3) of the primary, then of the secondary, TEME, m and m/s."""
    return [
        np.stack([rows[f"{who}_{axis}"] for axis in axes], axis=1) * METRES_PER_KM
        for who in ("primary", "secondary")
        for axes in (("x_km", "y_km", "z_km"), ("vx_km_s", "vy_km_s", "vz_km_s"))
    ]


def _covariances_of_both(rows: ConjunctionArray) -> list[FloatArray]:
    return [_covariances_in_rows(rows, who) for who in ("primary", "secondary")]


def _covariances_in_rows(rows: ConjunctionArray, who: str) -> FloatArray:
    """Return one side's errors of position in its own RTN as rows have them: covariances (n, 3, 3), m^2."""
    correlation = np.broadcast_to(np.eye(3), (len(rows), 3, 3)).copy()
    for a, b in ((0, 1), (0, 2), (1, 2)):
        known = np.nan_to_num(rows[f"{who}_correlation_{'rtn'[a]}{'rtn'[b]}"])
        correlation[:, a, b] = correlation[:, b, a] = known
    sigma_m = np.stack([rows[f"{who}_sigma_{axis}_m"] for axis in "rtn"], axis=1)
    covariance: FloatArray = sigma_m[:, :, np.newaxis] * correlation * sigma_m[:, np.newaxis, :]
    return covariance


def _of_operators(
    out: ConjunctionArray, who: str, encounters: EncounterArray, on_ephemerides: OnEphemerides
) -> tuple[npt.NDArray[np.intp], FloatArray]:
    """Return the encounters (k,) whose object is on an ephemeris, and its covariances (k, 3, 3), m^2."""
    tca_s = encounters["tca_s"]
    segments = on_ephemerides.segments_at(encounters[f"{who}_index"], tca_s)
    rows = np.flatnonzero(segments != BY_ELEMENTS)
    covariances = on_ephemerides.errors.at(segments[rows], tca_s[rows])
    given = np.isfinite(covariances).all(axis=(1, 2))
    out[f"{who}_covariance_source"][rows] = np.where(given, COVARIANCE_SOURCES.index("trajectory"), NO_CODE)
    out[f"{who}_manoeuvring"][rows] = 0  # that says that an element set may be far off
    return rows, covariances


def _set_flat(
    out: ConjunctionArray, flat: npt.NDArray[np.intp], plane: EncounterPlane, radius_m: FloatArray
) -> None:
    """Fill the columns that are valid in the encounter plane, for the rows `flat`."""
    h, u, r = formula_arguments(plane, radius_m, at_minimum=True)
    geometry = (plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m, radius_m)
    in_plane, logarithm = exact_2d(*geometry)
    largest, diluted, _ = maximum_over_scale(*geometry, logarithm)
    values = {
        "formula_h": h,
        "formula_u": u,
        "formula_r": r,
        "probability": formula(h, u, r),
        "probability_2d": in_plane,
        "probability_max": largest,
        "diluted": diluted,
    }
    for name, value in values.items():
        out[name][flat] = value


def _validate(
    out: ConjunctionArray, rows: npt.NDArray[np.intp], plane: EncounterPlane, radius_m: FloatArray
) -> None:
    """Fill the Monte Carlo columns of `rows`; the seed is the encounter's own, so a run can be repeated."""
    found = monte_carlo_2d(
        plane.miss_major_m,
        plane.miss_minor_m,
        plane.sigma_major_m,
        plane.sigma_minor_m,
        radius_m,
        seeds=_seeds(out[rows]),
        largest_samples=MONTE_CARLO_SAMPLES,
    )
    out["probability_mc"][rows] = found.probability
    out["probability_mc_low"][rows], out["probability_mc_high"][rows] = found.low, found.high
    out["mc_samples"][rows], out["mc_hits"][rows] = found.samples, found.hits


def _seeds(rows: ConjunctionArray) -> npt.NDArray[np.int64]:
    seeds: npt.NDArray[np.int64] = (
        rows["primary_norad_id"] * 1_000_003 + rows["secondary_norad_id"] + rows["tca"].astype(np.int64)
    ) % (1 << 53)
    return seeds


def _set_levels(out: ConjunctionArray) -> None:
    out["risk_level"], out["risk_basis"] = risk_levels(
        out["miss_distance_m"], out["probability_best"], out["probability_method"]
    )
    out["probability_level"] = probability_levels(out["probability_best"])
    out["near_level"] = near_levels(out["miss_distance_m"])
