"""Models of `GET /conjunctions/{id}/geometry`: fields, units and meanings."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from api.models.encounter_rtn import EncounterRtn, Vector
from api.models.responses import STRICT

Point = tuple[float | None, float | None, float | None]  # null where there is no path


class Place(BaseModel):
    """The place on Earth below the primary at TCA."""

    model_config = STRICT

    latitude_deg: float = Field(description="Geodetic latitude, degrees.", examples=[-34.759])
    longitude_deg: float = Field(description="Longitude, degrees, -180 to 180.", examples=[-144.334])
    altitude_km: float = Field(description="Height above the WGS-84 ellipsoid, km.", examples=[737.25])


class EventObject(BaseModel):
    """One of the two objects, with the data that the event rests on."""

    model_config = STRICT

    norad_id: int = Field(description="Catalogue number.", examples=[17842])
    name: str = Field(description="Name in the catalogue.", examples=["SL-8 DEB"])
    object_id: str | None = Field(description="International designator.", examples=["1986-030C"])
    object_type: str | None = Field(description="payload, rocket_body, debris, unknown.", examples=["debris"])
    status: str | None = Field(
        description="Whether it is in use: active, inactive, unknown; null, as the next two: the newest run "
        "does not have it.",
        examples=["inactive"],
    )
    can_manoeuvre: str | None = Field(
        description="Whether it can change its path: yes, no, unknown.", examples=["no"]
    )
    can_manoeuvre_reason: str | None = Field(description="Why, in words.", examples=["debris"])
    last_manoeuvre: datetime | None = Field(
        description="UTC, last manoeuvre seen; null: none.", examples=[None]
    )
    trajectory: str | None = Field(
        description="What the event rests on: gp (element set), supgp (supplemental element set, fitted to "
        "the operator's ephemeris), ephemeris (the operator's own); null: of an earlier release.",
        examples=["gp"],
    )
    trajectory_id: str | None = Field(
        description="Id of the operator's ephemeris that the event rests on; null: on none, or the store no "
        "longer has it.",
        examples=[None],
    )
    trajectory_added: datetime | None = Field(
        description="UTC, when that ephemeris was added.", examples=[None]
    )
    trajectory_added_by: str | None = Field(
        description="Who added it: name of a credential, `command line`, or the setting of its source.",
        examples=[None],
    )
    trajectory_departs_at: datetime | None = Field(
        description="UTC, since when it flies another path than the element set that it was compared with: "
        "more than 100 km and 10 sigma; null: it does not, or was not compared.",
        examples=[None],
    )
    epoch: datetime | None = Field(
        description="UTC, epoch of the element set; on an ephemeris, its first state; null: only a message "
        "tells the event.",
        examples=["2024-10-31T08:36:08.772768Z"],
    )
    age_hours: float | None = Field(
        description="h, from that epoch to TCA: the age of an element set; says nothing of an ephemeris.",
        examples=[28.49],
    )
    covariance_source: str | None = Field(
        description="default, differenced, trajectory (its operator's), cdm; null: not rated, or on an "
        "ephemeris without covariance.",
        examples=["default"],
    )
    manoeuvring: bool | None = Field(
        description="Whether it thrusts often or lately, so that its element set may be tens of km off; "
        "null: not rated, or by an earlier release.",
        examples=[False],
    )
    sigma_r_m: float | None = Field(description="m, 1-sigma radial position at TCA, own RTN.", examples=[324])
    sigma_t_m: float | None = Field(
        description="m, 1-sigma in-track position at TCA, own RTN.", examples=[1160]
    )
    sigma_n_m: float | None = Field(
        description="m, 1-sigma cross-track position at TCA, own RTN.", examples=[168]
    )
    correlation_rt: float | None = Field(
        description="Correlation of the radial and the in-track error; null: none.", examples=[None]
    )
    correlation_rn: float | None = Field(
        description="Correlation of the radial and the cross-track error; null: none.", examples=[None]
    )
    correlation_tn: float | None = Field(
        description="Correlation of the in-track and the cross-track error; null: none.", examples=[None]
    )
    hard_body_radius_m: float | None = Field(description="m, of this object alone.", examples=[1.5])
    hard_body_source: str | None = Field(
        description="Source of the radius: override, cdm, body, table, stage, rcs, class, type.",
        examples=["type"],
    )
    radius_m: float | None = Field(
        description="m, of the sphere with the body's mean shadow; null: no published dimensions.",
        examples=[1.26],
    )
    bounding_radius_m: float | None = Field(
        description="m, of the sphere around the body, wings and antennas included; null: as radius_m.",
        examples=[3.1],
    )
    mass_kg: float | None = Field(
        description="kg, published (stages: dry), of debris by its radius; null: not known.", examples=[825.0]
    )
    body_source: str | None = Field(
        description="Source of radius_m: gcat, series, stages; null: as radius_m.", examples=["gcat"]
    )
    period_min: float | None = Field(
        description="min, orbital period, from the element set; on an ephemeris, that of the osculating "
        "orbit at TCA, as perigee, apogee and inclination.",
        examples=[99.49],
    )
    perigee_km: float | None = Field(
        description="km, altitude of the perigee above the equatorial radius, from the element set.",
        examples=[723.1],
    )
    apogee_km: float | None = Field(description="km, as perigee_km, of the apogee.", examples=[745.7])
    inclination_deg: float | None = Field(description="Degrees, from the element set.", examples=[74.022])
    path_offset_m: float | None = Field(
        description="m, from the event's position at TCA to the one on the path that `range` and `orbits` "
        "follow: some mm; more if a quick analysis took the position from the run's ephemeris, or if another "
        "path stands in for an ephemeris that is gone.",
        examples=[0.002],
    )
    sgp4_offset_m: float | None = Field(
        description="As path_offset_m; null on an operator's ephemeris.", examples=[0.002]
    )


class Spread(BaseModel):
    """A position covariance as seen in the encounter plane; the k-sigma ellipse has k times these axes."""

    model_config = STRICT

    xx_m2: float = Field(description="m^2, variance along x.", examples=[81114.1])
    xy_m2: float = Field(description="m^2, covariance of x and y.", examples=[-106.8])
    yy_m2: float = Field(description="m^2, variance along y.", examples=[332468.6])
    sigma_major_m: float = Field(description="m, semi-major axis of the 1-sigma ellipse.", examples=[576.6])
    sigma_minor_m: float | None = Field(
        description="m, its semi-minor axis; null: the covariance is not positive definite.", examples=[284.8]
    )
    major_axis_deg: float = Field(
        description="Degrees from the x axis towards the y axis, to the major axis.", examples=[-89.98]
    )


class EncounterPlane(BaseModel):
    """The plane normal to the relative velocity at TCA; the primary lies in its origin."""

    model_config = STRICT

    x_axis: str = Field(description="The x axis in words.")
    y_axis: str = Field(description="The y axis in words.")
    x_teme: Vector = Field(description="Unit vector of the x axis, TEME.")
    y_teme: Vector = Field(description="Unit vector of the y axis, TEME.")
    z_teme: Vector = Field(description="Unit vector along the relative velocity, TEME: out of the picture.")
    miss_x_m: float = Field(description="m, the secondary at TCA, along x.", examples=[60.9])
    miss_y_m: float = Field(description="m, the secondary at TCA, along y.", examples=[-12.43])
    miss_along_m: float = Field(
        description="m, the secondary at TCA, along the relative velocity: 0 unless a slow event lies at the "
        "edge of the window.",
        examples=[0.0],
    )
    miss_sigmas: float | None = Field(
        description="Mahalanobis distance: the miss in sigmas of the combined covariance.", examples=[0.215]
    )
    hard_body_radius_m: float | None = Field(
        description="m, combined: radius of the circle around the origin.", examples=[6.5]
    )
    hard_body_source: str | None = Field(
        description="Source of the less certain of the two radii.", examples=["type"]
    )
    primary: Spread | None = Field(description="The primary's own covariance.")
    secondary: Spread | None = Field(description="The secondary's own covariance.")
    combined: Spread | None = Field(
        description="The sum of both, that of the relative position: draw its ellipses around the miss."
    )


class ScaleCurve(BaseModel):
    """How the collision probability changes when all sigmas are multiplied by k: the dilution curve."""

    model_config = STRICT

    scale: list[float] = Field(description="k, ascending, even steps of its logarithm; 1 is among them.")
    probability: list[float] = Field(description="Exact 2-D collision probability at each k.")
    probability_2d: float = Field(description="At k = 1: the data as they are.", examples=[1.26e-4])
    peak_scale: float = Field(description="k of the largest probability.", examples=[0.151])
    peak_probability: float = Field(description="The largest probability.", examples=[2.05e-3])
    diluted: bool = Field(
        description="The peak lies below k = 1: the data are too poor, and better data could raise the "
        "probability.",
        examples=[True],
    )


class Limits(BaseModel):
    """The probabilities above which an event has a level, whatever its distance."""

    model_config = STRICT

    critical: float = Field(description="Above: critical.", examples=[1e-4])
    high: float = Field(description="Above: high.", examples=[1e-5])
    medium: float = Field(description="Above: medium.", examples=[1e-6])


class RadiusCurve(BaseModel):
    """How the collision probability depends on the combined hard-body radius, all else as it is."""

    model_config = STRICT

    radius_m: list[float] = Field(
        description="m, ascending, even steps of its logarithm: 0.05 to 30 m, further if the event's own "
        "radius is outside."
    )
    probability: list[float] = Field(description="Exact 2-D collision probability with each radius.")
    hard_body_radius_m: float = Field(description="m, the event's own radius.", examples=[3.0])
    probability_2d: float = Field(description="With the event's own radius.", examples=[4.19e-6])
    mean_shadow_radius_m: float | None = Field(
        description="m, of the spheres with the mean shadows of both; of one without published dimensions "
        "the radius it was rated with counts; null: neither has any.",
        examples=[2.1],
    )
    probability_mean_shadow: float | None = Field(description="With that radius.", examples=[2.05e-6])
    bounding_radius_m: float | None = Field(
        description="m, as mean_shadow_radius_m, of the spheres around both.", examples=[4.0]
    )
    probability_bounding: float | None = Field(
        description="With that radius: the most that the sizes of both allow.", examples=[7.4e-6]
    )
    limits: Limits = Field(description="The limits of the levels.")


class RangeCurve(BaseModel):
    """Distance at evenly spaced times, in the primary's RTN at each time; null where there is no path."""

    model_config = STRICT

    seconds_from_tca: list[float] = Field(description="s, ascending; the middle one is 0, TCA.")
    range_m: list[float | None] = Field(description="m, distance between the two.")
    radial_m: list[float | None] = Field(description="m, secondary minus primary, radial.")
    in_track_m: list[float | None] = Field(description="m, secondary minus primary, in-track.")
    cross_track_m: list[float | None] = Field(description="m, secondary minus primary, cross-track.")


