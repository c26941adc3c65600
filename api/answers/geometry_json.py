"""The geometry of an event as it is sent: the names, order and decimals of its JSON."""

import numpy as np
import numpy.typing as npt

from api.answers.geometry import EventDetails
from api.answers.stored_events import StoredEvent, StoredSide
from screening.orbits.revolution import Revolution
from screening.risk.probability.dilution import Dilution
from screening.risk.tiers import PROBABILITY_LIMITS
from screening.risk.views.encounter_rtn import EncounterRtn
from screening.risk.views.plane_view import PlaneView
from screening.risk.views.radius_curve import RadiusCurve
from screening.risk.views.range_curve import RangeCurve
from screening.risk.views.tracks import Track
from screening.vocabulary import RISK_LEVELS
from storage.in_memory.single_objects import ObjectDetails
from storage.trajectories.trajectory_file import Trajectory

Json = dict[str, object]

X_AXIS = "right: in the plane, perpendicular to the y axis; x, y and the relative velocity are right-handed"
Y_AXIS = "up: the primary's radial direction, away from the Earth, as seen in the plane"

_BOTH = ("primary", "secondary")
_PLACE = ("latitude_deg", "longitude_deg", "altitude_km")
_IDENTITY = (
    "id", "run_id", "origin", "computed_at", "tca", "encounter", "inside_from", "inside_to", "risk_level",
    "miss_distance_m", "relative_speed_m_s", "miss_radial_m", "miss_in_track_m", "miss_cross_track_m",
    "probability_flag",
)  # fmt: skip
# Decimals of sent values: 1 mm, 1 cm on orbits, 0.1 m on the ground.
_M, _KM, _DEG = 3, 5, 6


def geometry_json(details: EventDetails) -> Json:
    """Return what `api/models/geometry.py` describes."""
    event, geometry, objects, trajectories = details
    tracks = geometry.primary, geometry.secondary
    told = map(_object, event.sides, event.ages_hours, objects, tracks, trajectories)
    near, wide = geometry.near, geometry.wide
    return {
        **{name: getattr(event, name) for name in _IDENTITY},
        "approach_angle_deg": geometry.approach_angle_deg,
        "place": geometry.place and dict(zip(_PLACE, geometry.place, strict=True)),
        "objects": dict(zip(_BOTH, told, strict=True)),
        "encounter_plane": geometry.plane and _plane(event, geometry.plane),
        "encounter_rtn": geometry.rtn and _in_rtn(geometry.rtn),
        "probability_against_scale": geometry.dilution and _dilution(geometry.dilution),
        "probability_against_radius": geometry.radius and _radius(geometry.radius),
        "range": near and wide and {"near": _range(near), "wide": _range(wide)},
        "orbits": {who: track and _orbit(track.orbit) for who, track in zip(_BOTH, tracks, strict=True)},
        "missing": geometry.missing,
    }


def _object(
    side: StoredSide,
    age_hours: float | None,
    details: ObjectDetails,
    track: Track | None,
    behind: Trajectory | None,
) -> Json:
    perigee, apogee = track.apsides_km if track else (None, None)
    offset_m = track.offset_m if track and side.epoch else None  # a message's state is its own path
    return {
        "norad_id": side.norad_id,
        "name": side.name,
        "object_id": details.object_id,
        "object_type": details.object_type,
        "status": details.status,
        "can_manoeuvre": details.can_manoeuvre,
        "can_manoeuvre_reason": details.can_manoeuvre_reason,
        "last_manoeuvre": details.last_manoeuvre,
        "trajectory": side.trajectory,
        "trajectory_id": behind and behind.id,
        "trajectory_added": behind and behind.about.added,
        "trajectory_added_by": (behind and behind.about.added_by) or None,
        "trajectory_departs_at": behind and behind.about.check and behind.about.check.departs_at,
        "epoch": side.epoch,
        "age_hours": age_hours,
        "covariance_source": side.covariance_source,
        "manoeuvring": side.manoeuvring,
        "sigma_r_m": side.sigma_r_m,
        "sigma_t_m": side.sigma_t_m,
        "sigma_n_m": side.sigma_n_m,
        "correlation_rt": side.correlation_rt,
        "correlation_rn": side.correlation_rn,
        "correlation_tn": side.correlation_tn,
        "hard_body_radius_m": details.hard_body_radius_m,
        "hard_body_source": details.hard_body_source,
        "radius_m": details.radius_m,
        "bounding_radius_m": details.bounding_radius_m,
        "mass_kg": details.mass_kg,
        "body_source": details.body_source,
        "period_min": track and track.period_s / 60.0,
        "perigee_km": perigee,
        "apogee_km": apogee,
        "inclination_deg": track and track.inclination_deg,
        "path_offset_m": offset_m,
        "sgp4_offset_m": offset_m if track and track.ephemeris is None else None,
    }


