"""Fleets, alerts, deliveries and feeds managed on the page: secrets shown once, refusals in words."""

import re

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.page.browsing import Served, Visit
from tests.page.fleet_answers import FleetAnswers, time_text
from tests.page.test_fleets_view import READY, serious


def test_what_is_written_stays_when_the_credential_is_refused(
    desk: Visit, served: Served, answers: FleetAnswers
) -> None:
    """Regression: saving with a revoked credential replaced the page, dialog and all, by the sign-in view."""
    page = desk.open("fleet/7", READY)
    page.get_by_role("button", name="Change…").click()
    form = page.locator("dialog.wide")
    form.get_by_label("Name", exact=True).fill("renamed")
    refused = {"title": "A valid credential is needed", "detail": "The credential was revoked."}
    page.route("**/fleets/7", lambda route: route.fulfill(status=401, json=refused), times=1)
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("Correct it, or save again")
    form.get_by_role("button", name="Save").click()
    again = page.get_by_role("dialog", name="Sign in again")
    expect(again).to_contain_text("The credential was revoked. What you have written is still here")
    again.get_by_label("Access token").fill(served.token)
    again.get_by_role("button", name="Sign in").click()
    expect(again).to_have_count(0)
    expect(form.get_by_label("Name", exact=True)).to_have_value("renamed")
    form.get_by_role("button", name="Save").click()
    expect(form).to_be_hidden()
    assert [one[2]["name"] for one in answers.sent if one[0] == "PATCH"] == ["renamed"]
    desk.complaints.clear()  # the refusal, which the browser notes


def test_an_alert_is_made_and_its_secret_shown_once(desk: Visit, answers: FleetAnswers) -> None:
    page = desk.open("fleet/7", READY)
    alerts = page.get_by_role("region", name="Alerts")
    expect(alerts).to_contain_text("No alerts yet.")
    alerts.get_by_text("New alert").click()
    alerts.get_by_label("To", exact=True).fill("https://hooks.example.org/sky")
    alerts.get_by_label("Or nearer than, m").fill("250")
    alerts.get_by_label("Probability at least").fill("1e-6")
    alerts.get_by_label("Collect changes for, h").fill("6")
    alerts.get_by_label("A message every day, even if nothing is coming").check()
    alerts.get_by_label("A message when an object manoeuvres").check()
    alerts.get_by_role("button", name="Add alert").click()
    expect(alerts.locator(".once .secret")).to_have_value("whsec_c2VjcmV0")
    method, path, given, headers = answers.sent[-1]
    assert (method, path, headers["x-requested-with"]) == ("POST", "/alerts", "skysieve")
    assert given == {
        "fleet_id": 7,
        "channel": "webhook",
        "address": "https://hooks.example.org/sky",
        "level": "high",
        "near_m": 250,
        "min_probability": 1e-6,
        "digest_hours": 6,
        "daily": True,
        "manoeuvres": True,
        "acknowledgements": True,  # as a webhook's are by default
    }
    line = alerts.locator("[data-alert='1']")
    expect(line).to_contain_text(
        "high or worse by probability, or nearer than 250 m; probability at least 1.0 × 10⁻⁶; together every "
        "6 h; and once a day; manoeuvres too"
    )
    desk.screenshot("fleet-alert")
    page.reload()
    page.wait_for_selector("[data-alert='1']")
    assert page.locator(".once").count() == 0
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-alert='1']").get_by_role("button", name="Remove").click()
    expect(alerts).to_contain_text("No alerts yet.")
    assert answers.sent[-1][:2] == ("DELETE", "/alerts/1")