class Ranges(BaseModel):
    """The distance over time, at two scales."""

    model_config = STRICT

    near: RangeCurve = Field(description="The bottom of the curve, out to a few times the miss distance.")
    wide: RangeCurve = Field(
        description="10 minutes before and after TCA; for a slow event a revolution, or the time inside the "
        "threshold if longer, a day at most."
    )


class Orbit(BaseModel):
    """One revolution around TCA, as points; null where SGP4 fails or an ephemeris ends."""

    model_config = STRICT

    seconds_from_tca: list[float] = Field(description="s, ascending; the middle one is 0, TCA.")
    r_teme_km: list[Point] = Field(description="km, TEME.")
    r_itrf_km: list[Point] = Field(description="km, ITRF, each at its own time: over the rotating Earth.")
    r_itrf_at_tca_km: list[Point] = Field(
        description="km, the whole orbit in ITRF as oriented at TCA: for a globe that does not rotate."
    )
    latitude_deg: list[float | None] = Field(description="Degrees, geodetic, each at its own time.")
    longitude_deg: list[float | None] = Field(description="Degrees, -180 to 180.")
    altitude_km: list[float | None] = Field(description="km above the WGS-84 ellipsoid.")


class EventObjects(BaseModel):
    """Both objects."""

    model_config = STRICT

    primary: EventObject = Field(description="The primary.")
    secondary: EventObject = Field(description="The secondary.")


