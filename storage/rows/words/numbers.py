"""Format numbers and times for readers."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from math import isnan
from types import MappingProxyType

from screening.fields import Format
from storage.rows.graded import UNKNOWN, Graded

NOT_KNOWN = "–"
_HALF_A_MILLISECOND = timedelta(microseconds=500)
_LAST = datetime(9999, 12, 31, 23, 59, 59, 999_499, UTC)  # that can be rounded up
YES_NO: dict[bool | None, str] = {True: "yes", False: "no", None: NOT_KNOWN}


def number(value: float | None, decimals: int = 1) -> str:
    """Return a number with thousands separated and a true minus sign, or a dash if it is unknown."""
    if value is None or isnan(value):
        return NOT_KNOWN
    text = f"{value:,.{decimals}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) != 0 else text.lstrip("-")


def metres(value: float | None) -> str:
    """Return a length in m, with two decimals below 10 m and one below 1 km."""
    size = 0.0 if value is None else abs(value)
    return number(value, 2 if size < 10 else 1 if size < 1000 else 0)


def mass(value: float | None) -> str:
    """Return a mass in kg, to the kilogram from 10 kg on."""
    return number(value, 2 if value is not None and abs(value) < 10 else 0)


def significant(value: float | None) -> str:
    """Return a number to three digits, or to the unit from 100 on."""
    if not value or isnan(value) or abs(value) >= 100:
        return number(value, 0)
    return (f"{value:.2e}" if abs(value) < 1e-3 else f"{value:.3g}").replace("-", "−", value < 0)


def distance(value_m: float | None) -> str:
    """Return a length with its unit, m up to 10 km."""
    if value_m is None:
        return NOT_KNOWN
    return f"{metres(value_m)} m" if abs(value_m) < 10_000 else f"{number(value_m / 1000, 1)} km"


def brief_distance(value_m: float) -> str:
    """Return a length with its unit for a headline, to the metre up to 10 km."""
    return f"{value_m:,.0f} m" if value_m < 10_000 else f"{value_m / 1000:,.1f} km"


def speed(value_m_s: float | None) -> str:
    """Return a speed with its unit, m/s up to 1 km/s."""
    if value_m_s is None:
        return NOT_KNOWN
    if value_m_s < 1000:
        return f"{number(value_m_s)} m/s"
    return f"{number(value_m_s / 1000, 2)} km/s"


def probability(value: float | None) -> str:
    """Return a probability to three digits."""
    return NOT_KNOWN if value is None else f"{value:.2e}"


def chance_words(danger: Graded) -> str:
    """Return the probability that counts, with its method where it is not an integral in the plane."""
    return UNKNOWN if danger.probability is None else danger.said(3)


def odds(value: float | None) -> str:
    """Return a probability as "1 in N", or nothing where that adds nothing."""
    if not value or not 1.001e-9 <= value <= 0.5:
        return ""
    chances = 1 / value
    if chances >= 1e6:
        return f"1 in {chances / 1e6:.3g} million"
    return f"1 in {float(f'{chances:.3g}'):,.7g}"


def chances(value: float | None) -> str:
    """Return a probability as "1 in N", or in words where that says nothing."""
    if value is None:
        return "not defined"
    return odds(value) or ("above 1 in 2" if value > 0.5 else "next to none")


def instant(time: datetime | None) -> str:
    """Return a UTC time to the millisecond."""
    if time is None:
        return NOT_KNOWN
    cut = rounded(time)
    return f"{cut:%Y-%m-%d %H:%M:%S}.{cut.microsecond // 1000:03d}"


def rounded(time: datetime) -> datetime:
    """Return a UTC time such that cutting it off at a millisecond rounds it."""
    return time if time > _LAST else time + _HALF_A_MILLISECOND


def second(time: datetime | None) -> str:
    """Return a UTC time to the second, cut off."""
    return NOT_KNOWN if time is None else f"{time:%Y-%m-%d %H:%M:%S}"


def minute(time: datetime) -> str:
    """Return a UTC time to the minute, cut off."""
    return f"{time:%Y-%m-%d %H:%M}"


def moment(time: datetime) -> str:
    """Return a UTC time to the minute without its year: 2 Nov 04:10 UTC."""
    return f"{time.day} {time:%b %H:%M} UTC"


def span(time: timedelta) -> str:
    """Return a time span in the unit that fits."""
    hours = time / timedelta(hours=1)
    if abs(hours) < 1:
        return f"{number(60 * hours, 0)} min"
    return f"{number(hours)} h" if abs(hours) < 72 else f"{number(hours / 24)} days"


def until(time: datetime, now: datetime) -> str:
    """Return when a time is, as the page says it: "in 2 d 4 h", "6 h 05 min ago"."""
    left = time - now
    minutes = round(abs(left) / timedelta(minutes=1))
    hours, rest = divmod(minutes, 60)
    if minutes < 1:
        said = f"{round(abs(left) / timedelta(seconds=1))} s"
    elif not hours:
        said = f"{minutes} min"
    else:
        said = f"{hours} h {rest:02d} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"
    return f"in {said}" if left >= timedelta() else f"{said} ago"


# How each format of a declared number is written in reports; the page has its own.
WRITTEN: Mapping[Format, Callable[[float | None], str]] = MappingProxyType(
    {
        "length": metres,
        "mass": mass,
        "probability": probability,
        "significant": significant,
        "tenths": number,
        "hundredths": partial(number, decimals=2),
    }
)


def place(latitude_deg: float, longitude_deg: float) -> str:
    """Return geographic coordinates."""
    north = "N" if latitude_deg >= 0 else "S"
    east = "E" if longitude_deg >= 0 else "W"
    return f"{abs(latitude_deg):.1f}° {north}, {abs(longitude_deg):.1f}° {east}"