def test_an_alert_says_what_stands_in_its_way(desk: Visit, answers: FleetAnswers) -> None:
    """An alert by e-mail waited for ever: no mail server, nothing that delivers, and no word of either."""
    page = desk.open("fleet/7", READY)
    alerts = page.get_by_role("region", name="Alerts")
    alerts.get_by_text("New alert").click()
    alerts.get_by_label("To", exact=True).fill("ops@example.org")
    expect(alerts.get_by_label("By", exact=True)).to_have_value("email")
    expect(
        alerts.get_by_label("A message when a person takes an event on, or lets it go")
    ).not_to_be_checked()
    assert alerts.locator(".flag").count() == 0
    answers.means = {"mail_server": False, "last_delivering": time_text(-5)}
    alerts.get_by_role("button", name="Add alert").click()
    line = alerts.locator("[data-alert='1']")
    expect(line).to_contain_text("E-mail ops@example.org")
    expect(line.locator("[data-obstacle=mail]")).to_contain_text("cannot send e-mail yet")
    expect(alerts.locator("[data-obstacle=delivering]")).to_contain_text("Nothing delivers messages since")
    assert page.locator(".once").count() == 0
    answers.means = {"mail_server": False, "last_delivering": None}
    desk.page.route("**/runs/current", historic)
    page.reload()
    expect(alerts.locator("[data-obstacle=delivering]")).to_contain_text("nothing ever has")
    expect(alerts.locator("[data-obstacle=historic]")).to_contain_text("its runs send no notifications")
    alerts.get_by_text("New alert").click()
    expect(alerts.locator(".new-alert .flag")).to_contain_text("SKYSIEVE_SMTP_HOST")


def historic(route: Route) -> None:
    """Let the newest run be historic."""
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "historic": True})


@pytest.mark.slow
def test_deliveries_are_shown_and_sent_again(desk: Visit, answers: FleetAnswers) -> None:
    answers.alerts = [answers.alert(1, off_since=time_text(-1), off_reason="410 Gone", waiting=2)]
    attempt = {"at": time_text(-1), "status": 503, "error": ""}
    common = {"kind": "conjunctions", "created": time_text(-2), "due": time_text(1), "finished": None}
    answers.deliveries = [
        common | {"id": "msg_a", "state": "failed", "attempts": [attempt] * 3},
        common | {"id": "msg_b", "state": "delivered", "attempts": [attempt | {"status": 204}]},
    ]
    page = desk.open("fleet/7", "[data-alert='1']")
    line = page.locator("[data-alert='1']")
    expect(line).to_contain_text("410 Gone")
    expect(line).to_contain_text("2 waiting")
    line.get_by_role("button", name="Deliveries").click()
    expect(line.locator("[data-delivery=msg_a]")).to_contain_text("3 status 503")
    assert line.locator("[data-delivery=msg_b]").get_by_role("button").count() == 0
    line.get_by_role("button", name="Send again").click()
    line.get_by_role("button", name="Send a test").click()
    expect(line.get_by_role("button", name="Send a test")).to_be_enabled()
    assert [one[:2] for one in answers.sent] == [
        ("POST", "/deliveries/msg_a/retry"),
        ("POST", "/alerts/1/test"),
    ]
    assert serious(page) == []


def test_addresses_of_feeds_are_shown_once_copied_and_revoked(desk: Visit, answers: FleetAnswers) -> None:
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = desk.open("fleet/7", READY)
    feeds = page.get_by_role("region", name="Calendar and feed")
    feeds.get_by_role("button", name="Make an address").click()
    calendar = feeds.get_by_label("Calendar", exact=True)
    expect(calendar).to_have_value("https://sky.example.org/fleets/7/calendar.ics?key=k")
    assert feeds.locator("[data-part=local]").count() == 0
    feeds.get_by_label("Level at least").select_option("medium")
    feeds.get_by_label("Calendar reminds").select_option("1 h before")
    expect(calendar).to_have_value(
        "https://sky.example.org/fleets/7/calendar.ics?key=k&level=medium&alarm_minutes=60"
    )
    feeds.get_by_label("Or nearer than, m").fill("")
    expect(calendar).to_have_value(re.compile("key=k&level=medium&near_m=none&alarm_minutes=60$"))
    feeds.get_by_label("Or nearer than, m").fill("500")
    feeds.get_by_label("Level at least").select_option("high")
    feeds.get_by_role("button", name="Copy: Atom feed").click()
    expect(feeds.get_by_role("button", name="Copy: Atom feed")).to_have_text("Copied")
    assert (
        page.evaluate("navigator.clipboard.readText()") == "https://sky.example.org/fleets/7/feed.atom?key=k"
    )
    page.on("dialog", lambda dialog: dialog.accept())
    feeds.get_by_role("button", name="Revoke").click()
    expect(feeds.locator("[data-list=feeds]")).to_contain_text("No address")
    assert answers.sent[-1][:2] == ("DELETE", "/fleets/7/feeds/1")
    assert page.locator(".once").count() == 0


