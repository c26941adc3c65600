"""Objects whose predictions were off to one side, by far more than those of others under their law."""

from datetime import date, datetime
from pathlib import Path

from screening.answers import TimeText, answer
from storage.analyst_file.tables_and_views import forecasts
from storage.disk.checksums import verify_all
from storage.disk.connections import in_memory
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import FORECAST_FILES
from storage.times import fetched_utc, time_text

FEWEST_ENCOUNTERS = 3
STANDS_OUT = 6.0  # times what is usual under the law
MOST_LISTED = 20

# All predictions that rest on one set are off alike: its median counts, and of an object its worst set.
_FOUND = """
WITH sides AS (
    SELECT primary_norad_id AS norad_id, primary_error_law AS law, event_id, fate,
        tca - to_seconds(86400.0 * primary_age_days) AS epoch, primary_in_track_sigmas AS off FROM f
    UNION ALL
    SELECT secondary_norad_id, secondary_error_law, event_id, fate,
        tca - to_seconds(86400.0 * secondary_age_days), secondary_in_track_sigmas FROM f
), sets AS (
    SELECT norad_id, law, count(DISTINCT event_id) AS encounters, median(off) AS off, min(epoch) AS epoch,
        bool_or(fate = 'manoeuvred') AS manoeuvred
    FROM sides WHERE off IS NOT NULL AND law IS NOT NULL
    GROUP BY norad_id, law, time_bucket(INTERVAL 10 SECOND, epoch)
), laws AS (
    SELECT law, greatest(1.0, median(abs(off))) AS usual FROM sets GROUP BY law
), worst AS (
    SELECT norad_id, law, arg_max(encounters, abs(off)) AS encounters, arg_max(off, abs(off)) AS off,
        usual, arg_max(epoch, abs(off)) AS epoch, arg_max(manoeuvred, abs(off)) AS manoeuvred
    FROM sets JOIN laws USING (law) WHERE encounters >= {fewest} AND abs(off) > {stands_out} * usual
    GROUP BY norad_id, law, usual
)
FROM worst ORDER BY abs(off) / usual DESC, norad_id LIMIT {most}"""


@answer(norad_id=33591, error_law="leo", encounters=7, in_track_sigmas=12.4, usual_sigmas=1.1)
class Suspect:
    """An object whose sets, or whose path, were other than its predictions said."""

    norad_id: int
    """Catalogue number."""
    error_law: str
    """The law of its errors."""
    encounters: int
    """Encounters predicted from the set that was farthest off."""
    in_track_sigmas: float
    """Their median error in-track, in 1-sigma of the law: later sets have it ahead (+) or behind."""
    usual_sigmas: float
    """The same of other sets under the law, their median, 1 at least."""
    epoch: TimeText
    """Epoch of that set, UTC."""
    manoeuvred: bool
    """Whether a manoeuvre of one of the objects is known."""
    words: str
    """The finding as a sentence."""


def suspects(store: Path, since: date | None = None) -> list[Suspect]:
    """Return the objects that stand out in the forecasts that have not expired, the farthest off first.

    Raises:
        StoreError: a file is damaged or cannot be read.
    """
    with store_faults(store):
        files = list(store.glob(FORECAST_FILES))
        if not files:
            return []
        verify_all(files)
        begins = "" if since is None else f"AND tca >= DATE '{since}'"
        rows = f"{forecasts(store, expiry_of(read_current(store)))} {begins}"
        query = _FOUND.format(fewest=FEWEST_ENCOUNTERS, stands_out=STANDS_OUT, most=MOST_LISTED)
        with in_memory() as connection:
            connection.execute(f"CREATE TEMP VIEW f AS {rows}")
            found = fetched_utc(connection.execute(query))
    return [_suspect(*row) for row in found]


def _suspect(
    norad_id: int, law: str, encounters: int, off: float, usual: float, epoch: datetime, manoeuvred: bool
) -> Suspect:
    side = "ahead of" if off > 0 else "behind"
    why = "one of the objects has manoeuvred" if manoeuvred else "a bad set, or a burn after it"
    return Suspect(
        norad_id=norad_id,
        error_law=law,
        encounters=encounters,
        in_track_sigmas=off,
        usual_sigmas=usual,
        epoch=time_text(epoch, "seconds"),
        manoeuvred=manoeuvred,
        words=f"Object {norad_id} was {abs(off):.0f} sigmas {side} what its set of "
        f"{time_text(epoch, 'minutes')} said, in {encounters} encounters (usual: {usual:.1f}): {why}.",
    )
