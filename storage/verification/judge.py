"""Judge the predictions of encounters that have passed: each run does so for those since the run before."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from screening.orbits.elements import ElementArray
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import FloatArray, window
from screening.risk.objects.error_law import TAIL_SCALES_RTN
from screening.risk.probability.tails import Tails
from screening.verification.errors import Predicted, PredictionErrors, prediction_errors
from screening.vocabulary import ERROR_LAWS, PROBABILITY_LEVELS
from storage.disk.checksums import verify_all
from storage.disk.current import Expiry, expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import FORECAST_FILES, FORECAST_TALLIES, forecast_file, replace_parquet
from storage.disk.run_ids import is_run_id
from storage.disk.whole_files import sync_folder
from storage.forecast_schema import FATES, FORECASTS
from storage.manoeuvres.kept import ManoeuvreArray, stored_manoeuvres
from storage.rows.over_runs.event_ids import SAME_ENCOUNTER
from storage.times import utc_datetime
from storage.upkeep.upgrade import opened_for_writing
from storage.verification.encounters import NONE, Encounters, Mask, Places, encounters
from storage.verification.predictions import BOTH, Instants, Runs, predictions, runs_of
from storage.verification.tallies import JUDGED_UNTIL, add_to_tallies

# After an encounter: by then half of the objects have a set of after it, and burns begin to show.
JUDGED_AFTER = np.timedelta64(12, "h")
LOCK_TIMEOUT_S = 60.0
_DAY = np.timedelta64(1, "D")
_LONGEST_AGE = np.timedelta64(30, "D")  # of a set that a prediction rests on
_AXES = ("radial", "in_track", "cross_track")
_RED = (PROBABILITY_LEVELS.index("critical"), PROBABILITY_LEVELS.index("high"))
_MEDIUM = PROBABILITY_LEVELS.index("medium")
_UNKNOWN = PROBABILITY_LEVELS.index("unknown")
# What rows without a prediction say, too.
_OF_ENCOUNTER = (
    *("event_id", "tca", "stands_for", "came_miss_distance_m"),
    *(f"{who}_{name}" for who in BOTH for name in ("norad_id", "error_law", "manoeuvring")),
    *(f"last_{name}" for name in ("run_id", "miss_distance_m", "probability_best", "probability_level")),
)
_STAYED, _EASED, _WORSENED, _VANISHED, _MANOEUVRED = range(len(FATES))


class _Read(NamedTuple):
    """Predictions (n,), by event, then by the start of the run."""

    table: pa.Table
    event: Places  # (n,) 0, 1, ... as the events come
    run: Places  # (n,) places in the runs
    tca: Instants
    level: npt.NDArray[np.int8]  # in PROBABILITY_LEVELS; NONE

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return a column of numbers; NULL is NaN."""
        return np.asarray(self.table[name].to_numpy(), np.float64)

    def norad_ids(self) -> npt.NDArray[np.int64]:
        """Return both objects (n, 2)."""
        return np.stack([self.table[f"{who}_norad_id"].to_numpy() for who in BOTH], axis=1)

    def both(self, *names: str) -> list[FloatArray]:
        """Return columns (n, k) of the primary, then of the secondary."""
        return [np.stack([self.column(f"{who}_{name}") for name in names], axis=1) for who in BOTH]


def judge(store: Path, run_id: str, elements: ElementArray) -> int:
    """Judge what passed JUDGED_AFTER before a run or earlier, by its element sets (n,); store and count that.

    Returns how many predictions there are. Each encounter is judged once, by the first run that can.

    Raises:
        StoreError: the store cannot be read or written, a file is damaged, or another process holds it.
    """
    store = store.resolve()
    with store_faults(store), opened_for_writing(store, LOCK_TIMEOUT_S):
        add_to_tallies(store)
        runs = runs_of(store)
        if run_id not in runs.run_id or not len(elements):
            return 0  # a later run has the same window; or all objects are known by trajectories alone
        since = judged_until(store)
        since = runs.begins[0] if since is None else since
        until = runs.begins[runs.run_id.index(run_id)] - JUDGED_AFTER
        if until <= since:
            return 0
        expiry = expiry_of(read_current(store))
        rows = _judged(store, _between(runs, since, until, expiry), elements, since, until, expiry)
        rows = rows.append_column("judged_by", pa.array([run_id] * rows.num_rows, pa.string()))
        path = forecast_file(store, run_id)
        marked = FORECASTS.arrow.with_metadata({JUDGED_UNTIL: str(until)})
        replace_parquet(rows.select(FORECASTS.arrow.names).cast(marked), path)
        sync_folder(path.parent)
        add_to_tallies(store)
    return len(rows)


