"""What may be asked, and the window nobody chose."""

import numpy as np
import pytest

from screening.errors import InputError, UsageError
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.timegrid import julian_date, window
from screening.search.request import check_request, default_start, old_epochs

NOW = np.datetime64("2026-11-21T06:30:15.250000", "us")


def _with_epochs(*epochs: str) -> ElementArray:
    elements = np.zeros(len(epochs), ELEMENT_DTYPE)
    elements["epoch_jd"], elements["epoch_day_fraction"] = julian_date(np.array(epochs, "M8[us]"))
    return elements


def test_a_fresh_catalogue_is_screened_from_now() -> None:
    start = default_start(_with_epochs("2026-11-20T12:00", "2026-11-19T00:00"), NOW)
    assert start.instant == np.datetime64("2026-11-21T06:30:15")
    assert not start.historic


def test_a_historic_catalogue_is_screened_in_its_own_time() -> None:
    start = default_start(_with_epochs("2024-10-31T22:10:05", "2024-10-31T22:10:05"), NOW)
    assert start.instant == np.datetime64("2024-10-31T23:00")
    assert start.historic


def test_an_epoch_on_the_hour_is_not_rounded() -> None:
    assert default_start(_with_epochs("2024-10-31T22:00"), NOW).instant == np.datetime64("2024-10-31T22:00")


def test_exactly_seven_days_is_not_historic() -> None:
    limit = np.datetime64("2026-11-14T06:30:15")
    assert not default_start(_with_epochs(str(limit)), NOW).historic
    assert default_start(_with_epochs(str(limit - np.timedelta64(1, "s"))), NOW).historic


def test_one_new_set_among_many_old_ones_does_not_make_a_catalogue_fresh() -> None:
    epochs = ["2024-10-31T22:00"] * 999 + ["2026-11-21T00:00"]
    assert default_start(_with_epochs(*epochs), NOW).historic


@pytest.mark.parametrize(("hours", "threshold_km"), [(0.1, 0.1), (720.0, 100.0), (24.0, 10.0)])
def test_the_limits_themselves_are_allowed(hours: float, threshold_km: float) -> None:
    check_request(hours, threshold_km)


@pytest.mark.parametrize("hours", [0.09, 720.1, float("nan"), float("inf"), -1.0])
def test_hours_out_of_range(hours: float) -> None:
    with pytest.raises(UsageError, match=r"must be from 0\.1 to 720 hours"):
        check_request(hours, 10.0)


def test_epochs_more_than_30_days_outside_the_window_are_old() -> None:
    span = window(np.datetime64("2026-11-21T00:00", "us"), 24.0)
    elements = _with_epochs("2026-10-22T00:00", "2026-10-21T23:59", "2026-11-21T12:00", "2026-12-22T00:01")
    assert old_epochs(elements, span).tolist() == [False, True, False, True]


def test_a_window_more_than_a_year_from_every_epoch_is_an_error() -> None:
    span = window(np.datetime64("2026-11-21T00:00", "us"), 24.0)
    with pytest.raises(InputError, match=r"2026-11-21T00:00:00\.000000Z.*at most 365 days") as far:
        old_epochs(_with_epochs("2024-11-01T00:00", "2025-11-20T00:00"), span)
    assert "2 element sets, with epochs from 2024-11-01 to 2025-11-20" in str(far.value)
    assert str(far.value).endswith("Choose --start near the epochs.")  # it may have been omitted
    old_epochs(_with_epochs("2024-11-01T00:00", "2025-11-22T00:00"), span)


def test_what_was_rejected_comes_before_a_window_far_from_the_rest() -> None:
    span = window(np.datetime64("2026-11-21T00:00", "us"), 24.0)
    with pytest.raises(InputError, match=r"^17 of 18 records were rejected\. The window "):
        old_epochs(_with_epochs("2024-11-01T00:00"), span, "17 of 18 records were rejected")
