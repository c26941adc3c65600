"""The record arrays that a search returns, to be rated, stored and served."""

import numpy as np
import numpy.typing as npt

EncounterArray = npt.NDArray[np.void]
ProximityArray = npt.NDArray[np.void]

# Indices point into the element array that was searched; the primary has the smaller norad_id.
# Times are seconds from the window's start.
ENCOUNTER_DTYPE = np.dtype(
    [
        ("primary_index", "i4"),
        ("secondary_index", "i4"),
        ("tca_s", "f8"),
        ("miss_distance_km", "f8"),
        ("relative_speed_km_s", "f8"),
        ("primary_r_teme_km", "f8", 3),
        ("primary_v_teme_km_s", "f8", 3),
        ("secondary_r_teme_km", "f8", 3),
        ("secondary_v_teme_km_s", "f8", 3),
        ("slow", "?"),
        ("inside_from_s", "f8"),  # NaN for a fast encounter
        ("inside_to_s", "f8"),
    ]
)

PROXIMITY_DTYPE = np.dtype(
    [
        ("primary_index", "i4"),
        ("secondary_index", "i4"),
        ("tca_s", "f8"),
        ("min_distance_km", "f8"),
        ("max_distance_km", "f8"),
        ("same_elements", "?"),
        ("leaves_at_s", "f8"),  # first time beyond 10 km, NaN if never
    ]
)


def pair_keys(
    primary_index: npt.NDArray[np.int32], secondary_index: npt.NDArray[np.int32]
) -> npt.NDArray[np.int64]:
    """Return one number (k,) for each pair of indices, in the order of primaries, then secondaries."""
    keys: npt.NDArray[np.int64] = primary_index.astype(np.int64) << 32 | secondary_index
    return keys


def among_themselves(
    encounters: EncounterArray,
) -> tuple[npt.NDArray[np.int32], EncounterArray]:
    """Return the objects (m,) that encounters are between, ascending, and the encounters indexed by them."""
    sides = np.concatenate([encounters["primary_index"], encounters["secondary_index"]])
    involved, places = np.unique(sides, return_inverse=True)
    own = encounters.copy()
    own["primary_index"], own["secondary_index"] = places.reshape(2, -1)
    return involved, own


def swap_sides(rows: npt.NDArray[np.void], where: npt.NDArray[np.bool_]) -> None:
    """Swap primary and secondary in some of the encounters or proximities (n,)."""
    swapped = np.flatnonzero(where)
    if len(swapped) == 0:
        return
    for field in ("index", "r_teme_km", "v_teme_km_s"):
        one, other = f"primary_{field}", f"secondary_{field}"
        if one in (rows.dtype.names or ()):
            rows[one][swapped], rows[other][swapped] = rows[other][swapped], rows[one][swapped]