def judged_until(store: Path) -> np.datetime64 | None:
    """Return the time (UTC) before which all encounters are judged; None: none is.

    The counts know it too, for the case that the newest forecasts are damaged, and set aside.
    """
    judged = max((path.stem for path in store.glob(FORECAST_FILES) if is_run_id(path.stem)), default=None)
    known = [store / FORECAST_TALLIES] if (store / FORECAST_TALLIES).is_file() else []
    if judged is not None:
        known.append(forecast_file(store, judged))
    verify_all(known, ())
    times = [np.datetime64(pq.read_schema(path).metadata[JUDGED_UNTIL].decode(), "us") for path in known]
    return max(times, default=None)


def _between(runs: Runs, since: np.datetime64, until: np.datetime64, expiry: Expiry) -> Runs:
    """Return the runs that may have predicted encounters of a span, and have not expired."""
    shown = np.array([run_id >= expiry.runs_from for run_id in runs.run_id])
    begins, ends = until + SAME_ENCOUNTER, since - SAME_ENCOUNTER
    some = np.flatnonzero(shown & (runs.begins < begins) & (runs.ends > ends))
    return Runs([runs.run_id[place] for place in some], runs.begins[some], runs.ends[some])


def _judged(
    store: Path,
    runs: Runs,
    elements: ElementArray,
    since: np.datetime64,
    until: np.datetime64,
    expiry: Expiry,
) -> pa.Table:
    """Return the rows of the encounters of a span, without `judged_by`.

    An encounter belongs to the span that its last prediction is in: TCAs move over borders.
    """
    begin, end = utc_datetime(since - SAME_ENCOUNTER), utc_datetime(until + SAME_ENCOUNTER)
    read = _read(predictions(store, runs.run_id, begin, end), runs, since, until)
    if not read.table.num_rows:
        return FORECASTS.arrow.empty_table().drop_columns("judged_by")
    found = encounters(store, runs, read.event, read.run, read.tca, read.norad_ids())
    burns = stored_manoeuvres(store, expiry, f"\"to\" >= TIMESTAMP '{since - _LONGEST_AGE}'")
    errors = _errors(read, elements, since)
    stands = found.standing()
    ahead = np.full(len(read.run), NONE, np.int8)
    for days in (*range(1, stands.shape[1]), 0):
        ahead[stands[read.event, days] == read.run] = days
    every = np.arange(len(found.last))
    last_run = np.where(found.screened_both(every, found.last), found.last, NONE)[read.event]
    last_row = found.row[every, found.last][read.event]
    said = {
        name: read.table[name].take(_places(last_row))
        for name in ("miss_distance_m", "probability_best", "probability_level")
    }
    warned, *days_to_tca = found.warned(np.isin(read.level, _RED))
    in_days = np.full((2, len(read.run)), np.nan)
    in_days[:, found.prediction[warned]] = days_to_tca
    age = np.stack([read.column(f"{who}_age_days") for who in BOTH], axis=1)
    epoch = read.tca[:, np.newaxis] - (np.nan_to_num(age) * 86400e6).astype("m8[us]")
    columns = {name: read.table[name] for name in FORECASTS.arrow.names if name in read.table.column_names}
    columns |= {
        "lead_days": (read.tca - runs.begins[read.run]) / _DAY,
        "days_ahead": pa.array(ahead, mask=ahead == NONE),
        "last_run_id": pa.array(runs.run_id, pa.string()).take(_places(last_run)),
        **{f"last_{name}": values for name, values in said.items()},
        "fate": _fates(read, last_run, last_row, _has_manoeuvred(burns, read.norad_ids(), epoch, read.tca)),
        "first_warned_days": _or_null(in_days[0]),
        "settled_days": _or_null(in_days[1]),
        "region": _or_null(errors.region),
        "came_miss_distance_m": _or_null(errors.miss_distance_m),
    }
    for place, axis in enumerate(_AXES):
        columns |= {
            f"sigma_{axis}_m": _or_null(errors.miss_sigma_rtn_m[:, place]),
            f"error_{axis}_m": _or_null(errors.miss_error_rtn_m[:, place]),
            f"primary_{axis}_sigmas": _or_null(errors.primary_sigmas_rtn[:, place]),
            f"secondary_{axis}_sigmas": _or_null(errors.secondary_sigmas_rtn[:, place]),
        }
    judged = pa.table(columns)
    return pa.concat_tables(
        [judged, _not_listed(judged, read, found, stands, burns)], promote_options="default"
    )


