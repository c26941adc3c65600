"""Break-ups and their pieces, as answers."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa

from screening.answers import answer
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from storage.analyst_file.tables_and_views import files, files_of_runs
from storage.disk.checksums import verify_all, verify_parquet
from storage.disk.connections import file_reader
from storage.disk.current import read_current
from storage.disk.faults import store_faults
from storage.disk.layout import FLEET_EVENT_FILES, RUN_FILES, quoted, run_folder
from storage.sky.earlier import Ids, Row, fragmentations, sets_known_by
from storage.sky.words import fragmentation_words
from storage.times import datetime64_us

_MINUTES_PER_DAY = 1440.0


@answer(run_id="20241101T000000Z", found_at="2021-12-22T14:55:25Z", new=606, total=606)
class PiecesOfRun:
    """Pieces of a break-up that one run found."""

    run_id: str
    """The run."""
    found_at: datetime
    """Epoch of its catalogue, UTC."""
    new: int
    """Pieces that it found."""
    total: int
    """Pieces found until then."""


@answer(
    id=1355220211115,
    parent_norad_id=13552,
    parent_name="COSMOS 1408",
    parent_object_id="1982-092A",
    at="2021-11-15T10:38:43Z",
    uncertainty_hours=13.0,
    altitude_km=472.0,
    speeds_m_s=[55.0, 29.0, 45.0],
    pieces=606,
)
class Fragmentation:
    """A break-up that new objects show."""

    id: int
    """The parent's number and the day, as yyyymmdd."""
    parent_norad_id: int
    """The object that broke up."""
    parent_name: str
    """Its name."""
    parent_object_id: str
    """Its international designator."""
    at: datetime
    """Estimated time of the event, UTC."""
    uncertainty_hours: float
    """1-sigma of that."""
    altitude_km: float
    """Altitude of the event, above the equatorial radius."""
    speeds_m_s: list[float]
    """Robust 1-sigma of the speeds at which pieces left, m/s: radial, in-track, cross-track."""
    pieces: int
    """Pieces found so far."""
    runs: list[PiecesOfRun]
    """Pieces by run, the oldest first."""
    words: str
    """All that in a sentence."""


@answer(total=1)
class Fragmentations:
    """Break-ups that new objects show."""

    total: int
    """How many there are."""
    fragmentations: list[Fragmentation]
    """The newest event first."""


@answer(norad_id=49513, name="COSMOS 1408 DEB", period_min=94.1, perigee_km=402.0, apogee_km=655.0)
class PieceOrbit:
    """A piece in the Gabbard diagram: its perigee and apogee over its period."""

    norad_id: int
    """Its catalogue number."""
    name: str
    """Its name."""
    period_min: float
    """Minutes a revolution."""
    perigee_km: float
    """Altitude of perigee above the equatorial radius, km."""
    apogee_km: float
    """Altitude of apogee, likewise."""


@answer(fleet_id=1, fleet="ours", approaches_per_day=0.4)
class FleetApproaches:
    """How often pieces come inside the volumes of a fleet."""

    fleet_id: int
    """The fleet."""
    fleet: str
    """Its name."""
    approaches_per_day: float
    """Events of the newest run with a piece, a day."""


@answer(approaches_per_day=212.0)
class FragmentationWithPieces(Fragmentation):
    """A break-up with its pieces."""

    orbits: list[PieceOrbit]
    """The pieces that have a set, with their newest orbits, by number: the data of a Gabbard diagram."""
    approaches_per_day: float
    """Events of the newest run with a piece, a day."""
    fleets: list[FleetApproaches]
    """Of them those inside the volumes of your fleets."""


def list_fragmentations(store: Path) -> Fragmentations:
    """Return the break-ups that runs have found. Raises StoreError if a file is damaged."""
    with store_faults(store):
        found = [Fragmentation(**_fields(rows)) for rows in _by_event(store).values()]
    return Fragmentations(len(found), sorted(found, key=lambda one: one.at, reverse=True))


