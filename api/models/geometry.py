"""Answers of `GET /conjunctions/{id}/geometry`: fields, units and meanings."""

from datetime import datetime
from typing import Annotated, Literal

from screening.answers import Numbers, NumbersOrNull, Points, TimeText, answer
from screening.fields import Shown
from screening.risk.views.shapes import EncounterRtn, PlaneView, RadiusCurve, RangeCurve, ScaleCurve
from screening.vocabulary import CanManoeuvre, RiskLevel
from storage.rows.words.geometry import GeometryWords
from storage.rows.words.right_of_way import WhoGivesWay
from storage.rows.words.whom import WhomOfBoth


@answer(latitude_deg=-34.759, longitude_deg=-144.334, altitude_km=737.25)
class Place:
    """The place on Earth below the primary at TCA."""

    latitude_deg: float
    """Geodetic latitude, degrees."""
    longitude_deg: float
    """Longitude, degrees, -180 to 180."""
    altitude_km: float
    """Height above the WGS-84 ellipsoid, km."""


@answer(
    norad_id=17842, name="SL-8 DEB", object_id="1986-030C", object_type="debris", status="inactive",
    can_manoeuvre="no", can_manoeuvre_reason="debris", last_manoeuvre=None, trajectory="gp",
    trajectory_id=None, trajectory_added=None, trajectory_added_by=None, trajectory_departs_at=None,
    epoch="2024-10-31T08:36:08.772768Z", age_hours=28.49, covariance_source="default", manoeuvring=False,
    sigma_r_m=324, sigma_t_m=1160, sigma_n_m=168, correlation_rt=None, correlation_rn=None,
    correlation_tn=None, hard_body_radius_m=1.5, hard_body_source="type", radius_m=1.26,
    bounding_radius_m=3.1, mass_kg=825.0, body_source="gcat", period_min=99.49, perigee_km=723.1,
    apogee_km=745.7, inclination_deg=74.022, path_offset_m=0.002, sgp4_offset_m=0.002,
)  # fmt: skip
class EventObject:
    """One of the two objects, with the data that the event rests on."""

    norad_id: int
    """Catalogue number."""
    name: str
    """Name in the catalogue."""
    object_id: str | None
    """International designator."""
    object_type: str | None
    """payload, rocket_body, debris, unknown."""
    status: str | None
    """Whether it is in use: active, inactive, unknown; null, as the next two: the newest run does not have
    it."""
    can_manoeuvre: CanManoeuvre | None
    """Whether it can change its path: yes, no, unknown."""
    can_manoeuvre_reason: str | None
    """Why, in words."""
    last_manoeuvre: datetime | None
    """UTC, last manoeuvre seen; null: none."""
    trajectory: str | None
    """What the event rests on: gp (element set), supgp (supplemental element set, fitted to the operator's
    ephemeris), ephemeris (the operator's own); null: of an earlier release."""
    trajectory_id: str | None
    """Id of the operator's ephemeris that the event rests on; null: on none, or the store no longer has
    it."""
    trajectory_added: datetime | None
    """UTC, when that ephemeris was added."""
    trajectory_added_by: str | None
    """Who added it: name of the organisation, or the setting of its source."""
    trajectory_departs_at: TimeText | None
    """UTC, since when its path differs from that of the element set it was compared with: more than 100 km
    and 10 sigma; null: it does not, or was not compared."""
    epoch: datetime | None
    """UTC, epoch of the element set; on an ephemeris, its first state; null: the event is known
    only from a message."""
    age_hours: Annotated[
        float | None,
        Shown(
            "object",
            "Age of the elements",
            "tenths",
            "from the epoch to TCA; errors grow with it",
            "age",
            "h",
            -1,
        ),
    ]
    """h, from that epoch to TCA: the age of an element set; says nothing of an ephemeris."""
    covariance_source: str | None
    """default, constellation, own, trajectory (its operator's), cdm, differenced; null: not rated, or on an
    ephemeris without covariance."""
    manoeuvring: bool | None
    """Whether it thrusts often or lately, so that its element set may be tens of km off; null: not rated, or
    by an earlier release."""
    sigma_r_m: float | None
    """m, 1-sigma radial position at TCA, own RTN."""
    sigma_t_m: float | None
    """m, 1-sigma in-track position at TCA, own RTN."""
    sigma_n_m: float | None
    """m, 1-sigma cross-track position at TCA, own RTN."""
    correlation_rt: float | None
    """Correlation of the radial and the in-track error; null: none."""
    correlation_rn: float | None
    """Correlation of the radial and the cross-track error; null: none."""
    correlation_tn: float | None
    """Correlation of the in-track and the cross-track error; null: none."""
    hard_body_radius_m: Annotated[
        float | None,
        Shown("object", "Hard-body radius", "length", "of this object alone", "hard-body radius", "m"),
    ]
    """m, of this object alone."""
    hard_body_source: str | None
    """Source of the radius: override, cdm, body, table, stage, rcs, class, type."""
    radius_m: Annotated[
        float | None,
        Shown("object", "Mean-shadow radius", "length", "by published dimensions", "mean shadow", "m"),
    ]
    """m, of the sphere with the body's mean shadow; null: no published dimensions."""
    bounding_radius_m: Annotated[
        float | None,
        Shown("object", "Bounding radius", "length", "of the sphere around it", "bounding radius", "m"),
    ]
    """m, of the sphere around the body, wings and antennas included; null: as radius_m."""
    mass_kg: Annotated[
        float | None, Shown("object", "Mass", "mass", "published; for debris, from its radius", "", "kg")
    ]
    """kg, published (stages: dry), of debris by its radius; null: not known."""
    body_source: str | None
    """Source of radius_m: gcat, series, stages; null: as radius_m."""
    period_min: Annotated[
        float | None, Shown("object", "Period", "hundredths", "of one revolution", "period", "min", 1)
    ]
    """min, orbital period, from the element set; on an ephemeris, that of the osculating orbit at TCA, as
    perigee, apogee and inclination."""
    perigee_km: Annotated[
        float | None,
        Shown(
            "object",
            "Perigee",
            "tenths",
            "above the equator; on an ephemeris, at TCA",
            "perigee",
            "km",
        ),
    ]
    """km, altitude of the perigee above the equatorial radius, from the element set."""
    apogee_km: Annotated[float | None, Shown("object", "Apogee", "tenths", "as the perigee", "apogee", "km")]
    """km, as perigee_km, of the apogee."""
    inclination_deg: Annotated[
        float | None, Shown("object", "Inclination", "hundredths", "as the perigee", "inclination", "°")
    ]
    """Degrees, from the element set."""
    path_offset_m: float | None
    """m, from the event's position at TCA to the one on the path that `range` and `orbits` follow: some mm;
    more if a quick analysis took the position from the run's ephemeris, or if another path stands in for an
    ephemeris that is gone."""
    sgp4_offset_m: float | None
    """As path_offset_m; null on an operator's ephemeris."""


