"""Ranges as help texts have them."""

import pytest

from screening.vocabulary import range_text


@pytest.mark.parametrize(
    ("allowed", "text"),
    [
        ((0.1, 720.0), "0.1 to 720"),
        ((200, 1_000_000), "200 to 1,000,000"),
        ((1, 999_999_999), "1 to 999,999,999"),
    ],
)
def test_no_number_is_rounded_or_hard_to_read(allowed: tuple[float, float], text: str) -> None:
    assert range_text(allowed) == text