class EventOrbits(BaseModel):
    """Both orbits."""

    model_config = STRICT

    primary: Orbit | None = Field(description="The primary's.")
    secondary: Orbit | None = Field(description="The secondary's.")


class Geometry(BaseModel):
    """The geometry of one event, from which pictures are drawn."""

    model_config = STRICT

    id: int = Field(description="Id of the event.", examples=[3896461733156320])
    run_id: str = Field(description="Run that wrote the row.", examples=["20241101T000000Z"])
    origin: str = Field(
        description="What found it: run, second_look, fleet, quick, full, message, restricted_message.",
        examples=["run"],
    )
    computed_at: datetime = Field(
        description="UTC, when the row was computed.", examples=["2024-11-01T00:00:09.358491Z"]
    )
    tca: datetime = Field(description="UTC, time of closest approach.", examples=["2024-11-01T13:05:41.266Z"])
    encounter: Literal["fast", "slow"] = Field(description="slow: a visit below 10 m/s.", examples=["fast"])
    inside_from: datetime | None = Field(
        description="UTC, start of this visit, its time inside the threshold; null for fast.", examples=[None]
    )
    inside_to: datetime | None = Field(description="UTC, end of this visit.", examples=[None])
    risk_level: str = Field(description="critical, high, medium, low.", examples=["critical"])
    miss_distance_m: float = Field(description="m, distance at TCA.", examples=[62.16])
    relative_speed_m_s: float | None = Field(
        description="m/s, at TCA; as what follows from states, null where only a message without them tells "
        "the event.",
        examples=[14926.7],
    )
    miss_radial_m: float | None = Field(description="m, in the primary's RTN, radial.", examples=[-12.43])
    miss_in_track_m: float | None = Field(description="m, in the primary's RTN, in-track.", examples=[-4.78])
    miss_cross_track_m: float | None = Field(
        description="m, in the primary's RTN, cross-track.", examples=[-60.71]
    )
    probability_flag: str | None = Field(
        description="Why 2-D is doubtful: slow long curved non_positive_definite.", examples=[None]
    )
    approach_angle_deg: float | None = Field(
        description="Degrees between both velocities: 0 overtaking, 180 head-on.", examples=[170.96]
    )
    place: Place | None = Field(description="Place of the primary at TCA.")
    objects: EventObjects = Field(description="Facts about both objects.")
    encounter_plane: EncounterPlane | None = Field(description="The encounter plane.")
    encounter_rtn: EncounterRtn | None = Field(description="The encounter in space.")
    probability_against_scale: ScaleCurve | None = Field(description="The dilution curve.")
    probability_against_radius: RadiusCurve | None = Field(
        description="The probability against the combined hard-body radius, the least known input."
    )
    range: Ranges | None = Field(description="Distance over time around TCA.")
    orbits: EventOrbits = Field(description="One revolution of each.")
    missing: dict[str, str] = Field(
        description="Why something is null: the name of a part, and the reason in words.",
        examples=[{"probability_against_scale": "The event has not been rated."}],
    )
