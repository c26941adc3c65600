"""Count a run's approaches by shell and group, after it; the counts stay when the run expires."""

from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.environment.gas import gas
from screening.environment.residence import Stays
from screening.environment.tallies import Approaches, Counter, Tally
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM
from screening.orbits.timegrid import FloatArray, TimeWindow
from screening.risk.objects.regimes import semi_major_axis_km
from screening.risk.views.overview import ALTITUDE_EDGES_KM
from screening.vocabulary import OBJECT_TYPES
from storage.disk.checksums import verify_parquet
from storage.disk.faults import store_faults
from storage.disk.layout import RUN_FILES, environment_file, replace_parquet, run_folder
from storage.disk.whole_files import sync_folder
from storage.rows.constellations import CONSTELLATIONS, NONE, constellations_of
from storage.sky_schema import ENVIRONMENT
from storage.upkeep.upgrade import opened_for_writing
from storage.writing.objects_table import ObjectArray

LOCK_TIMEOUT_S = 60.0
SHELL_EDGES_KM = ALTITUDE_EDGES_KM
_YEAR_DAYS = 365.25
_BOTH = ("primary", "secondary")
_READ = (
    *(f"{who}_norad_id" for who in _BOTH),
    *(f"primary_{axis}_km" for axis in "xyz"),
    *("miss_distance_m", "probability_best", "fragments_10cm", "encounter"),
)


class _Objects(NamedTuple):
    """Objects (n,), ascending by their numbers."""

    norad_id: npt.NDArray[np.int64]
    object_type: npt.NDArray[np.int8]  # in OBJECT_TYPES
    owner: npt.NDArray[np.str_]
    constellation: npt.NDArray[np.intp]  # in CONSTELLATIONS; NONE
    radius_m: FloatArray  # hard-body; NaN: unknown
    axis_km: FloatArray
    eccentricity: FloatArray
    inclination_deg: FloatArray

    @classmethod
    def of(cls, elements: ElementArray, objects: ObjectArray, some: npt.NDArray[np.intp]) -> Self:
        """Return what some of the objects of a run are."""
        some = some[np.argsort(objects["norad_id"][some], kind="stable")]
        types = objects["object_type"][some]
        return cls(
            objects["norad_id"][some],
            types,
            objects["owner"][some],
            constellations_of(elements["name"][some], np.array(OBJECT_TYPES)[types]),
            objects["hard_body_radius_m"][some],
            semi_major_axis_km(elements)[some],
            elements["eccentricity"][some],
            elements["inclination_deg"][some],
        )


class _Groups(NamedTuple):
    """Groups of objects (n,) of one kind."""

    names: list[str]
    of_objects: npt.NDArray[np.intp]  # places in `names`
    pairs: bool  # whether pairs of different groups are stored


class _Rates:
    """Rows of ENVIRONMENT of one run, as they are made."""

    def __init__(self, run_id: str, days: float, threshold_km: float) -> None:
        self._run_id, self._days = run_id, days
        self._limits = {1: threshold_km >= 1.0, 5: threshold_km >= 5.0}
        self._tables: list[pa.Table] = []

    def add(self, kind: str, tally: Tally, **columns: object) -> None:
        """Add rows: the tallies of some groups, and other columns."""
        numbers = {1: tally.within_1km, 5: tally.within_5km}
        rows = {
            "run_id": self._run_id,
            "days": self._days,
            "kind": kind,
            **{f"approaches_{km}km_day": numbers[km] / self._days for km in numbers if self._limits[km]},
            "collisions_year": tally.collisions / self._days * _YEAR_DAYS,
            "fragments_year": tally.fragments / self._days * _YEAR_DAYS,
            **columns,
        }
        count = len(tally.collisions)
        arrays = []
        for field in ENVIRONMENT.arrow:
            value = rows.get(field.name)
            plain = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            array = (
                pa.array(value, plain)
                if isinstance(value, np.ndarray | list)
                else pa.repeat(pa.scalar(value, plain), count)
            )
            arrays.append(array.cast(field.type))
        there = (tally.within_5km > 0.0) | (tally.collisions > 0.0)
        if kind == "shell" and "objects" in columns:
            there |= np.asarray(columns["objects"]) > 0.0
        self._tables.append(pa.Table.from_arrays(arrays, schema=ENVIRONMENT.arrow).filter(pa.array(there)))

    def table(self) -> pa.Table:
        """Return all rows."""
        return pa.concat_tables(self._tables)


