"""From encounters to rated conjunctions: geometry at TCA, and the tier that follows from it."""

import numpy as np

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import TimeWindow, instants, utc
from screening.risk.conjunctions import ENCOUNTERS, ConjunctionArray, unrated
from screening.risk.rtn import rtn_axes
from screening.risk.tiers import risk_levels

METRES_PER_KM = 1000.0


def score(encounters: EncounterArray, elements: ElementArray, span: TimeWindow) -> ConjunctionArray:
    """Rate encounters (n,) between objects of `elements` in the window `span`; CONJUNCTION_DTYPE (n,)."""
    out = unrated(len(encounters))
    _describe(out, encounters, elements, span)
    _measure_miss(out, encounters)
    out["risk_level"], out["risk_basis"] = risk_levels(
        out["miss_distance_m"], out["probability"], out["probability_2d"], out["probability_mc"]
    )
    return out


def _describe(
    out: ConjunctionArray, encounters: EncounterArray, elements: ElementArray, span: TimeWindow
) -> None:
    out["tca"] = utc(span, encounters["tca_s"])
    out["inside_from"] = utc(span, encounters["inside_from_s"])
    out["inside_to"] = utc(span, encounters["inside_to_s"])
    out["encounter"] = np.where(encounters["slow"], ENCOUNTERS.index("slow"), ENCOUNTERS.index("fast"))
    epochs = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    for who in ("primary", "secondary"):
        index = encounters[f"{who}_index"]
        out[f"{who}_norad_id"] = elements["norad_id"][index]
        out[f"{who}_epoch"] = epochs[index]
        for axis, name in enumerate("xyz"):
            out[f"{who}_{name}_km"] = encounters[f"{who}_r_teme_km"][:, axis]
            out[f"{who}_v{name}_km_s"] = encounters[f"{who}_v_teme_km_s"][:, axis]


def _measure_miss(out: ConjunctionArray, encounters: EncounterArray) -> None:
    out["miss_distance_m"] = encounters["miss_distance_km"] * METRES_PER_KM
    out["relative_speed_m_s"] = encounters["relative_speed_km_s"] * METRES_PER_KM
    miss_km = encounters["secondary_r_teme_km"] - encounters["primary_r_teme_km"]
    axes = rtn_axes(encounters["primary_r_teme_km"], encounters["primary_v_teme_km_s"])
    miss_rtn_m = np.einsum("nij,nj->ni", axes, miss_km) * METRES_PER_KM
    for axis, name in enumerate(("radial", "in_track", "cross_track")):
        out[f"miss_{name}_m"] = miss_rtn_m[:, axis]
