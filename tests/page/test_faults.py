"""What the page shows when something fails, and that it disappears when all is well again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

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
    "view", ["Globe", *(pytest.param(name, marks=pytest.mark.slow) for name in ("Events", "Proximities"))]
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
    forgive(desk)


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