@pytest.mark.slow
def test_a_list_kept_in_this_browser_becomes_a_fleet(desk: Visit, answers: FleetAnswers) -> None:
    desk.page.goto(desk.url)
    desk.page.evaluate("localStorage.setItem('skysieve-fleet', '25544 48274')")
    page = desk.open("fleets", "[data-list=fleets] table")
    page.get_by_role("button", name="Make a fleet of them…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Catalogue numbers")).to_have_value("25544\n48274")
    dialog.get_by_label("Catalogue numbers").fill("25544, 48274; ISS")
    expect(dialog).to_contain_text("2 numbers; not numbers, left out: ISS")
    dialog.get_by_label("Name", exact=True).fill("stations")
    dialog.get_by_label("Look ahead, h").fill("72")
    expect(dialog.locator(".names")).to_contain_text("25544, 48274 are not in the newest catalogue.")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text(
        "25544, 48274 are not in the newest catalogue. Correct"
    )
    assert answers.sent == []
    dialog.get_by_role("button", name="Save").click()
    page.wait_for_selector(READY)
    assert page.url.endswith("#/fleet/7")
    method, path, given, _ = answers.sent[-1]
    assert (method, path) == ("POST", "/fleets")
    assert given == {
        "name": "stations",
        "norad_ids": [25544, 48274],
        "objects": [],
        "name_pattern": "",
        "volume": "handbook",
        "hours": 72,
        "radius": "shadow",
        "contact": "",
        "manoeuvre_class": "unknown",
    }
    assert page.evaluate("localStorage.getItem('skysieve-fleet')") is None


def test_satellites_are_chosen_by_name_and_volumes_in_km(
    desk: Visit, answers: FleetAnswers, ask: httpx.Client
) -> None:
    known = ask.get("/objects").json()["objects"][0]
    page = desk.open("fleets", "[data-list=fleets] table")
    page.get_by_role("button", name="New fleet…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("by name")
    dialog.get_by_label("Find by name").fill(known["name"])
    dialog.get_by_label("Find by name").press("Enter")
    expect(dialog.get_by_label("Catalogue numbers")).to_have_value(str(known["norad_id"]))
    expect(dialog.locator(".names")).to_have_text(known["name"])
    expect(dialog.locator(".volume-field .help")).to_contain_text("0.4 km radial")
    dialog.get_by_label("Volume around each").select_option("A box")
    dialog.get_by_label("Radial, km").fill("1.5")
    expect(dialog.locator(".volume-field .help")).to_contain_text(
        "box of ±1.5 km radial, ±25 km in-track, ±25 km cross-track"
    )
    dialog.get_by_role("button", name="Save").click()
    page.wait_for_selector(READY)
    given = answers.sent[-1][2]
    assert (given["norad_ids"], given["volume"]) == ([known["norad_id"]], "box:1.5x25x25")


def test_a_fleet_has_a_hard_body_radius_and_a_manoeuvre_class(desk: Visit, answers: FleetAnswers) -> None:
    """Operators want the sphere around their satellites, which the run does not assume."""
    answers.fleet["radius"] = "12.5"
    answers.events[0]["fleet_hard_body_radius_m"] = 14.0
    page = desk.open("fleet/7", READY)
    expect(page.locator("main")).to_contain_text("hard-body radius 12.5 m each")
    expect(page.locator("main")).to_contain_text("avoid others: by themselves")
    row = "tr[data-event='{}']"
    expect(page.locator(row.format(answers.events[0]["id"]))).to_contain_text("at 14.0 m")
    expect(page.locator(row.format(answers.events[1]["id"]))).not_to_contain_text("at 14.0 m")
    page.get_by_role("button", name="Change…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Radius, m", exact=True)).to_have_value("12.5")
    dialog.get_by_label("Hard-body radius of each").select_option("bounding")
    expect(dialog.get_by_label("How they avoid others")).to_have_value("automated")
    dialog.get_by_label("How they avoid others").select_option("crewed")
    expect(dialog.get_by_label("Radius, m", exact=True)).to_be_hidden()
    save = dialog.get_by_role("button", name="Save")
    save.click()
    expect(dialog.get_by_role("alert")).to_contain_text("not in the newest catalogue")
    save.click()
    expect(dialog).to_have_count(0)
    assert answers.sent[-1][2]["radius"] == "bounding"
    assert answers.sent[-1][2]["manoeuvre_class"] == "crewed"
    assert serious(page) == []