def one_fragmentation(store: Path, number: int, fleets: Mapping[int, str]) -> FragmentationWithPieces | None:
    """Return a break-up with its pieces, and what they mean for some fleets; None: there is none of that id.

    Raises StoreError if a file is damaged.
    """
    current = read_current(store)
    with store_faults(store):
        rows = _by_event(store).get(number)
        if rows is None or current is None:
            return None
        pieces = np.array([one for row in rows for one in row["new_piece_norad_ids"]], np.int64)
        in_all, of_fleets = _approaches(store, current.run_id, pieces)
        orbits = _orbits(store, current.run_id, pieces, rows[-1]["found_at"])
    return FragmentationWithPieces(
        **_fields(rows),
        orbits=orbits,
        approaches_per_day=in_all,
        fleets=[FleetApproaches(one, name, of_fleets.get(one, 0.0)) for one, name in fleets.items()],
    )


def _by_event(store: Path) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in fragmentations(store):
        found.setdefault(row["fragmentation_id"], []).append(row)
    return found


def _fields(rows: list[Row]) -> Row:
    first, pieces = rows[0], rows[-1]["pieces"]
    name, number, at, hours = (
        first[field] for field in ("parent_name", "parent_norad_id", "at", "uncertainty_hours")
    )
    return {
        "id": first["fragmentation_id"],
        "parent_norad_id": number,
        "parent_name": name,
        "parent_object_id": first["parent_object_id"],
        "at": at,
        "uncertainty_hours": hours,
        "altitude_km": float(np.linalg.norm([first[axis] for axis in ("x_km", "y_km", "z_km")]))
        - EARTH_RADIUS_KM,
        "speeds_m_s": [first[f"speed_{axis}_m_s"] for axis in "rtn"],
        "pieces": pieces,
        "runs": [
            PiecesOfRun(row["run_id"], row["found_at"], len(row["new_piece_norad_ids"]), row["pieces"])
            for row in rows
        ],
        "words": fragmentation_words(name, number, at, hours, pieces),
    }


def _orbits(store: Path, run_id: str, pieces: Ids, found_at: datetime) -> list[PieceOrbit]:
    sets = sets_known_by(store, run_id, pieces, datetime64_us(found_at + timedelta(days=3650)))
    per_day = sets["mean_motion_rev_day"]
    axis_km = np.cbrt(MU_KM3_S2 * (86400.0 / (2.0 * np.pi * per_day)) ** 2)
    away_km = sets["eccentricity"] * axis_km
    columns = (
        *(sets["norad_id"].tolist(), sets["name"].tolist(), (_MINUTES_PER_DAY / per_day).tolist()),
        *((axis_km + sign * away_km - EARTH_RADIUS_KM).tolist() for sign in (-1.0, 1.0)),
    )
    return [PieceOrbit(*row) for row in zip(*columns, strict=True)]


def _approaches(store: Path, run_id: str, pieces: Ids) -> tuple[float, dict[int, float]]:
    """Return how many events a day of a run involve pieces, and of these how many are of each fleet."""
    folder = run_folder(store, run_id)
    events, record = (folder / RUN_FILES[table] for table in ("conjunctions", "runs"))
    verify_parquet(events, ["event_id", "primary_norad_id", "secondary_norad_id"])
    verify_parquet(record, ["window_start", "window_end"])
    verify_all(store.glob(FLEET_EVENT_FILES), ("run_id", "fleet_id", "event_id"))
    with file_reader() as connection:
        connection.register("pieces", pa.table({"norad_id": pieces}))
        source = files_of_runs(quoted(events))
        of_pieces = (
            f"SELECT DISTINCT event_id FROM {source} WHERE primary_norad_id IN (FROM pieces) "  # noqa: S608
            "OR secondary_norad_id IN (FROM pieces)"
        )
        ((days,),) = connection.execute(
            "SELECT epoch(window_end - window_start) / 86400.0 "  # noqa: S608
            f"FROM {files_of_runs(quoted(record))}"
        ).fetchall()
        ((count,),) = connection.execute(f"SELECT count(*) FROM ({of_pieces})").fetchall()  # noqa: S608
        of_fleets = connection.execute(
            f"SELECT fleet_id, count(DISTINCT event_id) FROM {files(store, FLEET_EVENT_FILES)} "  # noqa: S608
            f"WHERE run_id = {quoted(run_id)} AND event_id IN ({of_pieces}) GROUP BY fleet_id"
        ).fetchall()
    return count / days, {number: one / days for number, one in of_fleets}
