"""How far off an object's element set may be, as the command prints it and the service sends it.

Nothing here imports numba: the service declares these answers when it starts.
"""

from datetime import datetime

from screening.answers import Numbers, Points, answer

WITHIN = 0.95  # share of the errors inside `within_95_rtn_m`


@answer(age_days=1.0, sigma_r_m=124.0, sigma_t_m=783.0, sigma_n_m=152.3)
class ErrorsAtAge:
    """1-sigma errors of position so long after the epoch, in the object's own RTN; the quiet part alone."""

    age_days: float
    """Days since the epoch."""
    sigma_r_m: float
    """m, radial."""
    sigma_t_m: float
    """m, in-track."""
    sigma_n_m: float
    """m, cross-track."""


@answer()
class LawByAge:
    """The error law over the age of the set."""

    age_days: Numbers
    """Days since the epoch, ascending."""
    sigma_rtn_m: Points
    """m, 1 sigma of the quiet part: radial, in-track, cross-track."""
    within_95_rtn_m: Points
    """m, within which 95 % of all errors lie, on each axis: of the whole mixture, with tails and burns."""
    burn_share: Numbers
    """Probability of a burn since the epoch that the sigmas leave out."""


@answer(from_days=0.5, to_days=1.5, pairs=50, sigma_r_m=37.0, sigma_t_m=766.0, sigma_n_m=303.0)
class Measured:
    """How far its older sets are off its newer ones: medians over 0.6745, in the newer ones' RTN."""

    from_days: float
    """Days between the epochs, at least, exclusive."""
    to_days: float
    """Days between the epochs, at most."""
    pairs: int
    """Number of pairs of its sets."""
    sigma_r_m: float
    """m, radial."""
    sigma_t_m: float
    """m, in-track."""
    sigma_n_m: float
    """m, cross-track."""


@answer()
class Differences:
    """Differences of single pairs of its own sets; of many, some spread evenly over the ages."""

    age_days: Numbers
    """Days between the epochs, ascending."""
    missed_rtn_m: Points
    """m, the older set's position at the newer one's epoch less the newer one's, in the newer one's RTN."""


@answer(
    norad_id=25544, name="ISS (ZARYA)", run_id="20261121T060000Z", regime="leo", error_class="ballistic",
    manoeuvring=False, element_epoch="2026-11-21T04:31:07.123456Z", hard_body_radius_m=54.5,
    hard_body_source="body", factors_rtn=(0.61, 0.92, 1.6), tail_share=0.15, tail_scale_rtn=(4.0, 6.0, 3.0),
    burns_per_day=0.0178, burn_dv_m_s=0.04,
    words="Usually within 780 m of its set a day later, 19 times in 20 within 6.2 km; one time in 57 it "
    "burns in between. The store has no earlier set of it to compare with.",
)  # fmt: skip
class ObjectErrors:
    """What the newest run assumes of the errors of an object's element set, and what its own sets show."""

    norad_id: int
    """Catalogue number."""
    name: str
    """Name in the catalogue."""
    run_id: str
    """Run that rates it so."""
    words: str
    """The same in sentences, in-track, where errors are largest: `usually` is 1 sigma of the quiet part."""
    regime: str
    """Kind of orbit."""
    error_class: str
    """Kind of object that decides the law."""
    manoeuvring: bool
    """It manoeuvres often or did so lately."""
    element_epoch: datetime
    """Epoch of the element set, UTC."""
    hard_body_radius_m: float | None
    """m; null: not known."""
    hard_body_source: str | None
    """What the radius is from."""
    errors: list[ErrorsAtAge]
    """After 0, 1, 3 and 7 days."""
    law: LawByAge
    """The same and more, every six hours, to draw."""
    source: str
    """What the error law rests on."""
    factors_rtn: tuple[float, float, float] | None
    """Factors from its own history, radial, in-track, cross-track, that are in the errors; null: none are."""
    tail_share: float
    """Share of sets that err more."""
    tail_scale_rtn: tuple[float, float, float]
    """By these factors."""
    burns_per_day: float
    """Burns a day that the sigmas leave out; 0: it does not burn, or its burns are in the sigmas."""
    burn_dv_m_s: float
    """m/s, their usual size."""
    measured: list[Measured]
    """Differences of its own sets of 30 days, by the days between them; empty without earlier sets."""
    differences: Differences
    """Differences of single pairs of them, up to seven days apart."""