@answer()
class Ranges:
    """The distance over time, at two scales."""

    near: RangeCurve
    """The bottom of the curve, out to a few times the miss distance."""
    wide: RangeCurve
    """10 minutes before and after TCA; for a slow event a revolution, or the time inside the threshold if
    longer, a day at most."""


@answer()
class Orbit:
    """One revolution around TCA, as points; null where SGP4 fails or an ephemeris ends."""

    seconds_from_tca: Numbers
    """s, ascending; the middle one is 0, TCA."""
    r_teme_km: Points
    """km, TEME."""
    r_itrf_km: Points
    """km, ITRF, each at its own time: over the rotating Earth."""
    r_itrf_at_tca_km: Points
    """km, the whole orbit in ITRF as oriented at TCA: for a globe that does not rotate."""
    latitude_deg: NumbersOrNull
    """Degrees, geodetic, each at its own time."""
    longitude_deg: NumbersOrNull
    """Degrees, -180 to 180."""
    altitude_km: NumbersOrNull
    """km above the WGS-84 ellipsoid."""


@answer()
class EventObjects:
    """Both objects."""

    primary: EventObject
    """The primary."""
    secondary: EventObject
    """The secondary."""


@answer()
class EventOrbits:
    """Both orbits."""

    primary: Orbit | None
    """The primary's."""
    secondary: Orbit | None
    """The secondary's."""


@answer(
    id=3896461733156320, run_id="20241101T000000Z", origin="run", computed_at="2024-11-01T00:00:09.358491Z",
    tca="2024-11-01T13:05:41.266Z", encounter="fast", inside_from=None, inside_to=None, risk_level="critical",
    miss_distance_m=62.16, relative_speed_m_s=14926.7, miss_radial_m=-12.43, miss_in_track_m=-4.78,
    miss_cross_track_m=-60.71, probability_flag=None, approach_angle_deg=170.96,
    missing={"probability_against_scale": "The event has not been rated."},
)  # fmt: skip
class Geometry:
    """The geometry of one event, from which pictures are drawn."""

    id: int
    """Id of the event."""
    run_id: str
    """Run that wrote the row."""
    origin: str
    """What found it: run, second_look, fleet, quick, full, message, restricted_message."""
    computed_at: datetime
    """UTC, when the row was computed."""
    tca: datetime
    """UTC, time of closest approach."""
    encounter: Literal["fast", "slow"]
    """slow: a visit below 10 m/s."""
    inside_from: datetime | None
    """UTC, start of this visit, its time inside the threshold; null for fast."""
    inside_to: datetime | None
    """UTC, end of this visit."""
    risk_level: RiskLevel
    """critical, high, medium, low."""
    miss_distance_m: float
    """m, distance at TCA."""
    relative_speed_m_s: float | None
    """m/s, at TCA; null, as what follows from states, where the event is known only from a message without
    them."""
    miss_radial_m: float | None
    """m, in the primary's RTN, radial."""
    miss_in_track_m: float | None
    """m, in the primary's RTN, in-track."""
    miss_cross_track_m: float | None
    """m, in the primary's RTN, cross-track."""
    probability_flag: str | None
    """Why 2-D is doubtful: slow long curved non_positive_definite."""
    approach_angle_deg: float | None
    """Degrees between both velocities: 0 overtaking, 180 head-on."""
    place: Place | None
    """Place of the primary at TCA."""
    objects: EventObjects
    """Facts about both objects."""
    right_of_way: WhoGivesWay
    """Who gives way."""
    whom_to_ask: WhomOfBoth
    """Whom to ask about either object: a fleet's contact, the directory, or its owner in the catalogues."""
    encounter_plane: PlaneView | None
    """The encounter plane."""
    encounter_rtn: EncounterRtn | None
    """The encounter in space."""
    probability_against_scale: ScaleCurve | None
    """The dilution curve."""
    probability_against_radius: RadiusCurve | None
    """The probability against the combined hard-body radius, the least known input."""
    range: Ranges | None
    """Distance over time around TCA."""
    orbits: EventOrbits
    """One revolution of each."""
    words: GeometryWords
    """What it adds to the sentences of the event."""
    missing: dict[str, str]
    """Why something is null: the name of a part, and the reason in words."""
