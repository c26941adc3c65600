"""What the page shows when something fails, and that it disappears when all is well again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.browsing import Visit
from tests.page.test_sign_in import REFUSED, forgive

FIRST_ROW = ".rows .row[data-id]"


def forgive_a_stop(visited: Visit) -> None:
    forgive(visited, REFUSED)


def stop(page: Page) -> Callable[[], None]:
    """Let nothing of the service be reached any more; return what starts it again."""
    page.route("**/*", lambda route: route.abort("connectionrefused"))
    return lambda: page.unroute("**/*")


@pytest.mark.parametrize(
    "view", ["Proximities", *(pytest.param(name, marks=pytest.mark.slow) for name in ("Events", "Globe"))]
)
def test_a_view_that_was_not_loaded_yet_says_that_the_service_is_gone(desk: Visit, view: str) -> None:
    page = desk.open("run", ".run .facts")
    start = stop(page)
    page.get_by_role("link", name=view).click()
    expect(page.locator(".failure")).to_contain_text("The service cannot be reached")
    expect(page.locator("#main")).not_to_contain_text("TypeError")
    expect(page.locator(".banner.down")).to_be_visible()
    start()
    # By itself, and the banner goes.
    expect(page.locator(".failure")).to_have_count(0)
    expect(page.locator(".banner.down")).to_have_count(0)
    forgive_a_stop(desk)


def test_a_file_of_the_page_that_is_refused_causes_no_reload_until_asked_for(desk: Visit) -> None:
    """A proxy that refuses one file must not make the page reload again and again."""
    page = desk.open("run", ".run .facts")
    loads: list[str] = []
    page.on("request", lambda request: loads.append(request.url) if request.is_navigation_request() else None)
    page.route("**/assets/*.js", lambda route: route.abort("connectionrefused"))
    with page.expect_response("**/runs/current"):  # the page looks whether the service is there: it is
        page.get_by_role("link", name="Events").click()
    expect(page.locator(".failure")).to_contain_text("The service cannot be reached")
    assert loads == []
    page.unroute("**/assets/*.js")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(FIRST_ROW)
    assert len(loads) == 1
    forgive_a_stop(desk)


@pytest.mark.slow
def test_a_list_that_could_not_be_loaded_is_loaded_when_the_service_is_back(desk: Visit) -> None:
    page = desk.open("events", FIRST_ROW)
    start = stop(page)
    page.get_by_role("button", name="TCA (UTC)").click()
    expect(page.locator(".notices [role=alert]")).to_contain_text("cannot be reached")
    expect(page.locator(".banner.down")).to_be_visible()
    start()
    page.wait_for_selector(FIRST_ROW)
    expect(page.locator(".notices [role=alert]")).to_have_count(0)
    expect(page.locator(".banner.down")).to_have_count(0)
    forgive_a_stop(desk)


def test_an_outage_far_down_the_list_loses_no_place(desk: Visit) -> None:
    page = desk.open("events?order=tca", FIRST_ROW)
    total = page.locator("h1 .total").inner_text()
    start = stop(page)
    page.evaluate("document.querySelector('.scroller').scrollTop = 42 * 450")
    expect(page.locator(".notices [role=alert]")).to_contain_text("cannot be reached")
    expect(page.locator("#row-451")).to_contain_text("452 …")
    start()
    expect(page.locator("#row-451[data-id]")).to_be_visible()
    expect(page.locator("h1 .total")).to_have_text(total)
    assert page.evaluate("document.querySelector('.scroller').scrollTop") == 42 * 450
    forgive_a_stop(desk)


def test_an_answer_that_breaks_off_is_no_mistake_of_the_page(desk: Visit) -> None:
    desk.page.add_init_script(
        "Response.prototype.arrayBuffer = () => Promise.reject(new TypeError('network'))"
    )
    page = desk.open("globe", ".stage-note")
    expect(page.locator(".stage-note")).to_contain_text("cannot be reached")
    expect(page.locator(".stage-note")).not_to_contain_text("TypeError")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("from=yesterday", "tca_from"),
        ("risk=extreme", "risk_level"),
        ("norad=ISS", "norad_id"),
        ("order=luck", "order"),
    ],
)
def test_a_link_that_cannot_be_followed_shows_no_rows_of_another(
    desk: Visit, address: str, said: str
) -> None:
    page = desk.open("events?risk=medium", FIRST_ROW)
    page.evaluate(f"location.hash = '#/events?{address}'")
    expect(page.locator(".notices [role=alert]")).to_contain_text(said)
    expect(page.locator(".rows .row")).to_have_count(0)
    page.evaluate("location.hash = '#/events?risk=medium'")
    page.wait_for_selector(FIRST_ROW)
    forgive(desk)


@pytest.mark.parametrize("number", ["999999999", "nonsense"])
def test_an_unknown_object_has_no_card_of_events(desk: Visit, number: str) -> None:
    page = desk.open(f"globe?object={number}", ".card")
    expect(page.locator(".card [role=status]")).to_contain_text(f"has no object {number}")
    expect(page.locator(".card .form-message")).to_have_count(0)  # nothing went wrong
    expect(page.locator(".card .elsewhere a")).to_have_count(3 if number.isdecimal() else 0)
    expect(page.locator(".card")).not_to_contain_text("most dangerous first")


def test_a_list_of_an_object_that_is_not_there_says_so(desk: Visit) -> None:
    page = desk.open("events?norad=999999999", ".notices .empty")
    expect(page.locator(".chosen")).to_contain_text("Not in this run: 999999999")
    card = page.get_by_role("region", name="Chosen object")
    expect(card).to_contain_text("has no object 999999999: it may have decayed")
    expect(card.get_by_role("link", name="SATCAT")).to_be_visible()  # which says when it decayed
    expect(page.locator(".notices")).to_contain_text("No event matches")
    page.get_by_role("button", name="Clear the filters").click()
    page.wait_for_selector(FIRST_ROW)


def test_a_service_that_stops_while_it_answers_is_no_mistake_of_the_page(desk: Visit) -> None:
    """A regression test: an answer cut short came as "TypeError", or as one that is not JSON."""
    cut = "Response.prototype.text = Response.prototype.json = () => Promise.reject(new TypeError('network'))"
    page = desk.open("fleets", "[data-list=fleets] :is(table, .empty)")
    page.evaluate(f"() => {{ {cut} }}")
    for view in ("Events", "Proximities", "Fleets"):
        page.get_by_role("link", name=view, exact=True).click()
        expect(page.locator("#main [role=alert]").first).to_contain_text("cannot be reached")
        expect(page.locator("body")).not_to_contain_text("TypeError")
    page.get_by_role("button", name="Sign out").click()


@pytest.mark.slow
def test_what_is_being_typed_outlives_an_outage(desk: Visit) -> None:
    """A regression test: once the service was back, the view was made anew, and a half-filled form lost."""
    page = desk.open("events", FIRST_ROW)
    page.get_by_role("link", name="Fleets", exact=True).click()
    page.get_by_role("button", name="New fleet…").click()
    page.get_by_label("Name", exact=True).fill("mine")
    start = stop(page)
    page.evaluate("dispatchEvent(new Event('skysieve:unreachable'))")
    expect(page.locator(".banner.down")).to_be_visible()
    start()
    expect(page.locator(".banner.down")).to_have_count(0)
    expect(page.get_by_label("Name", exact=True)).to_have_value("mine")
    forgive_a_stop(desk)


def test_a_form_that_was_refused_in_an_outage_keeps_what_was_typed(desk: Visit) -> None:
    """A regression test: the message in the form counted as a view that had failed, which was made anew."""
    page = desk.open("fleets", "[data-list=fleets] :is(table, .empty)")
    page.get_by_role("button", name="New fleet…").click()
    page.get_by_label("Name", exact=True).fill("mine")
    start = stop(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("cannot be reached")
    start()
    expect(page.locator(".banner.down")).to_have_count(0)
    expect(page.get_by_label("Name", exact=True)).to_have_value("mine")
    forgive_a_stop(desk)


def test_rows_of_former_filters_open_nothing(desk: Visit) -> None:
    """While the answer to new ones is awaited, what is still drawn is marked, and dead."""
    held: list[Route] = []
    page = desk.open("events?risk=medium", FIRST_ROW)
    page.route("**/conjunctions?*", lambda route: held.append(route))
    page.get_by_label("low", exact=True).check(force=True)
    page.wait_for_url("**low**")
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-busy", "true")
    grid.focus()
    page.keyboard.press("Enter")
    assert "/#/events" in page.url
    page.unroute("**/conjunctions?*")  # what was held goes on
    expect(grid).not_to_have_attribute("aria-busy", "true")
    page.wait_for_selector(FIRST_ROW)


def test_an_address_that_changes_while_its_view_is_loaded_makes_one_view(desk: Visit) -> None:
    """A regression test: both were made, and the first one went on for ever."""
    page = desk.open("run", ".run .facts")
    held: list[Route] = []
    lists: list[str] = []
    page.route("**/assets/*.js", lambda route: held.append(route))
    page.on("request", lambda asked: lists.append(asked.url) if "/conjunctions?" in asked.url else None)
    with page.expect_request("**/assets/*.js"):
        page.evaluate("location.hash = '#/events'")
    page.evaluate("location.hash = '#/events?risk=high'")
    page.unroute("**/assets/*.js")  # what was held goes on
    page.wait_for_selector(FIRST_ROW)
    assert ["risk_level=high" in url for url in lists] == [True]


def test_what_is_typed_does_not_count_once_the_list_is_left(desk: Visit) -> None:
    """A regression test: the event opened meanwhile stood under the address of the list."""
    page = desk.page
    page.clock.install()
    desk.open("events", FIRST_ROW)
    page.get_by_label("Miss at most, m").fill("500")
    page.locator("#row-0 .c-miss").click()
    page.wait_for_url("**/#/event/*")
    page.clock.run_for(2000)
    page.wait_for_selector(".figures .plane")
    assert "miss=500" not in page.url


@pytest.mark.parametrize("address", ["event/abc", "fleet/abc", "event/", "nowhere"])
def test_an_address_of_nothing_leads_on(desk: Visit, address: str) -> None:
    page = desk.open(address, ".failure")
    expect(page.get_by_role("link", name="All events")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_fleet_that_is_not_there_is_said_once(desk: Visit) -> None:
    page = desk.open("fleet/99", ".failure")
    expect(page.locator(".failure:visible")).to_have_count(1)
    expect(page.get_by_role("region", name="Alerts")).to_be_hidden()
    desk.complaints[:] = [text for text in desk.complaints if "Failed to load resource" not in text]
