"""What if: who burns, and the burn taken away as path and as message."""

from datetime import timedelta
from typing import Any

import httpx
from playwright.sync_api import Locator, expect

from storage.times import parse_time
from tests.page.browsing import Visit
from tests.page.what_if import answered, at_what_if


def test_a_burn_has_its_utc_and_its_path_can_be_taken_away(
    panel: Locator, desk: Visit, planted: dict[str, Any]
) -> None:
    panel.get_by_label("Before TCA, h").fill("0.25")
    at = parse_time(planted["tca"]) - timedelta(hours=0.25)
    expect(panel.locator("[data-part=burn-at]")).to_have_text(f"Burn at {at:%Y-%m-%d %H:%M:%S} UTC")
    panel.get_by_role("button", name="Check this burn against everything").click()
    expect(panel.locator(".verdict .note").first).to_contain_text(f"at {at:%Y-%m-%d %H:%M:%S} UTC")
    with desk.page.expect_download() as saved:
        panel.get_by_role("button", name="Save the path with the burn (OEM)").click()
    size = float(panel.get_by_label("Along the track, m/s").input_value())
    name = f"{planted['primary_norad_id']}_burn_{at:%Y%m%dT%H%M}Z_{size:g}mps"
    assert saved.value.suggested_filename == f"{name}.oem"
    text = saved.value.path().read_text()
    assert text.startswith("CCSDS_OEM_VERS")
    assert f"Hypothetical: after a burn at {at:%Y-%m-%dT%H:%M:%S}" in text
    opm = panel.get_by_role("button", name="Save the burn (OPM)")
    opm.click()
    expect(panel.get_by_label("Mass, kg")).to_be_focused()  # a message with burns must have it
    panel.get_by_label("Mass, kg").fill("260")
    with desk.page.expect_download() as saved:
        opm.click()
    text = saved.value.path().read_text()
    assert saved.value.suggested_filename == f"{name}.opm"
    assert text.startswith("CCSDS_OPM_VERS")
    assert f"MAN_EPOCH_IGNITION   = {at:%Y-%m-%dT%H:%M:%S}" in text


def test_a_checked_burn_is_kept_as_a_hypothetical_trajectory(
    panel: Locator, ask: httpx.Client, planted: dict[str, Any]
) -> None:
    panel.get_by_label("Before TCA, h").fill("0.25")
    panel.get_by_role("button", name="Check this burn against everything").click()
    command = panel.locator(".what-if-command").inner_text()
    panel.get_by_role("button", name="Save as a hypothetical trajectory").click()
    said = panel.get_by_role("status").filter(has_text="Kept as trajectory")
    expect(said).to_contain_text("skysieve analyze --trajectory")
    (kept,) = ask.get("/trajectories?kind=hypothetical").raise_for_status().json()["trajectories"]
    assert kept["norad_id"] == planted["primary_norad_id"]
    expect(said).to_contain_text(kept["id"])
    at = parse_time(planted["tca"]) - timedelta(hours=0.25)
    assert f"--burn {at:%Y-%m-%dT%H:%M:%S}" in command
    name = f"{planted['primary_norad_id']}_burn_{at:%Y%m%dT%H%M}Z_"
    assert f"skysieve trajectories add {name}" in command
    assert ".oem --kind hypothetical" in command


def test_before_the_check_the_files_are_there_with_the_reason_why_not(panel: Locator) -> None:
    for name in ("Save the path with the burn (OEM)", "Save the burn (OPM)"):
        expect(panel.get_by_role("button", name=name)).to_be_disabled()
    expect(panel.locator("[data-part=no-files]")).to_contain_text("Check a burn against everything first")


def test_a_plan_of_several_burns_can_be_taken_away(
    panel: Locator, desk: Visit, planted: dict[str, Any], searched: dict[str, Any]
) -> None:
    verified = searched["search"]["candidates"][0]
    burns = [verified["burns"][0], verified["burns"][0] | {"at": planted["tca"], "dv_t_m_s": -0.01}]
    body = searched | {"search": None, "burns": verified | {"burns": burns}}
    desk.page.route(f"**/conjunctions/{planted['id']}/manoeuvres", answered(body), times=1)
    panel.get_by_role("button", name="Check this burn against everything").click()
    with desk.page.expect_download() as saved:
        panel.get_by_role("button", name="Save the path with the burn (OEM)").click()
    metadata = saved.value.path().read_text().split("META_START")[1:]
    assert [one.count("Hypothetical: after a burn at") for one in metadata] == [0, 1, 2]


def test_who_burns_is_chosen_by_the_service(desk: Visit, planted: dict[str, Any]) -> None:
    page = at_what_if(desk, planted)
    region = page.get_by_role("region", name="What if")
    expect(region.get_by_label("Who burns")).to_have_value("")
    region.get_by_text("More: ").click()
    with page.expect_request("**/manoeuvres*") as asked:
        region.get_by_role("button", name="Check this burn against everything").click()
    assert "object" not in asked.value.post_data_json
    expect(region.locator(".verdict")).to_be_visible()
    expect(region.get_by_label("Who burns")).to_have_value("primary")  # the other is debris