def _plane(event: StoredEvent, view: PlaneView) -> Json:
    spreads = {"primary": view.primary, "secondary": view.secondary, "combined": view.combined}
    return {
        "x_axis": X_AXIS,
        "y_axis": Y_AXIS,
        **{f"{name}_teme": axis.tolist() for name, axis in zip("xyz", view.axes_teme, strict=True)},
        "miss_x_m": view.miss_x_m,
        "miss_y_m": view.miss_y_m,
        "miss_along_m": view.miss_along_m,
        "miss_sigmas": view.miss_sigmas,
        "hard_body_radius_m": event.hard_body_radius_m,
        "hard_body_source": event.hard_body_source,
        **{name: spread and spread._asdict() for name, spread in spreads.items()},
    }


def _in_rtn(one: EncounterRtn) -> Json:
    axes = [None] * 3 if one.plane_axes is None else one.plane_axes.tolist()
    covariances = {"primary": one.primary_m2, "secondary": one.secondary_m2, "combined": one.combined_m2}
    path = one.path and {name: _rounded(values, _M) for name, values in one.path._asdict().items()}
    return {
        "secondary_m": one.secondary_m.tolist(),
        "relative_velocity_m_s": one.relative_velocity_m_s.tolist(),
        "primary_velocity_m_s": one.primary_velocity_m_s.tolist(),
        **{f"{name}_axis": axis for name, axis in zip("xyz", axes, strict=True)},
        **{
            f"covariance_{who}_m2": None if matrix is None else matrix.tolist()
            for who, matrix in covariances.items()
        },
        "path": path,
    }


def _dilution(curve: Dilution) -> Json:
    return {
        "scale": curve.scale.tolist(),
        "probability": curve.probability.tolist(),
        "probability_2d": curve.probability_2d,
        "peak_scale": curve.peak_scale,
        "peak_probability": curve.peak_probability,
        "diluted": curve.diluted,
    }


def _radius(curve: RadiusCurve) -> Json:
    return {
        "radius_m": curve.radius_m.tolist(),
        "probability": curve.probability.tolist(),
        "hard_body_radius_m": curve.hard_body_radius_m,
        "probability_2d": curve.probability_2d,
        "mean_shadow_radius_m": curve.shadow_m,
        "probability_mean_shadow": curve.probability_shadow,
        "bounding_radius_m": curve.bounding_m,
        "probability_bounding": curve.probability_bounding,
        "limits": dict(zip(RISK_LEVELS, PROBABILITY_LIMITS, strict=False)),  # `low` has none
    }


def _range(curve: RangeCurve) -> Json:
    distances = {name: _rounded(values, _M) for name, values in curve._asdict().items()}
    return {**distances, "seconds_from_tca": curve.seconds_from_tca.tolist()}


def _orbit(orbit: Revolution) -> Json:
    return {
        "seconds_from_tca": _rounded(orbit.seconds, _M),
        "r_teme_km": _rounded(orbit.r_teme_km, _KM),
        "r_itrf_km": _rounded(orbit.r_itrf_km, _KM),
        "r_itrf_at_tca_km": _rounded(orbit.r_itrf_at_instant_km, _KM),
        "latitude_deg": _rounded(orbit.latitude_deg, _DEG),
        "longitude_deg": _rounded(orbit.longitude_deg, _DEG),
        "altitude_km": _rounded(orbit.altitude_km, _KM),
    }


def _rounded(values: npt.NDArray[np.float64], decimals: int) -> list[object]:
    rounded: list[object] = np.round(values, decimals).tolist()
    return rounded
