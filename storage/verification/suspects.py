"""Objects whose predictions were off to one side, by far more than those of others under their law."""

from datetime import date, datetime
from pathlib import Path

from screening.answers import TimeText, answer
from storage.analyst_file.tables_and_views import forecasts
from storage.disk.checksums import verify_all
from storage.disk.connections import file_reader
from storage.disk.current import expiry_of, read_current
from storage.disk.faults import store_faults
from storage.disk.layout import FORECAST_FILES
from storage.times import fetched_utc, time_text

# One set: from so many encounters, times what is usual under the law. Of several in a row, to the same side,
# each: in the published week that names 39 of 4,479 Starlink more, and no other object.
FEWEST_ENCOUNTERS, STANDS_OUT = 3, 6.0
FEWEST_SETS, ENCOUNTERS_OF_SETS, EACH_STANDS_OUT = 3, 5, 3.5
MOST_LISTED = 20

# All predictions that rest on one set are off alike: its median counts, and of an object its worst.
_FOUND = f"""
WITH sides AS (
    SELECT primary_norad_id AS norad_id, primary_error_law AS law, event_id, fate,
        tca - to_seconds(86400.0 * primary_age_days) AS epoch, primary_in_track_sigmas AS off FROM f
    UNION ALL
    SELECT secondary_norad_id, secondary_error_law, event_id, fate,
        tca - to_seconds(86400.0 * secondary_age_days), secondary_in_track_sigmas FROM f
), of_sets AS (
    SELECT *, time_bucket(INTERVAL 10 SECOND, epoch) AS bucket FROM sides
    WHERE off IS NOT NULL AND law IS NOT NULL
), sets AS (
    SELECT norad_id, law, bucket, count(DISTINCT event_id) AS encounters, median(off) AS off,
        min(epoch) AS epoch, bool_or(fate = 'manoeuvred') AS manoeuvred
    FROM of_sets GROUP BY norad_id, law, bucket
), laws AS (
    SELECT law, greatest(1.0, median(abs(off))) AS usual FROM sets GROUP BY law
), sided AS (
    SELECT *, if(abs(off) > {EACH_STANDS_OUT} * usual, sign(off), 0) AS side FROM sets JOIN laws USING (law)
), in_a_row AS (
    SELECT *, row_number() OVER (PARTITION BY norad_id, law ORDER BY bucket)
        - row_number() OVER (PARTITION BY norad_id, law, side ORDER BY bucket) AS stretch FROM sided
), stretches AS (
    SELECT norad_id, law, usual, list(bucket) AS buckets, median(off) AS off, min(epoch) AS epoch,
        bool_or(manoeuvred) AS manoeuvred
    FROM in_a_row WHERE side <> 0 GROUP BY norad_id, law, usual, side, stretch
    HAVING count(*) >= {FEWEST_SETS}
), several AS (
    SELECT norad_id, law, len(buckets) AS sets, (
        SELECT count(DISTINCT event_id) FROM of_sets o
        WHERE o.norad_id = s.norad_id AND o.law = s.law AND o.bucket IN (SELECT unnest(s.buckets))
    ) AS encounters, off, usual, epoch, manoeuvred FROM stretches s
), standing_out AS (
    FROM several WHERE encounters >= {ENCOUNTERS_OF_SETS}
    UNION ALL
    SELECT norad_id, law, 1, encounters, off, usual, epoch, manoeuvred FROM sided
    WHERE encounters >= {FEWEST_ENCOUNTERS} AND abs(off) > {STANDS_OUT} * usual
)
FROM standing_out QUALIFY row_number() OVER (PARTITION BY norad_id ORDER BY abs(off) DESC, sets DESC) = 1
ORDER BY abs(off) / usual DESC, norad_id LIMIT {MOST_LISTED}"""  # noqa: S608 - numbers


@answer(norad_id=33591, error_law="leo", sets=1, encounters=7, in_track_sigmas=12.4, usual_sigmas=1.1)
class Suspect:
    """An object whose sets, or whose path, were other than its predictions said."""

    norad_id: int
    """Catalogue number."""
    error_law: str
    """The law of its errors."""
    sets: int
    """1: a single set was far off; else so many in a row were off to the same side."""
    encounters: int
    """Encounters predicted from these."""
    in_track_sigmas: float
    """Their median error in-track, in 1-sigma of the law: later sets have it ahead (+) or behind."""
    usual_sigmas: float
    """The same of other sets under the law, their median, 1 at least."""
    epoch: TimeText
    """Epoch of the first of them, UTC."""
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
        with file_reader() as connection:
            connection.execute(f"CREATE TEMP VIEW f AS {rows}")
            found = fetched_utc(connection.execute(_FOUND))
    return [_suspect(*row) for row in found]


def _suspect(
    norad_id: int,
    law: str,
    sets: int,
    encounters: int,
    off: float,
    usual: float,
    epoch: datetime,
    manoeuvred: bool,
) -> Suspect:
    side = "ahead of" if off > 0 else "behind"
    when = time_text(epoch, "minutes")
    which = f"set of {when}" if sets == 1 else f"{sets} sets from {when} on"
    why = "one of the objects has manoeuvred" if manoeuvred else "a bad set, or a burn after it"
    return Suspect(
        norad_id=norad_id,
        error_law=law,
        sets=sets,
        encounters=encounters,
        in_track_sigmas=off,
        usual_sigmas=usual,
        epoch=time_text(epoch, "seconds"),
        manoeuvred=manoeuvred,
        words=f"Object {norad_id} was {abs(off):.0f} sigmas {side} what its {which} said, in {encounters} "
        f"encounters (usual: {usual:.1f}): {why}.",
    )
