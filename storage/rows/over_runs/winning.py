"""Which row of an event counts where it has several, in SQL and for tables in memory.

A second look, on operators' ephemerides, beats all others; a row with a covariance one without; then the
newer wins.
"""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from storage.vocabulary import SECOND_LOOK

DECIDED_BY = (
    *("event_id", "origin", "primary_covariance_source", "secondary_covariance_source"),
    "computed_at",
)
# The order of an event's rows, the one that counts first.
WINNER_FIRST = (
    f"origin <> '{SECOND_LOOK}', "
    "primary_covariance_source IS NULL AND secondary_covariance_source IS NULL, computed_at DESC"
)


def wins(rows: pa.Table) -> npt.NDArray[np.bool_]:
    """Return which rows (n,) of a table with the columns DECIDED_BY count: of each event one.

    Of equal rows it is the first.
    """
    unscored = pc.and_(*(pc.is_null(rows[f"{who}_covariance_source"]) for who in ("primary", "secondary")))
    ids, computed_at = rows["event_id"].to_numpy(), rows["computed_at"].to_numpy().astype(np.int64)
    other = pc.not_equal(rows["origin"].cast(pa.string()), SECOND_LOOK)
    order = np.lexsort((-computed_at, unscored.to_numpy(), other.to_numpy(), ids))
    winners = np.zeros(len(order), np.bool_)
    winners[order[np.diff(ids[order], prepend=-1) != 0]] = True
    return winners
