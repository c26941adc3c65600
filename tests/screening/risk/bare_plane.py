"""An encounter plane with nothing but the miss and the sigmas, for what is computed from these alone."""

import numpy as np

from screening.risk.geometry.encounter_plane import EncounterPlane


def plane(miss_major: float, miss_minor: float, sigma_major: float, sigma_minor: float) -> EncounterPlane:
    """Return one encounter; miss and sigmas in m, along the principal axes."""
    unused = np.full(1, np.nan)
    return EncounterPlane(*[unused] * len(EncounterPlane._fields))._replace(
        miss_major_m=np.array([miss_major]),
        miss_minor_m=np.array([miss_minor]),
        sigma_major_m=np.array([sigma_major]),
        sigma_minor_m=np.array([sigma_minor]),
    )
