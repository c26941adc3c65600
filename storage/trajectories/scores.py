"""The scorecard of one object's files, as the command line and HTTP show it."""

from screening.answers import TimeText, answer


@answer(
    id="3f2a90c1d4e5b687", source="ISS.OEM_J2K_EPH.xml", added="2026-11-21T11:30:00Z",
    begins="2026-11-21T12:00:00Z", ends="2026-12-06T12:00:00Z", age_hours=-0.5, overlap_hours=312.0,
    largest_m=4120.0,
)  # fmt: skip
class ScoredFile:
    """A file, and the next one beside it."""

    id: str
    """Id of the trajectory."""
    source: str
    """The file that it is from."""
    added: TimeText
    """UTC, when it was added."""
    begins: TimeText
    """UTC, first instant."""
    ends: TimeText
    """UTC, last instant."""
    age_hours: float
    """Hours from its first instant to when it was added; negative: it came before."""
    overlap_hours: float
    """Hours for which the next file has states as well."""
    largest_m: float | None
    """m, the largest distance from the path of the next file; null: they have no time in common."""


@answer(
    from_hours=24.0, to_hours=48.0, compared=432, radial_m=42.0, in_track_m=910.0, cross_track_m=31.0,
    chi_square=2.8, within_95=0.96,
)  # fmt: skip
class ScoredLead:
    """How far files were off some hours after their beginning, by the next file."""

    from_hours: float
    """Hours since the first instant of a file."""
    to_hours: float | None
    """Hours, exclusive; null: without end."""
    compared: int
    """Instants compared, each 10 min."""
    radial_m: float
    """m, root of the mean square of the radial difference."""
    in_track_m: float
    """m, in-track."""
    cross_track_m: float
    """m, cross-track."""
    chi_square: float | None
    """Mean square of the differences in sigmas of the file's covariance: 3 if that is right, more if it
    is too small; null: it has none."""
    within_95: float | None
    """Share inside the 95 % region of the covariance; null: it has none."""


@answer(begins="2026-11-21T12:00:00Z", ends="2026-11-21T18:00:00Z", hours=6.0)
class Outage:
    """A time without states in any file."""

    begins: TimeText
    """UTC."""
    ends: TimeText
    """UTC."""
    hours: float
    """Its length."""


@answer(norad_id=25544)
class TrajectoryScorecard:
    """How the files of one object did over time: the last 60 definitive ones."""

    norad_id: int
    """Catalogue number of the object."""
    files: list[ScoredFile]
    """In the order in which they were added."""
    by_lead: list[ScoredLead]
    """Their errors by the hours since their beginning."""
    outages: list[Outage]
    """When none of them had states for more than an hour."""


@answer(provider="Example Space", objects=12, files=340, age_hours=1.5, outages=2, outage_hours=14.0)
class ScoredProvider:
    """How the files of one provider did over time: the last 60 definitive ones of each object."""

    provider: str
    """Who adds them: an organisation, or the setting that names their source; empty: not known."""
    objects: int
    """Objects that it has files of."""
    files: int
    """Files."""
    age_hours: float | None
    """Median of the hours from a file's first instant to when it was added; null: no file can be read."""
    outages: int
    """Times of more than an hour when an object had no states in its files."""
    outage_hours: float
    """Their length together."""
    by_lead: list[ScoredLead]
    """Errors by the hours since a file's beginning, each beside the provider's next file of the object."""
