"""Names of objects that a catalogue does not name."""

import numpy as np

from storage.bodies.table import shipped_bodies
from storage.writing.objects_table import named
from tests.made_up_run import make_elements


def test_what_the_catalogue_does_not_name_has_its_published_name_or_a_number() -> None:
    elements = make_elements(5)
    elements["norad_id"] = [39634, 44714, 300_000_001, 25544, 5]
    elements["name"] = ["", "", "", "", "MINE"]
    found = named(elements, shipped_bodies())
    assert found["name"].tolist() == [
        "SENTINEL-1A",
        "STARLINK V1.0-L1-02",
        "OBJECT 300000001",
        "ISS (ZARYA)",
        "MINE",
    ]
    assert elements["name"][0] == ""  # the caller's sets stay
    for field in set(elements.dtype.names) - {"name"}:
        np.testing.assert_array_equal(found[field], elements[field], field)
    whole = found.copy()
    assert named(whole, shipped_bodies()) is whole
