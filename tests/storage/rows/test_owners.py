"""Which objects are an owner's, by its abbreviation in GCAT."""

import pytest

from screening.errors import UsageError
from storage.rows.owners import owner_words

KNOWN = ["SES", "SESA", "SESS", "SESS/SESSAN", "NRO/NRL", "NRL", "MOM/VNIEM?", "IRIDS"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("SES", ["SES"]),
        (" ses ", ["SES"]),
        ("SESS", ["SESS", "SESS/SESSAN"]),
        ("nrl", ["NRO/NRL", "NRL"]),
        ("NRO/NRL", ["NRO/NRL"]),
        ("vniem", ["MOM/VNIEM?"]),
    ],
)
def test_whole_words_count_whatever_their_case(wanted: str, expected: list[str]) -> None:
    assert owner_words(wanted, KNOWN) == expected


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ("SE", "no owner 'SE': did you mean SES, SESA or SESS?"),
        ("IRID", "no owner 'IRID': did you mean IRIDS?"),
        ("IRDIS", "did you mean IRIDS?"),
        ("", "no owner ''"),
        ("W" * 500, "no owner 'WWWW"),
    ],
)
def test_an_unknown_owner_is_refused_with_those_that_are_near(wanted: str, says: str) -> None:
    with pytest.raises(UsageError, match="no owner") as refused:
        owner_words(wanted, KNOWN)
    assert says in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_store_that_knows_no_owner_says_so() -> None:
    with pytest.raises(UsageError, match="no owner for any object"):
        owner_words("SES", [])
