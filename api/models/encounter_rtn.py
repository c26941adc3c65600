"""Models of an event's geometry in space: fields, units and meanings."""

from pydantic import BaseModel, Field

from api.models.responses import STRICT

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]


class RelativePath(BaseModel):
    """Where the secondary is relative to the primary, along the fixed axes."""

    model_config = STRICT

    seconds_from_tca: list[float] = Field(
        description="s, -5 to 5 in 201 even steps; the middle one is 0, TCA."
    )
    radial_m: list[float] = Field(description="m, secondary minus primary, radial.")
    in_track_m: list[float] = Field(description="m, secondary minus primary, in-track.")
    cross_track_m: list[float] = Field(description="m, secondary minus primary, cross-track.")


class EncounterRtn(BaseModel):
    """The encounter in the primary's RTN at TCA, axes at rest; vectors are radial, in-track, cross-track."""

    model_config = STRICT

    secondary_m: Vector = Field(
        description="m, the secondary at TCA; the primary is at the origin.",
        examples=[(-12.43, -4.78, -60.71)],
    )
    relative_velocity_m_s: Vector = Field(
        description="m/s, secondary minus primary at TCA.", examples=[(13.1, -14877.1, 1171.4)]
    )
    primary_velocity_m_s: Vector = Field(
        description="m/s, the primary's own at TCA, inertial; the secondary's is the sum of both.",
        examples=[(5.2, 7461.4, 0.0)],
    )
    x_axis: Vector | None = Field(
        description="Unit vector of the encounter plane's x axis; null: there is no plane."
    )
    y_axis: Vector | None = Field(description="Unit vector of its y axis.")
    z_axis: Vector | None = Field(description="Unit vector along the relative velocity.")
    covariance_primary_m2: Matrix | None = Field(
        description="m^2, the primary's position covariance; null: as `encounter_plane.primary`."
    )
    covariance_secondary_m2: Matrix | None = Field(
        description="m^2, the secondary's, in the same axes, those of the primary."
    )
    covariance_combined_m2: Matrix | None = Field(
        description="m^2, their sum: that of the relative position; it belongs around the secondary."
    )
    path: RelativePath | None = Field(
        description="The secondary's path around TCA, on what the event rests on; where that is gone, "
        "two-body motion from both states. null: one of them is on no closed orbit."
    )
