"""The contact of an object's operator as the lines of a message."""

import re

from screening.risk.messages.written.lines import Line

_E_MAIL = re.compile(r"[^@\s]+@[^@\s]+")
_PHONE = re.compile(r"(?:tel\.?:? ?)?(\+?[0-9(][0-9 ()./-]{4,})", re.IGNORECASE)


def contact_lines(contact: str) -> list[Line]:
    """Return the lines of a contact, whose parts commas or semicolons separate; none if it is empty.

    An e-mail address and a telephone number have keywords of their own; all other parts are the organisation
    (CCSDS 508.0-B-1, table 3-3).
    """
    found: dict[str, list[str]] = {"OPERATOR_ORGANIZATION": [], "OPERATOR_PHONE": [], "OPERATOR_EMAIL": []}
    for part in filter(None, map(str.strip, re.split("[,;]", contact))):
        if _E_MAIL.fullmatch(part):
            found["OPERATOR_EMAIL"].append(part)
        elif number := _PHONE.fullmatch(part):
            found["OPERATOR_PHONE"].append(number[1])
        else:
            found["OPERATOR_ORGANIZATION"].append(part)
    return [Line(keyword, ", ".join(parts)) for keyword, parts in found.items() if parts]
