"""People among the credentials: found again by issuer and subject, whatever else changes."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.state.credentials import LONGEST_NAME, RefusedCredential, list_credentials, revoke_credential
from storage.state.database import read_records
from storage.state.records import CREDENTIALS
from storage.state.whose.organisations import add_organisation
from storage.state.whose.people import Person, credential_of_person

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
ADA = Person("https://id.example.org", "ada", "Ada Example", "viewer", 1)


def test_one_row_follows_what_the_provider_says(store: Path) -> None:
    first = credential_of_person(store, ADA, NOW)
    assert credential_of_person(store, ADA, NOW) == first
    alpha = add_organisation(store, "Alpha")
    moved = ADA._replace(name="Ada Other", role="admin", organisation_id=alpha.id)
    changed = credential_of_person(store, moved, NOW)
    assert (changed.id, changed.name) == (first.id, "Ada Other (ada)")
    assert (changed.role, changed.organisation_id, changed.objects) == ("admin", alpha.id, ())
    assert not changed.may_state_path_of(25544)
    assert read_records(store, CREDENTIALS, "") == [changed]  # and its checksum is right


def test_the_same_name_elsewhere_is_somebody_else(store: Path) -> None:
    others = (ADA, ADA._replace(issuer="https://id.example.com"), ADA._replace(subject="ada2"))
    assert len({credential_of_person(store, one, NOW).id for one in others}) == 3


def test_a_revoked_person_stays_out(store: Path) -> None:
    number = credential_of_person(store, ADA, NOW).id
    revoke_credential(store, number, NOW)
    with pytest.raises(RefusedCredential, match=f"Credential {number} is revoked"):
        credential_of_person(store, ADA._replace(role="admin"), NOW)
    assert [(one.role, one.revoked) for one in list_credentials(store)] == [("viewer", NOW)]


@pytest.mark.parametrize(
    ("name", "subject", "shown"),
    [
        ("", "ada", "ada"),
        ("Ada\n\x1b[31m", "a\tda", "Ada[31m (ada)"),
        ("N" * 200, "s" * 255, f"{'N' * 36}… ({'s' * 59}…)"),
    ],
)
def test_names_fit_into_a_line(name: str, subject: str, shown: str) -> None:
    person = ADA._replace(name=name, subject=subject)
    assert person.shown == shown
    assert len(person.shown) <= LONGEST_NAME
