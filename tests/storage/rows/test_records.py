"""Rated conjunctions come back from the table as they went in."""

from datetime import UTC, datetime

import numpy as np

from screening.risk.conjunctions import CONJUNCTION_DTYPE
from storage.rows.records import conjunction_table, conjunctions_of, names_of
from tests.made_up_run import make_conjunctions, make_elements


def test_every_field_comes_back() -> None:
    elements = make_elements(30)
    records = make_conjunctions(elements, 400)
    at = datetime(2026, 11, 21, 6, tzinfo=UTC)
    table = conjunction_table(
        records, np.arange(400), names_of(elements), run_id="20261121T060000Z", origin="run", computed_at=at
    )
    back = conjunctions_of(table)
    for name in CONJUNCTION_DTYPE.names or ():
        np.testing.assert_array_equal(back[name], records[name], name)
    assert len(conjunctions_of(table.slice(0, 0))) == 0