def count_environment(
    store: Path,
    run_id: str,
    elements: ElementArray,
    objects: ObjectArray,
    span: TimeWindow,
    threshold_km: float,
) -> None:
    """Count the fast approaches of a run, whose objects (n,) these are, and store them.

    A docked complex counts once, as the object of its smallest number.

    Raises:
        StoreError: the store cannot be read or written, a file is damaged, or another process holds it.
    """
    store = store.resolve()
    complex_id = objects["complex_id"]
    counted = np.flatnonzero((complex_id < 0) | (complex_id == objects["norad_id"]))
    there = _Objects.of(elements, objects, counted)
    days = (span.end - span.start) / np.timedelta64(1, "D")
    rates = _Rates(run_id, days, threshold_km)
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        events = run_folder(store, run_id) / RUN_FILES["conjunctions"]
        verify_parquet(events, _READ)
        approaches = _approaches(pq.read_table(events, columns=list(_READ)), there.norad_id)
        counter = Counter(approaches, SHELL_EDGES_KM)
        _add_shells(rates, counter, approaches, there)
        for kind, groups in _groups(there).items():
            count = len(groups.names)
            names, sizes = np.array(groups.names, "O"), np.bincount(groups.of_objects, minlength=count)
            each, between = counter.by_groups(groups.of_objects, count, pairs=groups.pairs)
            rates.add(kind, each.tally, one=names[each.one], objects=sizes[each.one].astype(np.float64))
            rates.add(kind, between.tally, one=names[between.one], other=names[between.other])
        path = environment_file(store, run_id)
        table = rates.table()
        if path.is_file():
            verify_parquet(path)
            earlier = pq.read_table(path, schema=ENVIRONMENT.arrow)
            table = pa.concat_tables([earlier.filter(pc.not_equal(earlier["run_id"], run_id)), table])
        replace_parquet(table.unify_dictionaries(), path)
        sync_folder(path.parent)


def _approaches(rows: pa.Table, norad_ids: npt.NDArray[np.int64]) -> Approaches:
    """Return the fast encounters between objects (n,) among the rows of a run."""
    here, known = pc.equal(rows["encounter"], "fast"), pa.array(norad_ids)
    places = []
    for who in _BOTH:
        found = pc.index_in(rows[f"{who}_norad_id"], value_set=known)  # a 12th of what searchsorted takes
        here = pc.and_(here, pc.is_valid(found))
        places.append(pc.fill_null(found, 0).to_numpy().astype(np.intp))
    here = here.to_numpy()
    radius_km = np.sqrt(sum(rows[f"primary_{axis}_km"].to_numpy() ** 2 for axis in "xyz"))
    return Approaches(
        places[0][here],
        places[1][here],
        radius_km[here] - EARTH_RADIUS_KM,
        *(rows[name].to_numpy()[here] for name in ("miss_distance_m", "probability_best", "fragments_10cm")),
    )


def _add_shells(rates: _Rates, counter: Counter, approaches: Approaches, objects: _Objects) -> None:
    """Add the shells: of all approaches, those outside constellations, and those within one."""
    stays = Stays.of(objects.axis_km, objects.eccentricity, SHELL_EDGES_KM)
    first, second = objects.constellation[approaches.first], objects.constellation[approaches.second]
    chosen = {
        "all": (None, stays),
        "outside": ((first == NONE) & (second == NONE), stays.among(objects.constellation == NONE)),
        "within": ((first != NONE) & (first == second), None),
    }
    for name, (some, where) in chosen.items():
        columns = {"one": name, "altitude_from_km": SHELL_EDGES_KM[:-1], "altitude_to_km": SHELL_EDGES_KM[1:]}
        if where is not None:
            found = gas(where, objects.inclination_deg, objects.radius_m, SHELL_EDGES_KM)
            columns |= {"objects": found.objects, "gas_1km_day": found.within_1km_day}
            columns["gas_collisions_year"] = found.collisions_day * _YEAR_DAYS
        rates.add("shell", counter.by_shell(some), **columns)


def _groups(objects: _Objects) -> dict[str, _Groups]:
    """Return the groups of objects (n,) by kind."""
    owners, owner = np.unique(np.where(objects.owner == "", "unknown", objects.owner), return_inverse=True)
    constellations = [*(one.name for one in CONSTELLATIONS), "none"]
    return {
        "type": _Groups(list(OBJECT_TYPES), objects.object_type.astype(np.intp), pairs=True),
        "owner": _Groups(owners.tolist(), owner, pairs=False),
        "constellation": _Groups(constellations, objects.constellation, pairs=True),
    }
