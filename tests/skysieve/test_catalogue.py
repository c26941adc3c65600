"""Catalogues from files and DataFrames: the same bits, and clear words on what is missing or wrong."""

import math
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import skysieve
from screening.errors import InputError
from skysieve.catalogue import source_of

HOSTILE_NAMES = ['5" DEB', "A, B", "two\nlines", '"', "Ω \u2028", ""]


@pytest.fixture(scope="module")
def frame(small_catalogue: Path) -> pd.DataFrame:
    """Give the table of a real catalogue as pandas reads the file."""
    return pd.read_csv(small_catalogue)


def bits(catalogue: skysieve.Catalogue) -> bytes:
    return source_of(catalogue).content.elements.tobytes()


def without(frame: pd.DataFrame, *names: str, **renamed: str) -> pd.DataFrame:
    return frame.drop(columns=list(names)).rename(columns=renamed)


def test_the_table_that_pandas_reads_is_the_catalogue_of_the_file(
    small_catalogue: Path, frame: pd.DataFrame
) -> None:
    of_file = skysieve.read_catalogue(small_catalogue)
    assert len(of_file) == len(frame)
    assert bits(skysieve.Catalogue.from_dataframe(frame)) == bits(of_file)


def test_there_and_back_keeps_every_bit(small_catalogue: Path, frame: pd.DataFrame) -> None:
    catalogue = skysieve.read_catalogue(str(small_catalogue))
    back = catalogue.to_dataframe()
    assert bits(skysieve.Catalogue.from_dataframe(back)) == bits(catalogue)
    assert list(back.columns) == list(frame.columns)
    assert str(back["EPOCH"].dtype) == "datetime64[us, UTC]"
    expected = frame.sort_values("NORAD_CAT_ID", ignore_index=True)
    assert (back["EPOCH"] == pd.to_datetime(expected["EPOCH"], utc=True)).all()
    for name in ("NORAD_CAT_ID", "MEAN_MOTION", "BSTAR", "MEAN_ANOMALY"):
        assert (back[name] == expected[name]).all()


@pytest.mark.parametrize("shift", [timedelta(0), timedelta(microseconds=1)])
def test_what_pandas_writes_as_csv_is_read_with_every_bit(
    small_catalogue: Path, tmp_path: Path, shift: timedelta
) -> None:
    table = skysieve.read_catalogue(small_catalogue).to_dataframe().head(20)
    table["EPOCH"] = table["EPOCH"].dt.floor("s") + shift  # without and with decimals
    table.to_csv(tmp_path / "own.csv", index=False)
    written = (tmp_path / "own.csv").read_text()
    assert "+00:00," in written  # else the test would show nothing
    catalogue = skysieve.Catalogue.from_dataframe(table)
    assert bits(skysieve.read_catalogue(tmp_path / "own.csv")) == bits(catalogue)
    assert bits(skysieve.Catalogue.from_dataframe(pd.read_csv(tmp_path / "own.csv"))) == bits(catalogue)


@pytest.mark.parametrize(
    "convert",
    [
        lambda epoch: epoch.dt.tz_convert("Asia/Kolkata"),
        lambda epoch: epoch.dt.tz_localize(None),
        lambda epoch: epoch.dt.tz_localize(None).astype("datetime64[ns]"),
        lambda epoch: pd.Series([one.to_pydatetime() for one in epoch], dtype=object),
        lambda epoch: pd.Series(
            [one.to_pydatetime().astimezone(timezone(timedelta(hours=-5))) for one in epoch], dtype=object
        ),
        lambda epoch: epoch.dt.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        lambda epoch: epoch.dt.strftime("%Y-%jT%H:%M:%S.%f"),
    ],
    ids=["zoned", "naive", "nanoseconds", "objects", "zoned objects", "texts with Z", "days of the year"],
)
def test_epochs_are_the_same_instants_however_they_are_given(small_catalogue: Path, convert: object) -> None:
    catalogue = skysieve.read_catalogue(small_catalogue)
    table = catalogue.to_dataframe()
    table["EPOCH"] = convert(table["EPOCH"])  # type: ignore[operator]
    assert bits(skysieve.Catalogue.from_dataframe(table)) == bits(catalogue)


def test_nanoseconds_of_an_epoch_count(frame: pd.DataFrame) -> None:
    table = frame.iloc[:1].assign(EPOCH=pd.to_datetime(["2024-11-01T00:00:00.000000864"]))
    element = source_of(skysieve.Catalogue.from_dataframe(table)).content.elements[0]
    assert element["epoch_day_fraction"] == 1e-11  # 864 ns of a day


def test_an_epoch_with_another_zone_in_a_text_is_refused_in_words(frame: pd.DataFrame) -> None:
    table = frame.iloc[:2].copy()
    table["EPOCH"] = ["2024-11-01T00:00:00.000000+02:00", "2024-11-01T00:00:00.000000"]
    catalogue = skysieve.Catalogue.from_dataframe(table)
    (rejected,) = catalogue.rejected
    assert (rejected.line, rejected.record) == (1, str(frame["NORAD_CAT_ID"][0]))
    assert "+02:00' must be" in rejected.reason
    assert "UTC" in rejected.reason


