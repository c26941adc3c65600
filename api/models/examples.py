"""Examples for the documentation: an approach of 1 November 2024 with made-up scores, its run, a message."""

EVENT: dict[str, object] = {
    "id": 3896461733156320, "primary_norad_id": 17842, "secondary_norad_id": 270293,
    "tca": "2024-11-01T13:05:41.266855Z", "miss_distance_m": 62.15755452584938, "risk_level": "critical",
    "run_id": "20241101T000000Z", "origin": "run", "computed_at": "2024-11-01T00:00:09.358491Z",
    "primary_name": "SL-8 DEB", "secondary_name": "UNKNOWN", "relative_speed_m_s": 14926.7025967274,
    "miss_radial_m": -12.428325736948533, "miss_in_track_m": -4.782694225797144,
    "miss_cross_track_m": -60.71428283322441, "probability": 4.19e-06, "formula_h": 0.0817, "formula_u": 0.0,
    "formula_r": 0.0029, "probability_2d": 4.19e-06, "probability_3d": None, "probability_best": 4.19e-06,
    "probability_method": "2d", "probability_max": 8.6e-05, "diluted": True, "probability_flag": None,
    "probability_mc": 4.19e-06, "probability_mc_low": 4.18e-06, "probability_mc_high": 4.2e-06,
    "mc_samples": 100000, "mc_hits": 51234, "hard_body_radius_m": 3.0, "hard_body_source": "type",
    "primary_radius_m": 2.0, "secondary_radius_m": 1.0, "catastrophic": True, "fragments_10cm": 1211.0,
    "primary_complex_id": None, "secondary_complex_id": None, "primary_trajectory": "gp",
    "secondary_trajectory": "gp", "primary_covariance_source": "default",
    "secondary_covariance_source": "default", "primary_manoeuvring": False, "secondary_manoeuvring": False,
    "primary_age_days": 1.1871816445227348, "secondary_age_days": 2.405498504522735,
    "primary_sigma_r_m": 125.4, "primary_sigma_t_m": 646.3, "primary_sigma_n_m": 154.0,
    "secondary_sigma_r_m": 148.1, "secondary_sigma_t_m": 2375.6, "secondary_sigma_n_m": 171.5,
    "primary_correlation_rt": None, "primary_correlation_rn": None, "primary_correlation_tn": None,
    "secondary_correlation_rt": None, "secondary_correlation_rn": None, "secondary_correlation_tn": None,
    "primary_epoch": "2024-10-31T08:36:08.772768Z", "secondary_epoch": "2024-10-30T03:21:46.196064Z",
    "encounter": "fast", "inside_from": None, "inside_to": None, "risk_basis": "distance",
    "probability_level": "medium", "near_level": None, "primary_x_km": -347.1384834378624,
    "primary_y_km": 5841.096216414124, "primary_z_km": -4036.2690286369675,
    "primary_vx_km_s": -2.262616632675622, "primary_vy_km_s": -4.142474176810549,
    "primary_vz_km_s": -5.816140779400047, "secondary_x_km": -347.078628827606,
    "secondary_y_km": 5841.080542375781, "secondary_z_km": -4036.27497100499,
    "secondary_vx_km_s": 1.1131330544701823, "secondary_vy_km_s": 4.246011334183169,
    "secondary_vz_km_s": 6.060057067248181,
}  # fmt: skip

PROXIMITY: dict[str, object] = {
    "run_id": "20241101T000000Z", "primary_norad_id": 25544, "secondary_norad_id": 49044,
    "primary_name": "ISS (ZARYA)", "secondary_name": "ISS (NAUKA)", "tca": "2024-11-01T07:12:30.5Z",
    "min_distance_m": 12.6, "max_distance_m": 4210.3, "kind": "co_orbiting", "leaves_at": None,
}  # fmt: skip

