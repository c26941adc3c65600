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
from storage.manoeuvres.kept import stored_manoeuvres
from storage.rows.over_runs.screened import screened
from storage.times import utc_datetime
from storage.upkeep.upgrade import opened_for_writing
from storage.verification.predictions import BOTH, Instants, Runs, predictions, runs_of
from storage.verification.tallies import JUDGED_UNTIL, add_to_tallies

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

# After an encounter: by then half of the objects have a set of after it, and burns begin to show.
JUDGED_AFTER = np.timedelta64(12, "h")
LAST_DAYS_AHEAD = 30
LOCK_TIMEOUT_S = 60.0
HALF_A_DAY = 0.5
_DAY = np.timedelta64(1, "D")
_LONGEST_AGE = np.timedelta64(30, "D")  # of a set that a prediction rests on
_AXES = ("radial", "in_track", "cross_track")
_NONE = -1
_UNKNOWN = PROBABILITY_LEVELS.index("unknown")
_STAYED, _EASED, _WORSENED, _VANISHED, _MANOEUVRED = range(len(FATES))


class _Read(NamedTuple):
    """Predictions (n,), by event, then by the start of the run."""

    table: pa.Table
    event: Places  # (n,) 0, 1, ... as the events come
    run: Places  # (n,) places in the runs
    tca: Instants
    level: npt.NDArray[np.int8]  # in PROBABILITY_LEVELS; _NONE

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return a column of numbers; NULL is NaN."""
        return np.asarray(self.table[name].to_numpy(), np.float64)

    def both(self, *names: str) -> list[FloatArray]:
        """Return columns (n, k) of the primary, then of the secondary."""
        return [np.stack([self.column(f"{who}_{name}") for name in names], axis=1) for who in BOTH]


class _Last(NamedTuple):
    """What the last run before TCA said of the encounters of predictions (n,)."""

    run: Places  # the last run; _NONE: it has not screened both objects
    row: Places  # its row; _NONE: it did not find the encounter


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
    """Return the runs that have predicted encounters of a span, and have not expired."""
    shown = np.array([run_id >= expiry.runs_from for run_id in runs.run_id])
    some = np.flatnonzero(shown & (runs.begins < until) & (runs.ends > since))
    return Runs([runs.run_id[place] for place in some], runs.begins[some], runs.ends[some])


def _judged(
    store: Path,
    runs: Runs,
    elements: ElementArray,
    since: np.datetime64,
    until: np.datetime64,
    expiry: Expiry,
) -> pa.Table:
    """Return the rows of the encounters of a span, without `judged_by`."""
    read = _read(predictions(store, runs.run_id, utc_datetime(since), utc_datetime(until)), runs)
    last = _last_before(store, runs, read)
    errors = _errors(read, elements, since)
    ahead = _days_ahead(runs, read)
    said = {
        name: read.table[name].take(pa.array(last.row, mask=last.row == _NONE))
        for name in ("miss_distance_m", "probability_best", "probability_level")
    }
    columns = {name: read.table[name] for name in FORECASTS.arrow.names if name in read.table.column_names}
    columns |= {
        "lead_days": (read.tca - runs.begins[read.run]) / _DAY,
        "days_ahead": pa.array(ahead, mask=ahead == _NONE),
        "last_run_id": pa.array(runs.run_id, pa.string()).take(pa.array(last.run, mask=last.run == _NONE)),
        **{f"last_{name}": values for name, values in said.items()},
        "fate": _fates(read, last, _has_manoeuvred(store, read, since, expiry)),
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
    return pa.table(columns)


def _read(table: pa.Table, runs: Runs) -> _Read:
    ids = table["event_id"].to_numpy()
    run = pc.index_in(table["run_id"].cast(pa.string()), pa.array(runs.run_id)).to_numpy()
    order = np.lexsort((run, ids))
    table = table.take(order)
    levels = pc.index_in(table["probability_level"].cast(pa.string()), pa.array(PROBABILITY_LEVELS))
    return _Read(
        table,
        np.cumsum(np.diff(ids[order], prepend=ids[order][:1]) != 0),
        run[order].astype(np.intp),
        table["tca"].to_numpy().astype("M8[us]"),
        levels.fill_null(_NONE).to_numpy().astype(np.int8),
    )


def _last_before(store: Path, runs: Runs, read: _Read) -> _Last:
    """Return the last run before the TCA of each prediction, and its row of the encounter."""
    run = np.searchsorted(runs.begins, read.tca, side="right") - 1
    numbers = [read.table[f"{who}_norad_id"].to_numpy() for who in BOTH]
    has_screened = np.zeros(len(run), np.bool_)
    for one in np.unique(run):
        here = run == one
        ids = screened(store, runs.run_id[one])
        has_screened[here] = ids is not None and np.all([np.isin(own[here], ids) for own in numbers], axis=0)
    is_of_last = np.flatnonzero(read.run == run)
    of_event = np.full(read.event[-1] + 1 if len(run) else 0, _NONE)
    of_event[read.event[is_of_last]] = is_of_last
    row = of_event[read.event]
    return _Last(np.where(has_screened | (row != _NONE), run, _NONE), row)


def _days_ahead(runs: Runs, read: _Read) -> npt.NDArray[np.int8]:
    """Return for how many whole days ahead predictions (n,) stand; _NONE: for none."""
    lead = read.tca[:, np.newaxis] - runs.begins
    has_it = (lead >= np.timedelta64(0)) & (runs.ends > read.tca[:, np.newaxis])
    lead_days = np.where(has_it, lead / _DAY, np.inf)
    own = lead_days[np.arange(len(read.run)), read.run]
    ahead = np.full(len(read.run), _NONE, np.int8)
    for days in range(1, LAST_DAYS_AHEAD + 1):
        off = np.abs(own - days)
        ahead[(off <= HALF_A_DAY) & (off <= np.abs(lead_days - days).min(axis=1, initial=np.inf))] = days
    ahead[own <= lead_days.min(axis=1, initial=np.inf)] = 0
    return ahead


def _errors(read: _Read, elements: ElementArray, since: np.datetime64) -> PredictionErrors:
    """Return the errors of predictions (n,) by element sets (k,); NaN on an ephemeris, or without a set."""
    order = np.argsort(elements["norad_id"], kind="stable")
    paths = Propagator(elements, window(since, 24.0))
    seconds = (read.tca - since) / np.timedelta64(1, "us") / 1e6
    r_km, v_km_s = [], []
    for who in BOTH:
        numbers = read.table[f"{who}_norad_id"].to_numpy()
        place = np.minimum(np.searchsorted(elements["norad_id"][order], numbers), max(len(elements) - 1, 0))
        known = elements["norad_id"][order[place]] == numbers
        on_ephemeris = pc.equal(read.table[f"{who}_trajectory"].cast(pa.string()), "ephemeris")
        known &= ~on_ephemeris.fill_null(False).to_numpy()
        r, v = np.full((len(numbers), 3), np.nan), np.full((len(numbers), 3), np.nan)
        _, r[known], v[known] = paths.at(order[place[known]].astype(np.int32), seconds[known])
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
        scales.append(np.vstack([TAIL_SCALES_RTN, np.ones(3)])[law.fill_null(_NONE).to_numpy()])
    return [
        Predicted(r, v, sigma, Tails(other[:, 0], scale, other[:, 1], other[:, 2]))
        for r, v, sigma, other, scale in zip(positions, velocities, sigmas, tails, scales, strict=True)
    ]


def _has_manoeuvred(store: Path, read: _Read, since: np.datetime64, expiry: Expiry) -> Mask:
    """Return where (n,) an object has manoeuvred between the set of the prediction and TCA."""
    found = stored_manoeuvres(store, expiry, f"\"to\" >= TIMESTAMP '{since - _LONGEST_AGE}'")
    burnt = np.zeros(len(read.tca), np.bool_)
    order = np.lexsort((found["at"], found["norad_id"]))
    numbers, times = found["norad_id"][order], found["at"][order]
    for who in BOTH:
        own = read.table[f"{who}_norad_id"].to_numpy()
        age = np.nan_to_num(read.column(f"{who}_age_days")) * 86400e6
        epoch = read.tca - age.astype("m8[us]")
        for row in np.flatnonzero(np.isin(own, numbers)):
            begin, end = np.searchsorted(numbers, [own[row], own[row] + 1])
            its = times[begin:end]
            burnt[row] |= bool(((its > epoch[row]) & (its < read.tca[row])).any())
    return burnt


def _fates(read: _Read, last: _Last, has_manoeuvred: Mask) -> pa.Array:
    at_end = np.where(last.row == _NONE, _NONE, read.level[last.row])
    fate = np.select(
        [
            has_manoeuvred,
            last.row == _NONE,
            (read.level == _NONE) | (at_end == _NONE),
            at_end == read.level,
            (read.level == _UNKNOWN) | (at_end == _UNKNOWN),
            at_end > read.level,
        ],
        [_MANOEUVRED, _VANISHED, _NONE, _STAYED, _NONE, _EASED],
        _WORSENED,
    )
    unjudged = (fate == _NONE) | (last.run == _NONE) | (last.row == np.arange(len(fate)))
    return pa.array(FATES).take(pa.array(fate, mask=unjudged))


def _or_null(values: FloatArray) -> pa.Array:
    return pa.array(values, pa.float32(), from_pandas=True)
