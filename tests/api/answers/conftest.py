"""What several tests of answers ask about."""

from pathlib import Path

import pytest

from storage.reading.newest_run import connect


@pytest.fixture(scope="module")
def busiest(store_with_run: Path) -> int:
    """Give the object with the most fast events in the run, which is the secondary of one of them."""
    with connect(store_with_run) as connection:
        (row,) = connection.execute(
            "WITH fast AS (FROM conjunctions WHERE encounter = 'fast') "
            "SELECT id FROM (SELECT primary_norad_id AS id FROM fast UNION ALL "
            "SELECT secondary_norad_id FROM fast) JOIN "
            "(SELECT DISTINCT secondary_norad_id AS id FROM fast) USING (id) "
            "GROUP BY id ORDER BY count(*) DESC, id LIMIT 1"
        ).fetchall()
    return int(row[0])
