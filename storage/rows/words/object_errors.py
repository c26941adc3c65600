"""How far off an object's element set may be, in sentences."""

from collections.abc import Sequence

import numpy as np

from screening.risk.views.object_errors import LawByAge, Measured

A_DAY = 1.0


def error_words(law: LawByAge, measured: Sequence[Measured], *, manoeuvring: bool) -> str:
    """Return what the law expects in-track after a day, with burns, and what the object's own sets show."""
    day = int(np.searchsorted(law.age_days, A_DAY))
    usual, most = law.sigma_rtn_m[day, 1], law.within_95_rtn_m[day, 1]
    text = f"Usually within {_about(usual)} of its set a day later, 19 times in 20 within {_about(most)}"
    if burn_share := law.burn_share[day]:
        text += f"; one time in {1.0 / burn_share:,.0f} it burns in between"
    elif manoeuvring:
        text += ", burns included"
    return f"{text}. {_own(measured)}"


def _own(measured: Sequence[Measured]) -> str:
    if not measured:
        return "The store has no earlier set of it to compare with."
    nearest = min(measured, key=lambda one: abs((one.from_days + one.to_days) / 2.0 - A_DAY))
    after = f"{nearest.from_days:g} to {nearest.to_days:g} days apart"
    return f"Its own sets {after} usually differ by less than {_about(nearest.sigma_t_m)}."


def _about(length_m: float) -> str:
    """Return a length to two digits."""
    rounded_m = float(f"{length_m:.2g}")
    return f"{rounded_m:g} m" if rounded_m < 1000.0 else f"{rounded_m / 1000.0:,g} km"
