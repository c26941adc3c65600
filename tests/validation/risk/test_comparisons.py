"""Comparisons of probabilities, errors, radii and volumes see a published value that is not ours."""

from pathlib import Path

import pytest

from tests.validation.copies import Row, SharedFile, beyond, change_rows, copied, replaced
from tests.validation.risk import (
    drag,
    error_law,
    flags,
    one_covariance,
    probabilities,
    radii,
    tracss,
    trajectories,
    volumes,
)
from tests.validation.risk.measured_errors import BY_AGE, BY_OPERATORS
from tests.validation.risk.truth import TRUTH

# Not flagged: its Monte Carlo value agrees with the 2-D one.
GOOD = "cara/000025994_conj_000037558_20210324_151047_20210323_154356"
CASE = "alfano2009/case04/montecarlo1e8"


def scaled(row: Row, column: str, factor: float) -> None:
    row[column] = repr(float(row[column]) * factor)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("number", "factor", "group"),
    [
        (GOOD, 1 + 2e-6, probabilities.CARA),
        ("cara/Pc2D_Foster_UnitTest/omitron_circle", 1.002, probabilities.OTHER_CARA),
        ("alfano2009/case03/linear2d", 0.998, probabilities.ALFANO),
        ("orekit/Patera2005/Chan test case 03", 1.002, probabilities.OREKIT),
    ],
    ids=["CARA", "other", "Alfano", "Orekit"],
)
def test_a_probability_that_differs_is_told(
    number: str, factor: float, group: str, shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, probabilities.ABOUT.files)

    def change(row: Row) -> None:
        if row["id"] == number:
            scaled(row, "expected_pc", factor)

    assert change_rows(data / TRUTH, change) == 1
    (told,) = beyond(probabilities.compare(data))
    assert told.startswith(group)


@pytest.mark.slow
def test_messages_that_are_not_there_are_counted(shared_file: SharedFile, tmp_path: Path) -> None:
    data = copied(tmp_path, shared_file, probabilities.ABOUT.files)
    before = probabilities.compare(data)
    (data / "cdm" / f"{Path(GOOD).name}.cdm").unlink()
    after = probabilities.compare(data)
    assert after.number == before.number - 1
    assert after.measures[-1].value == before.measures[-1].value + 1
    assert beyond(after) == []


def test_a_wrong_value_without_a_flag_is_told(shared_file: SharedFile, tmp_path: Path) -> None:
    data = copied(tmp_path, shared_file, flags.ABOUT.files)

    def change(row: Row) -> None:
        if row["id"] == GOOD:
            row["note"] = row["note"].replace("Nc3D 0.0211", "Nc3D 0.0311")

    assert change_rows(data / TRUTH, change) == 1
    assert beyond(flags.compare(data))[0] == "of these not flagged"


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "agrees"), [(1.0, True), (1.08, False)])
def test_a_monte_carlo_value_that_differs_is_told(
    factor: float, agrees: bool, shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, trajectories.ABOUT.files)
    lines = (data / TRUTH).read_text().splitlines(keepends=True)
    (data / TRUTH).write_text(lines[0] + "".join(line for line in lines if line.startswith(CASE)))
    assert change_rows(data / TRUTH, lambda row: scaled(row, "expected_pc", factor)) == (not agrees)
    found = trajectories.compare(data)
    assert found.number == 1
    assert (beyond(found) == []) == agrees


@pytest.mark.parametrize("name", tracss.COMPARED)
def test_a_number_of_tracss_that_differs_is_told(name: str, shared_file: SharedFile, tmp_path: Path) -> None:
    data = copied(tmp_path, shared_file, tracss.ABOUT.files)
    _, column, _ = tracss.COMPARED[name]
    change_rows(data / tracss.FILE, lambda row: scaled(row, column, 1 + 5e-5))
    assert beyond(tracss.compare(data)) == [f"{name}: largest relative difference"]


def test_a_drag_error_that_differs_is_told(shared_file: SharedFile, tmp_path: Path) -> None:
    data = copied(tmp_path, shared_file, drag.ABOUT.files)
    path = data / drag.CASES[1].file
    text = path.read_text()
    lines = [line for line in text.splitlines() if "Density Forecast Uncertainty" in line]
    assert len(lines) == 2
    path.write_text(text.replace(lines[0], lines[0].partition("=")[0] + "= 1.0E-03"))
    (told,) = beyond(drag.compare(data))
    assert told.startswith("DensityDecorrelationTestCaseCDM03")


def test_a_state_that_differs_is_told(shared_file: SharedFile, tmp_path: Path) -> None:
    data = copied(tmp_path, shared_file, one_covariance.ABOUT.files)
    path = data / one_covariance.CASES[0].file
    lines = path.read_text().splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("X "))
    keyword, _, value = lines[place].partition("=")
    lines[place] = f"{keyword}= {float(value.split()[0]) + 0.5} [km]"
    path.write_text("\n".join(lines) + "\n")
    assert beyond(one_covariance.compare(data)) == ["largest difference"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("table", "column", "told"),
    [
        (BY_AGE, "sigma_t_km", "Swarm, Sentinel-1: in-track, factor"),
        (BY_AGE, "sigma_n_km", "LAGEOS, Etalon: radial, cross-track"),
        (BY_OPERATORS, "median_abs_t_km", "Starlink, medians: in-track, factor"),
    ],
)
def test_an_error_that_the_law_does_not_give_is_told(
    table: str, column: str, told: str, shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, error_law.ABOUT.files)
    assert change_rows(data / table, lambda row: scaled(row, column, 2.5)) > 10
    assert told in beyond(error_law.compare(data))


@pytest.mark.slow
def test_radii_that_the_values_of_types_do_not_stand_for_are_told(
    shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, radii.ABOUT.files)

    def change(row: Row) -> None:
        if row["HBRSource"] == "SFK RCS Estimate":
            scaled(row, "HBR", 4.0)

    assert change_rows(data / radii.FILE, change) > 10_000
    told = {name.partition(",")[0] for name in beyond(radii.compare(data))}
    assert {"debris", "unknown"} <= told


@pytest.mark.parametrize(
    ("before", "after"), [(",2,25,25,", ",2,25,26,"), ("20,20,20,ellipsoid", "20,20,20,covariance")]
)
def test_a_volume_that_differs_is_told(
    before: str, after: str, shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, volumes.ABOUT.files)
    replaced(data / volumes.FILE, before, after)
    (measure,) = volumes.compare(data).measures
    assert measure.value == 1
