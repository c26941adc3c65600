"""What `objects show` prints."""

import math

from storage.reading.object_body import ObjectBody
from storage.shell import output
from storage.state.object_facts import StoredFacts
from storage.times import time_text
from storage.vocabulary import HARD_BODY_WORDS

# A picture of how large an object is, beside a person, in characters.

PERSON_M = 1.8
_ROWS = 15
_WIDTH_OF_A_CELL = 0.5  # in its heights


def size_picture(radius_m: float, around_m: float) -> list[str]:
    """Return lines with a disk of a radius, the circle around all of the body, and a person, to scale.

    `#` fills the disk, `.` what of the circle is outside it; the person stands to the right.
    """
    around_m = max(radius_m, around_m)
    row_m = max(PERSON_M, 2.0 * around_m) / _ROWS
    rows = max(1, round(2.0 * around_m / row_m))
    columns = max(1, round(2.0 * around_m / (row_m * _WIDTH_OF_A_CELL)))
    person = _person(max(1, round(PERSON_M / row_m)))
    lines = []
    for row in range(_ROWS):
        from_bottom = _ROWS - row
        disk = " " * columns
        if from_bottom <= rows:
            up_m = (from_bottom - 0.5 - rows / 2.0) * row_m
            centre, column_m = (columns - 1) / 2.0, row_m * _WIDTH_OF_A_CELL
            distances_m = [math.hypot(up_m, (column - centre) * column_m) for column in range(columns)]
            disk = "".join("#" if d <= radius_m else "." if d <= around_m else " " for d in distances_m)
        stands = person[from_bottom - 1] if from_bottom <= len(person) else ""
        lines.append(f"  {disk}   {stands}".rstrip())
    return [line for line in lines if line]


def _person(rows: int) -> list[str]:
    """Return a person of this many rows, from the feet up."""
    if rows < 3:  # no room for limbs
        return ["i"] * rows
    legs = rows // 2
    trunk = [" | "] * (rows - legs - 2) + ["/|\\"]
    return ["/ \\"] * legs + trunk + [" o "]


BODY_SOURCE_WORDS = {
    "gcat": "GCAT, J. McDowell, CC BY 4.0",
    "series": "published data of its series",
    "stages": "GCAT, from stages of its type, CC BY 4.0",
}
Line = tuple[str, str]


def print_object(norad_id: int, facts: StoredFacts, body: ObjectBody | None, *, as_json: bool) -> None:
    """Print the facts about an object, the sources, and how large it is beside a person."""
    if as_json:
        output.print_json({"norad_id": norad_id, **facts._asdict(), "body": body and body._asdict()})
        return
    name = body.name if body and body.name else ""
    lines = [
        ("Object", f"{norad_id} {name}".rstrip()),
        *_body_lines(body or ObjectBody()),
        *_fact_lines(facts),
    ]
    if len(lines) == 1:
        lines.append(("", "nothing is stored; type and radius follow from the name"))
    for label, text in lines:
        print(f"{label:<14}{text}")  # noqa: T201 - this is what was asked for
    radius_m = facts.override_radius_m or (body and (body.hard_body_radius_m or body.radius_m))
    if radius_m:
        around_m = (body and body.bounding_radius_m) or radius_m
        around = f", . {around_m:.3g} m around all of it" if around_m > radius_m else ""
        print("", *size_picture(radius_m, around_m), sep="\n")  # noqa: T201
        print(f"  # {radius_m:.3g} m radius{around}; beside a person of {PERSON_M:g} m")  # noqa: T201


def _body_lines(body: ObjectBody) -> list[Line]:
    lines = []
    if body.body_name:
        lines.append(("Known as", body.body_name))
    if body.owner or body.state:
        lines.append(("Owner", ", ".join(filter(None, (body.owner, body.state)))))
    if body.status is not None:
        lines.append(("In use", {"active": "yes", "inactive": "no"}.get(body.status, "not known")))
    if body.can_manoeuvre is not None:
        can = {"unknown": "not known"}.get(body.can_manoeuvre, body.can_manoeuvre)
        lines.append(("Manoeuvres", f"{can}: {body.can_manoeuvre_reason}"))
    if body.hard_body_radius_m is not None:
        source = HARD_BODY_WORDS.get(body.hard_body_source or "", "source not known")
        lines.append(("Radius", f"{body.hard_body_radius_m:.3g} m in the newest run: {source}"))
    if body.radius_m is not None:
        around = f", {body.bounding_radius_m:.3g} m around all of it" if body.bounding_radius_m else ""
        lines.append(("Body", f"{body.radius_m:.3g} m by its mean shadow{around}"))
        lines.append(("", BODY_SOURCE_WORDS.get(body.body_source or "", "")))
    if body.mass_kg is not None:
        lines.append(("Mass", f"{body.mass_kg:,.4g} kg"))
    return lines


def _fact_lines(facts: StoredFacts) -> list[Line]:
    lines: list[Line] = []
    if at := facts.satcat_imported_at:
        lines += [("Type", facts.object_type or "not known"), ("SATCAT says", facts.status or "nothing")]
        if facts.rcs_m2 is not None:
            lines.append(("Cross-section", f"{facts.rcs_m2:g} m2, by radar"))
        if facts.docked_to is not None:
            lines.append(("Docked to", str(facts.docked_to)))
        lines.append(("", f"imported {time_text(at, 'seconds')} from {facts.satcat_source}"))
    if at := facts.table_imported_at:
        lines.append(("CARA's table", f"{facts.table_radius_m:g} m ({facts.table_estimate})"))
        lines.append(("", f"imported {time_text(at, 'seconds')} from {facts.table_source}"))
    if at := facts.override_set_at:
        when = time_text(at, "seconds")
        lines.append(("Override", f"{facts.override_radius_m:g} m, set {when}; overrides all files"))
    return lines
