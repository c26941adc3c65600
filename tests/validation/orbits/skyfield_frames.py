"""TEME to ITRF and to latitude, longitude and height: a thousand objects, against skyfield and PROJ."""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sgp4 import omm
from sgp4.api import Satrec

from screening.orbits.earth_orientation import EarthOrientation, earth_orientation
from screening.orbits.frames import geodetic_from_itrf, itrf_from_teme
from screening.orbits.timegrid import julian_date
from tests.validation.comparison import About, Comparison, Measure, NotRun
from tests.validation.files import text_of, understood
from tests.validation.orbits.published_frames import RAD_PER_ARCSEC
from tests.validation.orbits.python_sgp4 import CATALOGUE, HIGHEST_NUMBER_OF_PYTHON_SGP4

try:
    from pyproj import Transformer
    from skyfield.api import EarthSatellite, load, wgs84
    from skyfield.framelib import itrs
    from skyfield.timelib import Time

    INSTALLED = True
except ImportError:  # installed for development alone
    INSTALLED = False

FloatArray = npt.NDArray[np.float64]

ABOUT = About(
    title="Frames: a thousand objects",
    source="skyfield (https://rhodesmill.org/skyfield/) for ITRF, latitude, longitude and height; PROJ "
    "(https://proj.org), by pyproj, for the way back from these to the position.",
    what="A thousand objects of the catalogue of 2024-11-01, of every mean motion, at 17:23:45.678901 UTC "
    "that day, with the same UT1 and the same pole.",
    limits="A metre of position is asked for. skyfield stops its iteration for the latitude at 2e-8 "
    "degrees: 1e-7 degrees and 1 mm. The way back is a closed formula: 1e-10 of the distance, 0.7 mm "
    "in low orbit.",
    files=(CATALOGUE,),
    command='make test ARGS="tests/screening/orbits/test_frames.py"',
)
INSTANT = "2024-11-01T17:23:45.678901"
OBJECTS = 1000
ONE_METRE_M, LATITUDE_DEG, HEIGHT_MM, ROUND_TRIP = 1.0, 1e-7, 1.0, 1e-10
TAI_MINUS_UTC_S, TT_MINUS_TAI_S = 37.0, 32.184  # the first since 2017


class Catalogued(NamedTuple):
    """Objects of the real catalogue at one instant, by python-sgp4 and skyfield."""

    instant: tuple[float, float]  # Julian date of the midnight, fraction of the day
    orientation: EarthOrientation
    r_teme_km: FloatArray  # (n, 3)
    r_itrf_km: FloatArray  # (n, 3)
    latitude_deg: FloatArray
    longitude_deg: FloatArray
    height_km: FloatArray


def read_catalogued(data: Path) -> Catalogued:
    """Return the objects; raises NotRun without skyfield or pyproj."""
    if not INSTALLED:
        raise NotRun("needs the Python packages skyfield and pyproj")
    jd, day_fraction = julian_date(np.array([INSTANT], "M8[us]"))
    instant = float(jd[0]), float(day_fraction[0])
    orientation = earth_orientation(*instant)
    time = _skyfield_time(orientation)
    text = text_of(data, CATALOGUE)
    rows = []
    for satellite in understood(data, CATALOGUE, lambda: _satellites(text)):
        code, r_teme, _ = satellite.sgp4(*instant)
        if code == 0:
            position = EarthSatellite.from_satrec(satellite, time.ts).at(time)
            place = wgs84.geographic_position_of(position)
            geodetic = (place.latitude.degrees, place.longitude.degrees, place.elevation.km)
            rows.append((r_teme, position.frame_xyz(itrs).km, geodetic))
    r_teme_km, r_itrf_km, places = np.array(rows).reshape(-1, 3, 3).transpose(1, 0, 2)
    return Catalogued(instant, orientation, r_teme_km, r_itrf_km, *places.T)


def _satellites(text: str) -> list[Satrec]:
    """Return satellites of every mean motion, evenly."""
    records = [
        row
        for row in csv.DictReader(text.splitlines())
        if int(row["NORAD_CAT_ID"]) <= HIGHEST_NUMBER_OF_PYTHON_SGP4
    ]
    if not records:
        raise ValueError("no element sets")
    records.sort(key=lambda record: float(record["MEAN_MOTION"]))
    satellites = []
    for record in records[:: max(len(records) // OBJECTS, 1)][:OBJECTS]:
        satellites.append(Satrec())
        omm.initialize(satellites[-1], record)
    return satellites


def _skyfield_time(orientation: EarthOrientation) -> "Time":
    """Return skyfield's instant with the same UT1 and the same pole."""
    delta_t = TAI_MINUS_UTC_S + TT_MINUS_TAI_S - float(orientation.ut1_minus_utc_s)
    timescale = load.timescale(delta_t=delta_t, builtin=True)
    day, hour = INSTANT.split("T")
    year, month, date = (int(part) for part in day.split("-"))
    hours, minutes, seconds = hour.split(":")
    time = timescale.utc(year, month, date, int(hours), int(minutes), float(seconds))
    pole_arcsec = [float(p) / RAD_PER_ARCSEC for p in (orientation.pole_x_rad, orientation.pole_y_rad)]
    timescale.polar_motion_table = (np.array([0.0, 1e7]), *(np.array([p, p]) for p in pole_arcsec))
    return time


def back_from_geodetic(
    latitude_deg: FloatArray, longitude_deg: FloatArray, height_km: FloatArray
) -> FloatArray:
    """Return the positions (n, 3) in km that PROJ computes of places."""
    to_earth_centred = Transformer.from_crs("EPSG:4979", "EPSG:4978", always_xy=True)
    return np.transpose(to_earth_centred.transform(longitude_deg, latitude_deg, height_km * 1e3)) / 1e3


def compare(data: Path) -> Comparison:
    """Turn every position, and find its place on the Earth."""
    objects = read_catalogued(data)
    r = itrf_from_teme(objects.r_teme_km, *objects.instant, objects.orientation)
    apart_m = np.linalg.norm(r - objects.r_itrf_km, axis=1) * 1e3
    latitude, longitude, height = geodetic_from_itrf(objects.r_itrf_km)
    angles_deg = [np.abs(latitude - objects.latitude_deg), np.abs(longitude - objects.longitude_deg)]
    back_km = back_from_geodetic(latitude, longitude, height)
    distance_km = np.linalg.norm(objects.r_itrf_km, axis=1)
    round_trip = np.linalg.norm(back_km - objects.r_itrf_km, axis=1) / distance_km
    heights_mm = 1e6 * np.abs(height - objects.height_km)
    return Comparison(
        len(r),
        "objects",
        (
            Measure("farthest from the Earth's centre", float(distance_km.max()), "km"),
            Measure("largest difference of an ITRF position", float(apart_m.max()), "m", ONE_METRE_M),
            Measure(
                "largest difference of an angle",
                float(np.max(angles_deg)),
                "degrees",
                LATITUDE_DEG,
                rounding=True,
            ),
            Measure(
                "largest difference of a height", float(heights_mm.max()), "mm", HEIGHT_MM, rounding=True
            ),
            Measure("back by PROJ, of the distance", float(round_trip.max()), "", ROUND_TRIP, rounding=True),
        ),
    )
