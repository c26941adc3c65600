"""A message as a row like those of runs: the row alone gives the message's numbers again."""

from pathlib import Path

import numpy as np
import pytest

from screening.risk.conjunctions import COVARIANCE_SOURCES, ENCOUNTERS, NO_CODE, RISK_BASES, ConjunctionArray
from screening.risk.geometry.encounter_plane import encounter_plane
from screening.risk.geometry.rtn import rtn_covariance_to_inertial
from screening.risk.messages.as_conjunction import as_conjunction
from screening.risk.messages.score import score_message
from screening.risk.probability.exact_2d import exact_2d
from screening.vocabulary import RISK_LEVELS
from tests.screening.risk.message_texts import read_messages
from tests.screening.risk.published import SharedFile, truth_rows

printed_digits = 1e-6

SUMMARY = """[{"CDM_ID": "1", "CREATED": "2026-09-10 12:00:00.000000", "TCA": "2026-09-11T01:02:03.456000",
"MIN_RNG": "321", "PC": "0.00025", "SAT_1_ID": "25544", "SAT_1_NAME": "ISS (ZARYA)",
"SAT1_OBJECT_TYPE": "PAYLOAD", "SAT_2_ID": "270000001", "SAT_2_NAME": "UNKNOWN",
"SAT2_OBJECT_TYPE": "UNKNOWN"}]"""


def row_of(text: str | bytes, radius_m: float | None = None) -> ConjunctionArray:
    (message,) = read_messages(text)
    used_m = message.hard_body_radius_m if radius_m is None else radius_m
    return as_conjunction(message, score_message(message, used_m, samples=0, seed=1))


def probability_of(row: ConjunctionArray) -> float:
    """The 2-D probability from nothing but the row's states, errors and radius."""
    states, covariances = [], []
    for who in ("primary", "secondary"):
        r = np.stack([row[f"{who}_{axis}_km"] for axis in "xyz"], axis=1) * 1e3
        v = np.stack([row[f"{who}_v{axis}_km_s"] for axis in "xyz"], axis=1) * 1e3
        sigma = np.stack([row[f"{who}_sigma_{axis}_m"] for axis in "rtn"], axis=1)
        correlation = np.eye(3)
        for a, b in ((0, 1), (0, 2), (1, 2)):
            value = row[f"{who}_correlation_{'rtn'[a]}{'rtn'[b]}"][0]
            correlation[a, b] = correlation[b, a] = value
        states += [r, v]
        covariances.append(
            rtn_covariance_to_inertial(correlation * sigma[:, :, None] * sigma[:, None, :], r, v)
        )
    plane = encounter_plane(*states, *covariances)
    in_plane = plane.miss_major_m, plane.miss_minor_m, plane.sigma_major_m, plane.sigma_minor_m
    return float(exact_2d(*in_plane, row["hard_body_radius_m"])[0][0])


def test_the_row_gives_the_published_probability(shared_file: SharedFile) -> None:
    given = [row for row in truth_rows(shared_file) if row["method"].startswith("Pc2D")]
    paths = [(row, shared_file("cdm") / Path(row["inputs"]).name) for row in given]
    paths = [(row, path) for row, path in paths if path.exists()]
    assert len(paths) == 25
    for row, path in paths:
        found = row_of(path.read_bytes(), float(row["hbr_m"]))
        assert probability_of(found) == pytest.approx(float(row["expected_pc"]), rel=printed_digits), path
        assert found["primary_covariance_source"] == COVARIANCE_SOURCES.index("cdm")


def test_a_row_flagged_curved_has_a_probability_as_rows_of_runs_do(shared_file: SharedFile) -> None:
    path = shared_file("cdm/000027424_conj_000041740_20220530_042037_20220525_221911.cdm")
    found = row_of(path.read_bytes())
    assert found["probability_2d"][0] == pytest.approx(2.556e-4, rel=0.01)  # claimed, without drag
    assert RISK_LEVELS[found["risk_level"][0]] == "critical"
    assert RISK_BASES[found["risk_basis"][0]] == "probability"


def test_a_slow_message_has_none(shared_file: SharedFile) -> None:
    path = shared_file("cdm/000035946_conj_000030648_20221210_140311_20221206_003234.cdm")
    found = row_of(path.read_bytes())
    assert np.isnan(found["probability_2d"][0])
    assert ENCOUNTERS[found["encounter"][0]] == "slow"


def test_a_message_without_a_covariance_is_rated_by_the_bound(shared_file: SharedFile) -> None:
    path = shared_file("ndm/cara/SingleCovTestCase1-9.cdm")
    (message,) = read_messages(path.read_bytes())
    bare = message._replace(secondary=message.secondary._replace(covariance_rtn=None))
    score = score_message(bare, 20.0, samples=0, seed=1)
    found = as_conjunction(bare, score, "type")
    assert np.isnan(found["probability_2d"][0]), "a bound is no probability"
    assert found["secondary_covariance_source"][0] == NO_CODE
    assert RISK_LEVELS[found["risk_level"][0]] == score.risk_level
    assert score.risk_basis in ("maximum", "distance")


def test_a_summary_says_what_it_claims_and_nothing_else() -> None:
    found = row_of(SUMMARY, np.nan)
    assert found["primary_norad_id"][0] == 25544
    assert found["secondary_norad_id"][0] == 270000001
    assert found["miss_distance_m"][0] == 321.0
    assert RISK_LEVELS[found["risk_level"][0]] == "critical"
    assert RISK_BASES[found["risk_basis"][0]] == "claimed"
    for name in ("probability", "probability_2d", "relative_speed_m_s", "primary_x_km", "miss_radial_m"):
        assert np.isnan(found[name][0]), name
    assert np.isnat(found["primary_epoch"][0])
    assert found["hard_body_source"][0] == NO_CODE