RUN: dict[str, object] = {
    "run_id": "20241101T000000Z", "scope": "catalogue", "historic": False, "synthetic": False,
    "source": "celestrak",
    "catalogue_sha256": "6169c698eda622eaf9e0c1432414fd55bc5842434109d465e3c61dc155b2b02d",
    "started": "2024-11-01T00:00:00Z", "finished": "2024-11-01T00:00:09.358491Z",
    "window_start": "2024-11-01T00:00:00Z", "window_end": "2024-11-02T00:00:00Z", "threshold_km": 10.0,
    "objects": 26834, "rejected": 0, "failed": 4, "failed_by_code": {"1": 1, "6": 3}, "flagged_old_epoch": 0,
    "candidates": 137038, "conjunctions": 132441, "slow": 29, "proximities": 49, "critical": 58, "high": 1088,
    "medium": 1594, "low": 129726, "seconds_by_stage": {"read": 0.5, "screen": 7.1, "rate": 0.2},
    "versions": {"skysieve": "0.1.0", "sgp4": "2.27"}, "ephemeris": "all", "ephemeris_reason": "",
    "trajectories": "", "catalogue_epoch": "2024-10-31T21:14:05.123456Z", "catalogue_decision": "downloaded",
    "catalogue_reason": "26,834 objects from https://celestrak.org/pub/on-orbit.csv.",
    "probability_levels": {"critical": 2, "high": 9, "medium": 31, "unknown": 310, "low": 3900},
    "near_levels": {"critical": 12, "high": 280, "medium": 880},
    "replay": False,
}  # fmt: skip

OBJECT: dict[str, object] = {
    "norad_id": 25544, "name": "ISS (ZARYA)", "object_id": "1998-067A", "object_type": "payload",
    "status": "active", "can_manoeuvre": "yes", "can_manoeuvre_reason": "a space station",
    "hard_body_radius_m": 54.5, "hard_body_source": "body", "radius_m": 54.5, "bounding_radius_m": 54.5,
    "mass_kg": None, "body_source": "series", "body_name": "Zarya", "owner": "JSC", "state": "US",
    "covariance_factor_r": None, "covariance_factor_t": None, "covariance_factor_n": None,
    "element_sets": None, "last_manoeuvre": None, "complex_id": 25544, "regime": "leo",
    "error_class": "ballistic", "manoeuvring": False, "trajectory": "gp",
    "epoch": "2024-10-31T19:02:04.123456Z", "perigee_km": 414.6, "apogee_km": 420.3,
    "inclination_deg": 51.6391, "constellation": None,
}  # fmt: skip

REJECTION: dict[str, object] = {
    "line": 17, "record": "99999", "reason": "ECCENTRICITY is 1.5; allowed: 0 to below 1",
}  # fmt: skip

MESSAGE: dict[str, object] = {
    "id": "3f2a90c1d4e5b687", "message_id": "000025544_conj_000049863_2026322_0911", "originator": "CARA",
    "creation_date": "2026-11-18T09:11:00Z", "tca": "2026-11-21T14:02:11.482000Z", "primary_norad_id": 25544,
    "secondary_norad_id": 49863, "primary_designator": "000025544", "secondary_designator": "000049863",
    "primary_name": "ISS (ZARYA)", "secondary_name": "COSMOS 1408 DEB", "miss_distance_m": 431.0,
    "relative_speed_m_s": 12604.0, "claimed_probability": 2.31e-05, "claimed_method": "FOSTER-1992",
    "claimed_as": "disk", "computed_miss_distance_m": 430.7, "probability": 2.28e-05,
    "probability_2d": 2.309e-05, "probability_2d_unchecked": 2.309e-05, "probability_3d": None,
    "probability_best": 2.309e-05, "probability_method": "2d", "probability_max": 4.72e-05, "diluted": False,
    "probability_flag": None, "missing_covariance": None, "hard_body_radius_m": 51.0,
    "hard_body_source": "object", "primary_sigma_r_m": 4.1, "primary_sigma_t_m": 38.0,
    "primary_sigma_n_m": 2.2, "secondary_sigma_r_m": 31.0, "secondary_sigma_t_m": 710.0,
    "secondary_sigma_n_m": 14.0, "risk_level": "high", "risk_basis": "probability",
    "probability_level": "high", "near_level": None, "conflicts_with": None,
    "own_encounter_id": 5214368101946711, "received_at": "2026-11-18T09:30:00Z",
    "source": "inbox-2026-11-18.zip: 25544.cdm", "restricted": False,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "event_id": 5214368101946711, "encounter_id": 5214368101946711,
}  # fmt: skip