def _not_listed(
    judged: pa.Table, read: _Read, found: Encounters, stands: Places, burns: ManoeuvreArray
) -> pa.Table:
    """Return a row for each run that stands some days ahead of a dangerous encounter, and did not list it.

    Dangerous: critical, high or medium in the last run before TCA. Both objects it had screened. `stands`:
    the run (e, d) for each whole number of days ahead.
    """
    at_end = found.row[np.arange(len(found.last)), found.last]
    dangerous = (at_end != NONE) & (read.level[at_end] >= 0) & (read.level[at_end] <= _MEDIUM)
    one, ahead = np.nonzero((stands != NONE) & dangerous[:, np.newaxis])
    run = stands[one, ahead]
    missed = np.flatnonzero(found.row[one, run] == NONE)
    missed = missed[found.screened_both(one[missed], run[missed])]
    one, ahead, run = one[missed], ahead[missed], run[missed]
    rows = judged.select(_OF_ENCOUNTER).take(_places(at_end[one]))
    tca = read.tca[at_end[one]]
    begins = found.runs.begins[run]
    numbers = found.norad_ids[one]
    has_manoeuvred = _has_manoeuvred(burns, numbers, np.stack([begins, begins], axis=1), tca)
    fates = pa.array(FATES).take(pa.array(np.where(has_manoeuvred, _MANOEUVRED, _WORSENED)))
    return (
        rows.append_column("run_id", pa.array(found.runs.run_id, pa.string()).take(_places(run)))
        .append_column("lead_days", pa.array((tca - begins) / _DAY))
        .append_column("days_ahead", pa.array(ahead.astype(np.int8)))
        .append_column("fate", fates)
    )


def _read(table: pa.Table, runs: Runs, since: np.datetime64, until: np.datetime64) -> _Read:
    """Return the predictions of the encounters whose last one is in a span."""
    run = pc.index_in(table["run_id"].cast(pa.string()), pa.array(runs.run_id)).to_numpy()
    order = np.lexsort((run, table["event_id"].to_numpy()))
    ids, tca = table["event_id"].to_numpy()[order], table["tca"].to_numpy().astype("M8[us]")[order]
    first, last = (np.diff(ids, **beyond) != 0 for beyond in ({"prepend": NONE}, {"append": NONE}))
    last_tca = tca[last]
    within = ((last_tca >= since) & (last_tca < until))[np.cumsum(first) - 1]
    table = table.take(order[within])
    levels = pc.index_in(table["probability_level"].cast(pa.string()), pa.array(PROBABILITY_LEVELS))
    return _Read(
        table,
        np.cumsum(first[within]) - 1,
        run[order[within]].astype(np.intp),
        tca[within],
        levels.fill_null(NONE).to_numpy().astype(np.int8),
    )


