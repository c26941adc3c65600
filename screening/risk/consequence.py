"""What a collision would leave: whether it shatters both, and how many pieces of 10 cm or more.

Sources: NASA's standard breakup model (N. L. Johnson, P. H. Krisko, J.-C. Liou, P. D. Anz-Meador, 2001,
Advances in Space Research 28, 1377), as Krisko (2011, Orbital Debris Quarterly News 15-4) corrects it.
"""

from math import isnan

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray

CATASTROPHIC_J_PER_KG = 40_000.0  # energy of the smaller in the larger's frame, by the larger's mass
PIECE_M = 0.1


def catastrophic(
    first_kg: FloatArray, second_kg: FloatArray, relative_speed_m_s: FloatArray
) -> npt.NDArray[np.bool_]:
    """Return which collisions (n,) shatter both objects; False where a mass is not known (NaN)."""
    smaller, larger = np.minimum(first_kg, second_kg), np.maximum(first_kg, second_kg)
    shattered: npt.NDArray[np.bool_] = 0.5 * smaller * relative_speed_m_s**2 > CATASTROPHIC_J_PER_KG * larger
    return shattered


def fragments_10cm(first_kg: FloatArray, second_kg: FloatArray, relative_speed_m_s: FloatArray) -> FloatArray:
    """Return the pieces (n,) of 10 cm or more that collisions leave; NaN where a mass is not known."""
    cratering_kg = np.minimum(first_kg, second_kg) * (relative_speed_m_s / 1000.0) ** 2
    shattered = catastrophic(first_kg, second_kg, relative_speed_m_s)
    # A crater throws out no more than there is.
    mass_kg = np.where(shattered, first_kg + second_kg, np.minimum(cratering_kg, first_kg + second_kg))
    pieces: FloatArray = 0.1 * mass_kg**0.75 * PIECE_M**-1.71
    return pieces


def mass_of_debris_kg(radius_m: FloatArray) -> FloatArray:
    """Return the masses (n,) of pieces of debris of these radii.

    A power law through NASA CARA's estimates of 2026-06, from drag and radar, for 9,700 pieces of 5 to 50 cm
    radius. One piece of three is heavier or lighter by a factor above 4.3: it may be foil or an engine.
    """
    mass_kg: FloatArray = 61.2 * radius_m**2.39
    return mass_kg


def collision_words(shatters: bool | None, pieces: float | None) -> str:
    """Say what a collision would leave, the pieces to two digits; empty where it is not known."""
    if shatters is None or pieces is None or isnan(pieces):
        return ""
    count = float(f"{pieces:.2g}")
    many = (
        f"about {count:,.0f} piece{'' if round(count) == 1 else 's'}" if count >= 1 else "less than one piece"
    )
    return f"would {'' if shatters else 'not '}shatter both; {many} of {100 * PIECE_M:.0f} cm or more"
