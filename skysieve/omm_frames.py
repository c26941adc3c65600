"""Element sets as DataFrames with the columns of CelesTrak's CSV: to the text that is read, and back."""

import csv
import io
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.texts.omm.csv_writer import FIELDS
from screening.orbits.texts.omm.fields import KEYWORDS, REQUIRED
from screening.orbits.timegrid import instants
from skysieve.tables import to_dataframe
from storage.times import aware_utc

_UNITS = {
    "EPOCH": "UTC",
    "MEAN_MOTION": "rev/day",
    "INCLINATION": "deg",
    "RA_OF_ASC_NODE": "deg",
    "ARG_OF_PERICENTER": "deg",
    "MEAN_ANOMALY": "deg",
    "BSTAR": "1/Earth radius",
}
# How other tables name what is needed: beginnings, in small letters without marks.
_OTHER_NAMES = {
    "NORAD_CAT_ID": ("norad", "satnum", "satno", "catalognumber", "cataloguenumber"),
    "EPOCH": ("epoch",),
    "MEAN_MOTION": ("meanmotion", "nokozai", "revperday"),
    "ECCENTRICITY": ("ecc",),
    "INCLINATION": ("inc",),
    "RA_OF_ASC_NODE": ("raofascnode", "raan", "rightascension", "nodeo"),
    "ARG_OF_PERICENTER": ("argofper", "argumentofper", "argp"),
    "MEAN_ANOMALY": ("meananom",),
    "BSTAR": ("bstar",),
}
# What this many rows cannot all have in the right units: angles below 2 pi degrees, periods above twelve
# days.
_MANY_ROWS = 10
_ANGLES = ("RA_OF_ASC_NODE", "ARG_OF_PERICENTER", "MEAN_ANOMALY")
_FASTEST_RAD_PER_MIN = 0.08  # of anything above the ground
_NOT_A_LETTER = re.compile(r"[^a-z0-9]")
_LINE_ENDS = re.compile(r"[\r\n]+")


def csv_of(frame: pd.DataFrame) -> str:
    """Return a table as OMM CSV, one line a row; its numbers have all their digits.

    Raises InputError if it is not a DataFrame, a column that is needed is missing or there twice, or many
    rows are plainly in radians.
    """
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"A catalogue is made from a pandas DataFrame, not from a {type(frame).__name__}.")
    places = _places(frame)
    _refuse_radians(frame, places)
    columns = [
        _epochs(frame.iloc[:, place]) if keyword == "EPOCH" else _values(frame.iloc[:, place])
        for keyword, place in places.items()
    ]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(places)
    table.writerows(zip(*columns, strict=True))
    return text.getvalue()


def frame_of(elements: ElementArray) -> pd.DataFrame:
    """Return element sets (n,) as a table with the columns of CelesTrak's CSV."""
    columns = {
        keyword: pa.array(np.ascontiguousarray(elements[field])) for keyword, field in FIELDS.items() if field
    }
    columns["EPOCH"] = pa.array(instants(elements["epoch_jd"], elements["epoch_day_fraction"]))
    fields = [pa.field(keyword, columns[keyword].type, nullable=False) for keyword in FIELDS]
    return to_dataframe([pa.table([columns[keyword] for keyword in FIELDS], pa.schema(fields))])


def _places(frame: pd.DataFrame) -> dict[str, int]:
    """Return the place of each column that is read, by its keyword."""
    names = [str(name).strip() for name in frame.columns]
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        keyword = name.upper()
        if keyword in places:
            raise InputError(f"The DataFrame has more than one column {keyword}: drop one of them.")
        if keyword in KEYWORDS:
            places[keyword] = place
    missing = [keyword for keyword in REQUIRED if keyword not in places]
    if missing:
        others = [name for name in names if name.upper() not in KEYWORDS]
        told = "; ".join(_told(keyword, others) for keyword in missing)
        needed = ", ".join(map(_with_unit, REQUIRED))
        raise InputError(
            f"The DataFrame has no column {told}. It needs the columns of CelesTrak's CSV, {needed}: "
            "rename columns, and convert their units."
        )
    return places


def _refuse_radians(frame: pd.DataFrame, places: dict[str, int]) -> None:
    """Raise InputError if the numbers of many rows cannot be degrees, or revolutions a day."""
    if len(frame) < _MANY_ROWS:
        return
    largest = {
        keyword: pd.to_numeric(frame.iloc[:, places[keyword]], errors="coerce").abs().max()
        for keyword in (*_ANGLES, "MEAN_MOTION")
    }
    if all(largest[keyword] <= 2.0 * np.pi for keyword in _ANGLES):
        raise InputError(
            f"{', '.join(_ANGLES)} of the DataFrame are from 0 to {max(largest[k] for k in _ANGLES):.4g} in "
            f"all of its {len(frame):,} rows, which look like radians: convert them to degrees."
        )
    if largest["MEAN_MOTION"] <= _FASTEST_RAD_PER_MIN:
        raise InputError(
            f"The largest MEAN_MOTION of the DataFrame is {largest['MEAN_MOTION']:.4g}, which looks like "
            "radians per minute or second: convert it to revolutions per day."
        )


def _told(keyword: str, others: Sequence[str]) -> str:
    """Return a missing column with its unit, and the columns that look like it."""
    beginnings = _OTHER_NAMES[keyword]
    alike = [name for name in others if _NOT_A_LETTER.sub("", name.lower()).startswith(beginnings)]
    return f"{_with_unit(keyword)}, but {' and '.join(alike)}" if alike else _with_unit(keyword)


def _with_unit(keyword: str) -> str:
    return f"{keyword} ({_UNITS[keyword]})" if keyword in _UNITS else keyword


def _epochs(column: pd.Series) -> list[str]:
    """Return epochs as the reader takes them, without a zone: UTC."""
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    if not pd.api.types.is_datetime64_dtype(column.dtype):
        cells = zip(column.tolist(), column.isna().tolist(), strict=True)
        return ["" if missing else _epoch(value) for value, missing in cells]
    values = column.to_numpy()
    decimals: Literal["us", "ns"] = "us"
    if (values.astype("M8[us]") != values)[~np.isnat(values)].any():
        decimals = "ns"
    texts: list[str] = np.datetime_as_string(values, unit=decimals).tolist()
    return ["" if text == "NaT" else text for text in texts]


def _epoch(value: object) -> str:
    if isinstance(value, datetime):
        return aware_utc(value).replace(tzinfo=None).isoformat()
    return _LINE_ENDS.sub(" ", str(value))


def _values(column: pd.Series) -> list[object]:
    """Return what stands in the cells of a column; nothing for a missing value."""
    return [
        "" if missing else _LINE_ENDS.sub(" ", value) if isinstance(value, str) else value
        for value, missing in zip(column.tolist(), column.isna().tolist(), strict=True)
    ]
