"""What if: a checked burn is kept as a plan, followed in the service's words, and dropped."""

from typing import Any

import httpx
from playwright.sync_api import Locator, expect

from tests.page.browsing import Visit


def test_a_burn_is_kept_as_a_plan_and_dropped(
    panel: Locator, desk: Visit, ask: httpx.Client, planted: dict[str, Any]
) -> None:
    address = f"/conjunctions/{planted['id']}/plans"
    panel.get_by_label("Before TCA, h").fill("0.25")
    panel.get_by_role("button", name="Check this burn against everything").click()
    panel.get_by_role("button", name="Keep this plan").click()
    plan = panel.locator("[data-plan]")
    expect(plan).to_have_count(1)
    (one,) = ask.get(address).raise_for_status().json()["plans"]
    assert one["plan"]["made_by"] == "operations desk"
    expect(plan.locator("strong")).to_have_text(one["plan"]["words"])
    # The time that is left goes on: only the verdict before it stays.
    expect(plan.locator(".plan-words")).to_contain_text(one["words"].split(" The burn is in")[0])
    assert plan.get_attribute("data-state") == one["state"]
    expect(plan.locator("tbody tr")).to_have_count(len(one["points"]))
    trend = ask.get(f"/conjunctions/{planted['id']}/trend").raise_for_status().json()
    (burn,) = trend["planned"]
    assert (burn["at"], burn["norad_id"]) == (one["plan"]["burns"][0]["at"], one["plan"]["norad_id"])
    plan.get_by_role("button", name="Drop this plan").click()
    expect(plan).to_have_count(0)
    assert ask.get(address).json() == {"plans": []}
