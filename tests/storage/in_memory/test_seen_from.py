"""An event as seen from either of its objects."""

import numpy as np
import pytest

from storage.in_memory.seen_from import NotOfTheEvent, seen_from

# Along x, flying along y: radial is x, in-track y, cross-track z.
PRIMARY = {"x_km": 7000.0, "y_km": 0.0, "z_km": 0.0, "vx_km_s": 0.0, "vy_km_s": 7.5, "vz_km_s": 0.0}
# 0.3 km above it, flying along z: its own in-track is z, and its cross-track is -y.
SECONDARY = {"x_km": 7000.3, "y_km": 0.1, "z_km": 0.2, "vx_km_s": 0.0, "vy_km_s": 0.0, "vz_km_s": 7.5}
EVENT: dict[str, object] = {
    "id": 1,
    "primary_norad_id": 5,
    "secondary_norad_id": 9,
    **{f"primary_{name}": value for name, value in PRIMARY.items()},
    **{f"secondary_{name}": value for name, value in SECONDARY.items()},
    "primary_sigma_t_m": 1.0,
    "secondary_sigma_t_m": 2.0,
    "miss_radial_m": 300.0,
    "miss_in_track_m": 100.0,
    "miss_cross_track_m": 200.0,
    "miss_distance_m": 374.2,
}


def test_the_other_object_sees_the_miss_along_its_own_axes() -> None:
    event = seen_from(EVENT, 9)
    one_metre = 1.0  # the radial directions of the two differ by 3e-5
    miss = [event[f"miss_{axis}_m"] for axis in ("radial", "in_track", "cross_track")]
    np.testing.assert_allclose(np.array(miss, float), [-300.0, -200.0, 100.0], atol=one_metre)
    assert (event["primary_norad_id"], event["secondary_norad_id"]) == (9, 5)
    assert (event["primary_sigma_t_m"], event["secondary_sigma_t_m"]) == (2.0, 1.0)
    assert event["miss_distance_m"] == EVENT["miss_distance_m"]
    assert event.keys() == EVENT.keys()


@pytest.mark.parametrize("norad_id", [None, 5])
def test_its_primary_sees_it_as_stored(norad_id: int | None) -> None:
    assert seen_from(EVENT, norad_id) == EVENT


def test_without_states_the_components_are_not_known() -> None:
    event = seen_from(EVENT | {"secondary_x_km": None}, 9)
    assert [event[f"miss_{axis}_m"] for axis in ("radial", "in_track", "cross_track")] == [None] * 3


def test_an_object_that_is_not_of_the_event_is_refused() -> None:
    with pytest.raises(NotOfTheEvent, match="7 is not part of this event: it is between 5 and 9"):
        seen_from(EVENT, 7)
