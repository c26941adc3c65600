"""The contact of an operator in messages: which of its parts stands under which keyword of 508.0-B-1."""

import pytest

from screening.risk.messages.written.one_object import contact_lines

ORGANISATION, PHONE, MAIL = "OPERATOR_ORGANIZATION", "OPERATOR_PHONE", "OPERATOR_EMAIL"


@pytest.mark.parametrize(
    ("contact", "lines"),
    [
        ("", {}),
        (" , ;", {}),
        ("Example Space", {ORGANISATION: "Example Space"}),
        ("ops@example.org", {MAIL: "ops@example.org"}),
        (
            "Example Space, Flight Dynamics; flight@example.org, +49 30 123456",
            {
                ORGANISATION: "Example Space, Flight Dynamics",
                PHONE: "+49 30 123456",
                MAIL: "flight@example.org",
            },
        ),
        ("Tel. (030) 12-34.56, a@b.org;c@d.org", {PHONE: "(030) 12-34.56", MAIL: "a@b.org, c@d.org"}),
        ("112", {ORGANISATION: "112"}),  # too short for the number of somebody elsewhere
        ("Team 7 at a@b", {ORGANISATION: "Team 7 at a@b"}),
        ("運用室", {ORGANISATION: "運用室"}),
    ],
)
def test_the_parts_of_a_contact(contact: str, lines: dict[str, str]) -> None:
    found = contact_lines(contact)
    assert {line.keyword: line.value for line in found} == lines
    assert all(line.unit == "" for line in found)
