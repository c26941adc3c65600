"""What several tests of answers ask about."""

from pathlib import Path

import pytest

from tests.runs import busiest_object


@pytest.fixture(scope="module")
def busiest(store_with_run: Path) -> int:
    """Give the object with the most fast events in the run, which is the secondary of one of them."""
    return busiest_object(store_with_run)
