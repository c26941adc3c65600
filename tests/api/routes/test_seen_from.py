"""One event as seen from either of its objects, in every answer about it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from screening.orbits.reference.local_axes import rtn_axes
from tests.api.client import Client
from tests.api.conftest import serving

MISS = ("miss_radial_m", "miss_in_track_m", "miss_cross_track_m")
FORMS = ("", "/geometry", "/trend", "/report?format=html", "/cdm", "/calendar.ics")


@pytest.fixture(scope="module")
def client(store_with_run: Path) -> Iterator[Client]:
    with serving(store_with_run) as client:
        yield client


@pytest.fixture(scope="module")
def event(client: Client) -> dict[str, Any]:
    (one,) = client.get("/conjunctions?limit=1").json()["conjunctions"]
    return dict(one)


def seen(client: Client, event: dict[str, Any], form: str = "") -> Any:
    asked = f"{'&' if '?' in form else '?'}from={event['secondary_norad_id']}"
    answer = client.get(f"/conjunctions/{event['id']}{form}{asked}")
    assert answer.status_code == 200, answer.text
    return answer


def states(event: dict[str, Any], who: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(
        [[event[f"{who}_{name}"] for name in ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")]]
    )


def test_the_event_and_its_history_are_seen_from_there(client: Client, event: dict[str, Any]) -> None:
    turned = seen(client, event).json()
    own, other = states(event, "secondary"), states(event, "primary")
    expected_m = rtn_axes(own[:, :3], own[:, 3:])[0] @ (other - own)[0, :3] * 1e3
    one_millimetre = 1e-3
    for one in (turned, *turned["history"]):
        assert one["primary_norad_id"] == event["secondary_norad_id"]
        np.testing.assert_allclose([one[name] for name in MISS], expected_m, atol=one_millimetre)
    # Two that meet in orbits of much the same height see each other the other way up.
    assert np.sign(turned["miss_radial_m"]) == -np.sign(event["miss_radial_m"])


@pytest.mark.slow
def test_geometry_trend_and_report_agree(client: Client, event: dict[str, Any]) -> None:
    turned = seen(client, event).json()
    miss = [turned[name] for name in MISS]
    geometry = seen(client, event, "/geometry").json()
    assert geometry["objects"]["primary"]["norad_id"] == event["secondary_norad_id"]
    one_millimetre = 1e-3
    np.testing.assert_allclose(geometry["encounter_rtn"]["secondary_m"], miss, atol=one_millimetre)
    for point in seen(client, event, "/trend").json()["points"]:
        np.testing.assert_allclose([point[name] for name in MISS], miss, atol=one_millimetre)
    page = seen(client, event, "/report?format=html").text
    assert page.index(turned["primary_name"]) < page.index(turned["secondary_name"])


def test_the_message_has_it_as_object1(client: Client, event: dict[str, Any]) -> None:
    turned = seen(client, event).json()
    said = [line.partition("=")[::2] for line in seen(client, event, "/cdm").text.splitlines()]
    designators = [value.strip() for name, value in said if name.strip() == "OBJECT_DESIGNATOR"]
    assert [int(one) for one in designators] == [event["secondary_norad_id"], event["primary_norad_id"]]
    relative_m = [
        float(value.split("[")[0]) for name, value in said if name.strip().startswith("RELATIVE_POSITION_")
    ]
    one_millimetre = 1e-3
    np.testing.assert_allclose(relative_m, [turned[name] for name in MISS], atol=one_millimetre)


@pytest.mark.slow
def test_the_calendar_names_it_first(client: Client, event: dict[str, Any]) -> None:
    text = seen(client, event, "/calendar.ics").text.replace("\r\n ", "")
    (summary,) = re.findall("SUMMARY:(.*)", text)
    assert summary.index(event["secondary_name"].strip()) < summary.index(event["primary_name"].strip())


@pytest.mark.parametrize("form", FORMS)
def test_an_object_that_is_neither_is_refused(client: Client, event: dict[str, Any], form: str) -> None:
    asked = f"{'&' if '?' in form else '?'}from=1"
    answer = client.get(f"/conjunctions/{event['id']}{form}{asked}")
    assert answer.status_code == 422, answer.text
    assert "1 is not part of this event" in answer.json()["detail"]
