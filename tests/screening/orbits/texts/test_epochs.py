"""Epochs against python-sgp4 and against exact fractions."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sgp4 import omm
from sgp4.api import Satrec

from screening.orbits.texts.epochs import read_epoch, read_usual_epochs

JD_2000_01_01 = 2451544.5
SECONDS_PER_DAY = 86400.0
ONE_MICROSECOND_S = 1e-6


@pytest.mark.parametrize(
    ("text", "jd", "seconds"),
    [
        ("2000-01-01T00:00:00", JD_2000_01_01, "0"),
        ("2000-01-01T12:00:00.", JD_2000_01_01, "43200"),
        ("2000-01-01T23:59:59.999999Z", JD_2000_01_01, "86399.999999"),
        ("2000-060T00:00:01.5", JD_2000_01_01 + 59, "1.5"),
        ("2000-366T00:00:00Z", JD_2000_01_01 + 365, "0"),
        ("2001-001T00:00:00", JD_2000_01_01 + 366, "0"),
        ("2000-02-29T06:00:00.123456789012345678", JD_2000_01_01 + 59, "21600.123456789012345678"),
        (" 2000-01-01T00:00:00.000001 ", JD_2000_01_01, "0.000001"),
        ("2000-01-01 06:00:00.5+00:00", JD_2000_01_01, "21600.5"),
        ("2000-01-01 06:00:00+00", JD_2000_01_01, "21600"),
        ("2000-01-01T06:00:00+0000", JD_2000_01_01, "21600"),
    ],
)
def test_reads(text: str, jd: float, seconds: str) -> None:
    midnight_jd, fraction = read_epoch(text)
    assert midnight_jd == jd
    assert fraction == float(Fraction(seconds) / 86400)


def test_carries_what_rounds_to_the_next_midnight() -> None:
    assert read_epoch("2000-01-01T23:59:59." + 20 * "9") == (JD_2000_01_01 + 1, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2000-01-01",
        "2000-01-01  00:00:00.5",
        "2000-01-01 00:00:00+02",
        "2000-01-01T00:00:00-00:00",
        "2000-01-01T00:00:00+01:00",
        "2000-1-1T00:00:00",
        "2000-02-30T00:00:00",
        "2001-366T00:00:00",
        "2000-000T00:00:00",
        "2000-13-01T00:00:00",
        "2000-01-01T24:00:00",
        "2000-01-01T00:60:00",
        "2016-12-31T23:59:60.5",
        "0000-01-01T00:00:00",
        "2000-01-01T00:00:00,5",
        "٢٠٠٠-01-01T00:00:00",
        "2000-01-01T00:00:00." + 5000 * "1",
    ],
)
def test_refuses(text: str) -> None:
    with pytest.raises(ValueError):
        read_epoch(text)


@given(st.datetimes(datetime(1957, 1, 1), datetime(2056, 12, 31)))  # noqa: DTZ001 - SGP4's scale has no zone
def test_keeps_every_microsecond(instant: datetime) -> None:
    midnight_jd, fraction = read_epoch(instant.strftime("%Y-%m-%dT%H:%M:%S.%f"))
    since_midnight = instant - instant.replace(hour=0, minute=0, second=0, microsecond=0)
    assert fraction == (since_midnight // timedelta(microseconds=1)) / 86_400_000_000
    expected_jd = JD_2000_01_01 + (instant.replace(tzinfo=UTC) - datetime(2000, 1, 1, tzinfo=UTC)).days
    assert midnight_jd == expected_jd
    assert read_epoch(instant.strftime("%Y-%jT%H:%M:%S.%fZ")) == (midnight_jd, fraction)


def test_agrees_with_python_sgp4(real_records: list[dict[str, str]]) -> None:
    for record in real_records:
        satellite = Satrec()
        omm.initialize(satellite, record)
        midnight_jd, fraction = read_epoch(record["EPOCH"])
        difference_s = (
            (midnight_jd - satellite.jdsatepoch) + (fraction - satellite.jdsatepochF)
        ) * SECONDS_PER_DAY
        # python-sgp4 goes through days since 1949 in one double, which is good to 0.6 microseconds.
        assert abs(difference_s) < ONE_MICROSECOND_S


def form_of_epochs(characters: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(characters), min_size=20, max_size=20).map(
        lambda d: "{}{}{}{}-{}{}-{}{}T{}{}:{}{}:{}{}.{}{}{}{}{}{}".format(*d)
    )


@given(
    st.lists(
        st.one_of(
            st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda d: d.isoformat()),  # noqa: DTZ001
            form_of_epochs("0123"),
            form_of_epochs("0129 :/x٥"),
        ),
        min_size=1,
        max_size=3,
    )
)
@example(["2024-02-29T23:59:59.999999", "0001-01-01T00:00:00.000000"])
@example(["2023-02-29T00:00:00.000000"])
@example(["0000-01-01T00:00:00.000000"])
@example(["2024-10-29T12:18:60.000000"])
@example(["2024-10-29T24:00:00.000000"])
@example(["2024-10-29T12:18:43.49289", "2024-10-29T12:18:43.4928961"])
def test_columns_read_at_once_are_what_each_text_is(texts: list[str]) -> None:
    read = read_usual_epochs(texts)
    if read is not None:
        assert list(zip(*read.tolist(), strict=True)) == [read_epoch(text) for text in texts]
    elif {len(text) for text in texts} == {26}:
        with pytest.raises(ValueError):
            [read_epoch(text) for text in texts]