def test_the_list_says_how_each_fleet_stands(desk: Visit, answers: FleetAnswers) -> None:
    answers.alerts = [answers.alert(1)]
    answers.outside = [answers.events[0] | {"id": 900, "probability_level": "medium"}]
    page = desk.open("fleets", "[data-fleet='7']")
    row = page.locator("[data-fleet='7']")
    expect(row).to_contain_text(f"critical{len(answers.events)} events, 1 new")
    expect(row).to_contain_text("medium1 more")
    expect(row).to_contain_text("1 on")
    expect(row).to_contain_text("1 not in the catalogue")
    answers.changes.update(run_id=None)
    page.reload()
    expect(row).to_contain_text("not searched yet")
    assert serious(page) == []


@pytest.mark.slow
def test_changing_a_fleet_keeps_volumes_of_single_satellites(desk: Visit, answers: FleetAnswers) -> None:
    own = {"norad_id": 40_000, "volume": "sphere:3", "hours": None}
    answers.fleet["objects"][0] = own
    page = desk.open("fleet/7", READY)
    page.get_by_role("button", name="Change…").click()
    page.get_by_role("dialog").get_by_label("Contact").fill("desk@example.org")
    save = page.get_by_role("dialog").get_by_role("button", name="Save")
    save.click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("not in the newest catalogue")
    save.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    method, path, given, headers = answers.sent[-1]
    assert (method, path, headers["x-requested-with"]) == ("PATCH", "/fleets/7", "skysieve")
    assert given["objects"] == [own]
    assert 40_000 not in given["norad_ids"]
    assert len(given["norad_ids"]) == len(answers.satellites) - 1
    assert given["contact"] == "desk@example.org"


def test_a_refusal_is_shown_in_the_service_s_words(desk: Visit, answers: FleetAnswers) -> None:
    problem = '{"title": "The request is not valid", "detail": "A fleet named mine already exists."}'
    desk.page.route(
        "**/fleets",
        lambda route: route.fulfill(status=422, body=problem, content_type="application/problem+json"),
    )
    page = desk.open("fleets", "[data-list=fleets] table")
    page.get_by_role("button", name="New fleet…").click()
    page.get_by_role("dialog").get_by_label("Name", exact=True).fill("mine")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text("A fleet named mine already exists.")
    desk.complaints.clear()  # the browser notes the refusal


def test_a_fleet_that_failed_is_loaded_again(desk: Visit, answers: FleetAnswers) -> None:
    """A regression test: "Try again" waited for the answer that had failed already."""
    desk.page.route(
        "**/fleets/7", lambda route: route.fulfill(status=503, json={"title": "The service is busy"}), times=1
    )
    page = desk.open("fleet/7", ".failure")
    expect(page.get_by_role("region", name="Alerts")).to_be_hidden()
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(READY)
    expect(page.get_by_role("region", name="Alerts")).to_be_visible()
    desk.complaints[:] = [text for text in desk.complaints if "Failed to load resource" not in text]
