"""A picture of how large an object is, beside a person, in characters."""

import math

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
