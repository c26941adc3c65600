"""Events that only messages tell, stored as rows of analyses."""

import json
from datetime import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa

from screening.risk.messages.as_conjunction import as_conjunction
from screening.risk.messages.score import score_message
from storage.disk.layout import write_parquet
from storage.rows.records import Names, conjunction_table
from tests.screening.risk.message_texts import SUMMARY, Parts, kvn, parts, read_messages, without_covariance

FULL, SUMMARISED, BARE, RESTRICTED = 11, 12, 13, 14  # ids of the events below


def at_noon(day: datetime, tca: datetime, number: int) -> Parts:
    """Return a full message with states and covariances, of two objects of its own."""
    header, *objects = parts()
    header |= {"TCA": f"{tca:%Y-%m-%dT%H:%M:%S.%f}", "CREATION_DATE": f"{day:%Y-%m-%dT%H:%M:%S.%f}"}
    for i, one in enumerate(objects):
        one["OBJECT_DESIGNATOR"] = str(800_000_000 + 10 * number + i)
    return [header, *objects]


def summary(day: datetime, tca: datetime, number: int, **changed: str) -> str:
    """Return a summary as Space-Track's, which has no states."""
    row = SUMMARY | {"CREATED": f"{day:%Y-%m-%d %H:%M:%S.%f}", "TCA": f"{tca:%Y-%m-%dT%H:%M:%S.%f}"}
    ids = {f"SAT_{i + 1}_ID": str(800_000_000 + 10 * number + i) for i in (0, 1)}
    return json.dumps([row | ids | changed])


def told_row(text: str, event_id: int, run_id: str, origin: str, computed_at: datetime) -> pa.Table:
    """Return the row that a message makes."""
    (message,) = read_messages(text)
    score = score_message(message, message.hard_body_radius_m, samples=0, seed=1)
    row = as_conjunction(message, score)
    sides = sorted(
        (int(row[f"{who}_norad_id"][0]), getattr(message, who).name) for who in ("primary", "secondary")
    )
    names = Names(np.array([number for number, _ in sides]), pa.array([name for _, name in sides]))
    return conjunction_table(
        row, np.array([event_id]), names, run_id=run_id, origin=origin, computed_at=computed_at
    )


def tell(store: Path, run_id: str, computed_at: datetime, tca: datetime) -> None:
    """Store four events of messages: full, summary, without covariances, restricted summary."""
    full, bare = (kvn(at_noon(computed_at, tca, number)) for number in (1, 3))
    rows = [
        (full, FULL, "message"),
        (summary(computed_at, tca, 2), SUMMARISED, "message"),
        (without_covariance(bare, 1, 2), BARE, "message"),
        (summary(computed_at, tca, 4, PC="0.02"), RESTRICTED, "restricted_message"),
    ]
    for origin in ("message", "restricted_message"):
        tables = [
            told_row(text, number, run_id, of, computed_at) for text, number, of in rows if of == origin
        ]
        write_parquet(pa.concat_tables(tables), store / "analyses" / f"{origin}.parquet")