def _errors(read: _Read, elements: ElementArray, since: np.datetime64) -> PredictionErrors:
    """Return the errors of predictions (n,) by element sets (k,); NaN on an ephemeris, or without a set."""
    some = elements[np.isin(elements["norad_id"], read.norad_ids())]
    paths, known_ids = Propagator(some, window(since, 24.0)), pa.array(some["norad_id"])
    seconds = (read.tca - since) / np.timedelta64(1, "us") / 1e6
    r_km, v_km_s = [], []
    for who in BOTH:
        place = pc.index_in(read.table[f"{who}_norad_id"], value_set=known_ids)
        known = place.is_valid().to_numpy()
        on_ephemeris = pc.equal(read.table[f"{who}_trajectory"].cast(pa.string()), "ephemeris")
        known &= ~on_ephemeris.fill_null(False).to_numpy()
        r, v = np.full((len(known), 3), np.nan), np.full((len(known), 3), np.nan)
        places = place.fill_null(NONE).to_numpy()[known].astype(np.int32)
        _, r[known], v[known] = paths.at(places, seconds[known])
        r_km.append(r)
        v_km_s.append(v)
    primary, secondary = _predicted(read)
    return prediction_errors(primary, secondary, (r_km[0], r_km[1]), (v_km_s[0], v_km_s[1]))


def _predicted(read: _Read) -> list[Predicted]:
    positions, velocities = read.both("x_km", "y_km", "z_km"), read.both("vx_km_s", "vy_km_s", "vz_km_s")
    sigmas = read.both("sigma_r_m", "sigma_t_m", "sigma_n_m")
    tails = [np.nan_to_num(one) for one in read.both("tail_share", "burn_share", "burn_in_track_m")]
    scales = []
    for who in BOTH:
        law = pc.index_in(read.table[f"{who}_error_law"].cast(pa.string()), pa.array(ERROR_LAWS))
        scales.append(np.vstack([TAIL_SCALES_RTN, np.ones(3)])[law.fill_null(NONE).to_numpy()])
    return [
        Predicted(r, v, sigma, Tails(other[:, 0], scale, other[:, 1], other[:, 2]))
        for r, v, sigma, other, scale in zip(positions, velocities, sigmas, tails, scales, strict=True)
    ]


def _has_manoeuvred(
    burns: ManoeuvreArray, norad_ids: npt.NDArray[np.int64], after: Instants, tca: Instants
) -> Mask:
    """Return where (n,) one of two objects (n, 2) has manoeuvred between a time of each (n, 2) and TCA."""
    burnt = np.zeros(len(tca), np.bool_)
    order = np.lexsort((burns["at"], burns["norad_id"]))
    numbers, times = burns["norad_id"][order], burns["at"][order]
    for row, side in zip(*np.nonzero(np.isin(norad_ids, numbers)), strict=True):
        number = norad_ids[row, side]
        begin, end = np.searchsorted(numbers, [number, number + 1])
        its = times[begin:end]
        burnt[row] |= bool(((its > after[row, side]) & (its < tca[row])).any())
    return burnt


def _fates(read: _Read, last_run: Places, last_row: Places, has_manoeuvred: Mask) -> pa.Array:
    """Return the fates of predictions (n,); the last run before TCA and its row, NONE: there is none."""
    at_end = np.where(last_row == NONE, NONE, read.level[last_row])
    fate = np.select(
        [
            has_manoeuvred,
            last_row == NONE,
            (read.level == NONE) | (at_end == NONE),
            at_end == read.level,
            (read.level == _UNKNOWN) | (at_end == _UNKNOWN),
            at_end > read.level,
        ],
        [_MANOEUVRED, _VANISHED, NONE, _STAYED, NONE, _EASED],
        _WORSENED,
    )
    unjudged = (fate == NONE) | (last_run == NONE) | (last_row == np.arange(len(fate)))
    return pa.array(FATES).take(pa.array(fate, mask=unjudged))


def _places(places: Places) -> pa.Array:
    return pa.array(places, mask=places == NONE)


def _or_null(values: FloatArray) -> pa.Array:
    return pa.array(values, pa.float32(), from_pandas=True)