def test_rows_without_a_value_are_rejected_and_counted(frame: pd.DataFrame) -> None:
    table = frame.iloc[:6].astype({"NORAD_CAT_ID": "Int64", "EPOCH": object}).copy()
    table.loc[0, "BSTAR"] = math.nan
    table.loc[1, "NORAD_CAT_ID"] = pd.NA
    table.loc[2, "EPOCH"] = pd.NaT
    table.loc[3, "MEAN_MOTION"] = math.inf
    table.loc[4, "INCLINATION"] = 181.0
    catalogue = skysieve.Catalogue.from_dataframe(table)
    assert len(catalogue) == 1
    assert catalogue.rejected_count == 5
    assert [one.line for one in catalogue.rejected] == [1, 2, 3, 4, 5]
    reasons = [
        "BSTAR is missing",
        "NORAD_CAT_ID is missing",
        "EPOCH is missing",
        "MEAN_MOTION 'inf'",
        "181.0",
    ]
    for one, reason in zip(catalogue.rejected, reasons, strict=True):
        assert reason in one.reason
    assert "5 records rejected" in repr(catalogue)


def test_missing_columns_are_named_with_their_units_and_what_looks_like_them(frame: pd.DataFrame) -> None:
    table = without(frame, "BSTAR", INCLINATION="inclination_rad", MEAN_MOTION="mean_motion_rad_s")
    with pytest.raises(InputError) as refused:
        skysieve.Catalogue.from_dataframe(table)
    told = str(refused.value)
    assert "INCLINATION (deg), but inclination_rad" in told
    assert "MEAN_MOTION (rev/day), but mean_motion_rad_s" in told
    assert "BSTAR (1/Earth radius)" in told
    assert "EPOCH" not in told.partition("It needs")[0]
    assert "MEAN_MOTION_DOT" not in told  # it is no other name of MEAN_MOTION


ANGLES = ["INCLINATION", "RA_OF_ASC_NODE", "ARG_OF_PERICENTER", "MEAN_ANOMALY"]


def test_radians_under_the_names_of_degrees_are_refused(frame: pd.DataFrame) -> None:
    # As python-sgp4 keeps them (inclo, nodeo, argpo, mo).
    in_radians = frame.assign(**np.radians(frame[ANGLES]))
    with pytest.raises(InputError, match="all of its 600 rows, which look like radians"):
        skysieve.Catalogue.from_dataframe(in_radians)


@pytest.mark.parametrize("seconds", [1.0, 60.0])
def test_a_mean_motion_in_radians_is_refused(frame: pd.DataFrame, seconds: float) -> None:
    in_radians = frame.assign(MEAN_MOTION=frame["MEAN_MOTION"] * 2 * np.pi / 86400 * seconds)
    with pytest.raises(InputError, match="looks like radians per minute or second"):
        skysieve.Catalogue.from_dataframe(in_radians)


def test_few_rows_may_have_small_numbers(frame: pd.DataFrame) -> None:
    far = frame.iloc[:3].assign(
        MEAN_MOTION=0.073, RA_OF_ASC_NODE=1.0, ARG_OF_PERICENTER=2.0, MEAN_ANOMALY=3.0
    )
    assert len(skysieve.Catalogue.from_dataframe(far)) == 3


@pytest.mark.parametrize(
    ("given", "named"),
    [("raan", "RA_OF_ASC_NODE"), ("Argument of perigee", "ARG_OF_PERICENTER"), ("norad_id", "NORAD_CAT_ID")],
)
def test_other_names_are_recognised_but_not_guessed(frame: pd.DataFrame, given: str, named: str) -> None:
    with pytest.raises(InputError, match=f"{named}.*, but {given}"):
        skysieve.Catalogue.from_dataframe(without(frame, **{named: given}))


def test_a_column_there_twice_is_refused(frame: pd.DataFrame) -> None:
    table = pd.concat([frame, frame["EPOCH"].rename("epoch ")], axis=1)
    with pytest.raises(InputError, match="more than one column EPOCH"):
        skysieve.Catalogue.from_dataframe(table)


def test_hostile_names_stay_in_their_rows(frame: pd.DataFrame) -> None:
    table = frame.iloc[: len(HOSTILE_NAMES)].assign(OBJECT_NAME=HOSTILE_NAMES)
    catalogue = skysieve.Catalogue.from_dataframe(table)
    assert not catalogue.rejected
    given = dict(zip(table["NORAD_CAT_ID"], HOSTILE_NAMES, strict=True))
    read = catalogue.to_dataframe().set_index("NORAD_CAT_ID")["OBJECT_NAME"]
    shown = {
        number: "".join(c if c.isprintable() else " " for c in name).strip() for number, name in given.items()
    }
    assert read.to_dict() == shown


def test_no_row_that_can_be_used_is_an_error(frame: pd.DataFrame) -> None:
    with pytest.raises(skysieve.UnreadableCatalogue, match="no records"):
        skysieve.Catalogue.from_dataframe(frame.iloc[:0])
    with pytest.raises(
        skysieve.UnreadableCatalogue, match=r"ECCENTRICITY 1\.5 must be at least 0 and below 1"
    ):
        skysieve.Catalogue.from_dataframe(frame.assign(ECCENTRICITY=1.5))


def test_what_is_no_dataframe_is_refused() -> None:
    with pytest.raises(InputError, match="pandas DataFrame, not from a dict"):
        skysieve.Catalogue.from_dataframe({"EPOCH": [datetime(2024, 11, 1)]})  # type: ignore[arg-type]  # noqa: DTZ001


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.csv cannot be read \(No such file"):
        skysieve.read_catalogue(tmp_path / "gone.csv")


def test_the_newest_of_two_sets_of_an_object_counts(frame: pd.DataFrame) -> None:
    older = frame.iloc[:1].assign(EPOCH="2024-10-01T00:00:00.000000", MEAN_MOTION=14.0)
    catalogue = skysieve.Catalogue.from_dataframe(pd.concat([frame.iloc[:1], older]))
    assert len(catalogue) == 1
    assert source_of(catalogue).content.elements["mean_motion_rev_day"][0] == np.float64(
        frame["MEAN_MOTION"][0]
    )
