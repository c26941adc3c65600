"""Burns as HTTP asks about them, as a question to `what_if`."""

import math
from collections.abc import Sequence

from api.answers.manoeuvres import Asked, Before
from api.models.manoeuvres import Burn, BurnTerms
from storage.times import datetime64_us


def asked_of(event_id: int, terms: BurnTerms, burns: Sequence[Burn]) -> Asked:
    """Return what is asked about an event; without burns, a search."""
    from screening.manoeuvre.execution import Execution  # numba, which an idle service does not need
    from screening.manoeuvre.impulse import Impulse

    given = [
        Impulse(datetime64_us(one.at), one.dv_rtn_m_s)
        if "at" in one.model_fields_set
        else Before(one.before_hours, one.dv_rtn_m_s)
        for one in burns
    ]
    execution = Execution(terms.size_error, math.radians(terms.direction_error_deg))
    return Asked(event_id, terms.object, given, terms.goal, terms.days, terms.threshold_km, execution)
