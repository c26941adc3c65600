"""The inbox: files dropped, chosen and pasted, what became of each, and messages beside our events."""

import base64
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, JSHandle, Locator, Page, Route, expect

from storage.state.credentials import create_credential
from tests.page.browsing import Served, Visit, visit
from tests.page.serving import service
from tests.page.test_every_view import AXE, PHONE

CDM = "cdm/000020580_conj_000002017_20230613_001923_20230608_063715.cdm"
PAST = "HST and DIAMANT R/B"
MEME = "meme/MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt.gz"
WRONG = "ndm/cdm/CDM-missing-TCA.txt"
ISS = "ndm/oem/ISS.resampled.truncated.txt"


@pytest.fixture(scope="module")
def inbox_store(synthetic_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a copy of the store, into which messages may come."""
    return Path(shutil.copytree(synthetic_store, tmp_path_factory.mktemp("inbox") / "store"))


@pytest.fixture(scope="module")
def visitor(inbox_store: Path) -> str:
    """Return a token that may only read."""
    made = create_credential(inbox_store, "bearer", "visitor", datetime.now(UTC), role="viewer")
    return made.secret


@pytest.fixture(scope="module")
def inbox(inbox_store: Path, visitor: str) -> Iterator[Served]:
    assert visitor, "made before the service reads the credentials"
    made = create_credential(inbox_store, "bearer", "operations desk", datetime.now(UTC), per_minute=100_000)
    with service(inbox_store) as url:
        yield Served(url, made.secret)


@pytest.fixture(scope="module")
def client(inbox: Served) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {inbox.token}"}
    with httpx.Client(base_url=inbox.url, headers=headers, timeout=120) as asking:
        yield asking


@pytest.fixture
def desk(browser: Browser, inbox: Served) -> Iterator[Visit]:
    with visit(browser, inbox) as visited:
        yield visited


@pytest.fixture(scope="module")
def worst(client: httpx.Client) -> dict[str, Any]:
    """Return our most dangerous event."""
    found: dict[str, Any] = client.get("/conjunctions?limit=1").json()["conjunctions"][0]
    return found


def own_message(client: httpx.Client, event: dict[str, Any], sender: str) -> str:
    """Return the message that we would send about an event, as if from another."""
    text = client.get(f"/conjunctions/{event['id']}/cdm").raise_for_status().text
    return re.sub(r"(ORIGINATOR *= ).*", rf"\g<1>{sender}", text)


def transferred(page: Page, *files: tuple[str, bytes]) -> JSHandle:
    """Return files as a browser has them while they are dragged."""
    given = [{"name": name, "data": base64.b64encode(data).decode()} for name, data in files]
    return page.evaluate_handle(
        """files => {
            const all = new DataTransfer();
            for (const {name, data} of files)
                all.items.add(new File([Uint8Array.from(atob(data), c => c.charCodeAt(0))], name));
            return all;
        }""",
        given,
    )


def drop(page: Page, *files: tuple[str, bytes]) -> None:
    """Drop files onto the view, as a file manager does."""
    transfer = transferred(page, *files)
    page.locator(".drop").dispatch_event("dragover", {"dataTransfer": transfer})
    expect(page.locator(".inbox.dropping")).to_be_visible()
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": transfer})


def expected(desk: Visit, complaint: str) -> None:
    """Leave out what the browser says of an answer that the test provokes."""
    desk.complaints[:] = [one for one in desk.complaints if complaint not in one]


def of_file(page: Page, name: str) -> Locator:
    return page.locator(f"[data-file='{name}']").last


def test_real_files_are_told_apart_and_shown_at_once(desk: Visit, shared_file: Callable[[str], Path]) -> None:
    page = desk.open("messages", ".inbox .empty, .encounter-card")
    paths = [shared_file(name) for name in (CDM, MEME, WRONG)]
    drop(page, *((path.name, path.read_bytes()) for path in paths), ("noise.cdm", bytes(range(256)) * 40))
    taken, meme, wrong, noise = (of_file(page, name) for name in (*(p.name for p in paths), "noise.cdm"))
    expect(taken).to_contain_text(f"Message from CARA: {PAST}, TCA 2023-06-13 00:19:23 Z; no run has")
    expect(meme).to_contain_text("Ephemeris of STARLINK-2729 (48430)")
    expect(meme).to_contain_text("4,321 states, 4,321 covariances")
    expect(meme).to_contain_text("Restricted: the terms of its source forbid sharing it.")
    expect(wrong.locator(".form-message")).to_contain_text("TCA of the message is missing")
    expect(wrong.locator("pre")).to_contain_text("line 5")
    expect(noise.locator(".form-message")).to_contain_text(
        "neither a conjunction data message nor an ephemeris"
    )
    expect(page.locator(".hand-in [role=status]").first).to_have_text("Done: 4 files.")
    card = page.locator(".encounter-card", has_text=PAST)
    expect(card).to_contain_text("no run has it: its TCA is before the newest run's window")
    expect(card.locator("[data-field=miss_in_track_m]")).to_have_text("12,298")
    drop(page, (paths[0].name, paths[0].read_bytes()))
    expect(of_file(page, paths[0].name)).to_contain_text("1 message the store had already: kept once.")
    expect(page.locator(".encounter-card", has_text=PAST)).to_have_count(1)
    desk.screenshot("inbox")
    card.get_by_role("link", name=PAST).click()
    page.wait_for_selector(".figures .plane")
    expect(page.locator(".event-head")).to_contain_text("in no run: reported by a received message")
    first = page.get_by_role("region", name="Messages about it").first
    expect(first.locator("[data-message]")).to_have_count(1)
    expected(desk, "422")


def test_a_file_dropped_anywhere_is_read_by_messages(desk: Visit, shared_file: Callable[[str], Path]) -> None:
    """The browser opened the file in the place of the page."""
    page = desk.open("overview", ".news")
    path = shared_file(CDM)
    transfer = transferred(page, (path.name, path.read_bytes()))
    over = page.locator("#main").evaluate(
        "(at, data) => at.dispatchEvent(new DragEvent('dragover', "
        "{dataTransfer: data, bubbles: true, cancelable: true}))",
        transfer,
    )
    assert over is False, "the browser does not take it"
    page.locator("#main").dispatch_event("drop", {"dataTransfer": transfer})
    expect(page).to_have_url(re.compile("#/messages"))
    # Alone the message is new; after the test before the store has it.
    expect(of_file(page, path.name)).to_contain_text(
        re.compile("Message from CARA|1 message the store had already")
    )
    page.locator("header").first.dispatch_event("drop", {"dataTransfer": transfer})  # beside the view
    expect(page.locator(f"[data-file='{path.name}']")).to_have_count(2)


def test_a_pasted_message_stands_beside_our_event_and_leads_it(
    desk: Visit, client: httpx.Client, worst: dict[str, Any]
) -> None:
    page = desk.open("messages", ".hand-in")
    text = own_message(client, worst, "PASTED")
    page.get_by_label("Or paste a message").fill(text)
    page.get_by_role("button", name="Read it").press("Enter")
    expect(of_file(page, "pasted text")).to_contain_text("a run has this encounter")
    card = page.locator(f"[data-encounter='{worst['id']}']")
    expect(card.locator(".ours")).to_have_count(1)
    expect(card.locator("[data-field=sigmas_apart]")).to_have_text("0.0")
    expect(card).to_contain_text("0.0 sigmas of both covariances apart: they agree within their errors")
    page.get_by_label("Sender").select_option("PASTED")
    expect(page.locator(".encounter-card")).to_have_count(1)
    assert "originator=PASTED" in page.url
    page.get_by_label("Objects").fill("999999")
    expect(page.locator("[data-part=encounters]")).to_have_text("No message matches.")
    page.get_by_label("Objects").fill(str(worst["primary_norad_id"]))
    expect(card).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    assert page.evaluate("document.querySelector('#main').scrollWidth") <= 390
    desk.screenshot("inbox-phone")
    card.locator("h2 a").click()
    page.wait_for_selector(".figures .plane")
    after_heading = page.locator(".event-head + *")
    expect(after_heading).to_have_attribute("aria-label", "Messages about it")
    expect(after_heading).to_contain_text("PASTED: 0.0 sigmas of both covariances apart")
    told = client.get(f"/conjunctions/{worst['id']}").json()
    expect(after_heading.locator(".trust")).to_have_text(told["side_by_side"]["words"])
    after_heading.get_by_text("All senders side by side").click()
    rows = after_heading.locator(".side-by-side tbody tr")
    expect(rows).to_have_count(len(told["side_by_side"]["rows"]))
    apart = rows.first.locator("[data-field=sigmas_apart]")
    expect(apart).to_have_count(
        sum(one is not None for one in told["side_by_side"]["rows"][0]["sigmas_apart"])
    )
    for one in told["origins"]:
        expect(after_heading.locator(f"[data-origin='{one['name']}']")).to_have_text(one["words"])
    assert page.evaluate("document.querySelector('#main').scrollWidth") <= 390
    desk.screenshot("side-by-side-phone")
    page.set_viewport_size({"width": 1280, "height": 1200})
    desk.screenshot("side-by-side")


def test_half_a_message_is_refused_with_its_line(
    desk: Visit, client: httpx.Client, worst: dict[str, Any]
) -> None:
    page = desk.open("messages", ".hand-in")
    text = own_message(client, worst, "HALF")
    lines = text.splitlines(keepends=True)
    drop(page, ("half.cdm", "".join(lines[: len(lines) // 2]).encode()))
    refused = of_file(page, "half.cdm")
    expect(refused.locator(".form-message")).to_contain_text("perhaps the text is cut off")
    expect(refused.locator("pre")).to_contain_text("line ")
    expect(refused.get_by_role("button")).to_have_count(0)  # the same again would be refused again
    expected(desk, "422")


def test_an_ephemeris_says_what_it_replaces_and_counts_only_when_told_to(
    desk: Visit, client: httpx.Client, worst: dict[str, Any]
) -> None:
    number = worst["primary_norad_id"]
    oem = client.get(f"/objects/{number}/ephemeris", params={"hours": 6}).raise_for_status().content
    page = desk.open("messages", ".hand-in")
    drop(page, ("path.txt", oem))
    told = of_file(page, "path.txt")
    expect(told).to_contain_text(re.compile(r"runs use it until .* in place of the element set of 20"))
    expect(told).to_contain_text("0.0 km away at its beginning")
    assert client.get("/trajectories").json()["total"] == 0
    told.get_by_role("button", name="Discard").click()
    expect(told).to_contain_text("Not kept.")
    drop(page, ("path.txt", oem))
    of_file(page, "path.txt").get_by_role("button", name="Let it count").click()
    expect(of_file(page, "path.txt")).to_contain_text("It counts from the next run on.")
    (kept,) = client.get("/trajectories").json()["trajectories"]
    assert (kept["norad_id"], kept["kind"], kept["added_by"]) == (number, "definitive", "default")
    drop(page, ("later.txt", oem))
    expect(of_file(page, "later.txt")).to_contain_text("It would come before path.txt")


def test_an_ephemeris_of_another_path_may_not_count(
    desk: Visit, client: httpx.Client, worst: dict[str, Any]
) -> None:
    number, other = worst["primary_norad_id"], worst["secondary_norad_id"]
    oem = client.get(f"/objects/{number}/ephemeris", params={"hours": 6}).raise_for_status().text
    wrong = oem.replace(str(number), str(other)).encode()
    page = desk.open("messages", ".hand-in")
    drop(page, ("wrong.oem", wrong))
    told = of_file(page, "wrong.oem")
    expect(told).to_contain_text("It cannot count: ")
    expect(told.get_by_role("button", name="Let it count")).to_be_disabled()
    expect(told.get_by_role("button", name="Only for questions")).to_be_enabled()


def test_the_service_away_in_the_middle_loses_no_file(
    desk: Visit, client: httpx.Client, worst: dict[str, Any]
) -> None:
    text = own_message(client, worst, "AFTER THE OUTAGE").encode()
    page = desk.open("messages", ".hand-in")
    page.route("**/inbox?source=*", lambda route: route.abort(), times=1)
    drop(page, ("first.cdm", text), ("second.cdm", text))
    first = of_file(page, "first.cdm")
    expect(first.locator(".form-message")).to_contain_text("The service cannot be reached")
    expect(of_file(page, "second.cdm")).to_contain_text("Message from AFTER THE OUTAGE")
    first.get_by_role("button", name="Try again").click()
    expect(first).to_contain_text("1 message the store had already")
    expected(desk, "ERR_FAILED")


def test_many_files_wait_when_the_service_asks_to(
    desk: Visit, client: httpx.Client, worst: dict[str, Any]
) -> None:
    text = own_message(client, worst, "SLOWLY").encode()
    page = desk.open("messages", ".hand-in")

    def later(route: Route) -> None:
        body = '{"title": "Too many requests", "detail": "later", "status": 429}'
        route.fulfill(status=429, headers={"Retry-After": "1"}, body=body)

    page.route("**/inbox?source=*", later, times=1)
    drop(page, ("slowly.cdm", text))
    expect(of_file(page, "slowly.cdm")).to_contain_text("Message from SLOWLY")
    expected(desk, "429")


def test_a_file_that_is_too_large_is_not_sent(desk: Visit) -> None:
    page = desk.open("messages", ".hand-in")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    drop(page, ("large.oem", b" " * (33 * 1024**2)))
    expect(of_file(page, "large.oem").locator(".form-message")).to_have_text(
        "It has 33.0 MB; at most 32 MB are read."
    )
    assert asked == []


def test_who_may_only_read_hands_nothing_in(browser: Browser, inbox: Served, visitor: str) -> None:
    with visit(browser, Served(inbox.url, visitor)) as visited:
        page = visited.open("messages", ".hand-in")
        expect(page.get_by_label("Drop files here, or choose them")).to_be_disabled()
        expect(page.get_by_role("button", name="Read it")).to_be_disabled()
        expect(page.locator("[data-part=only-reads]")).to_be_visible()
        refused = page.evaluate(
            """async () => (await fetch("inbox?source=a", {method: "POST", body: "a", headers: {
                "X-Requested-With": "skysieve", "Content-Type": "application/octet-stream"}})).status"""
        )
        assert refused == 403
        expected(visited, "403")


def test_an_ephemeris_of_the_past_says_that_it_is_over(
    desk: Visit, shared_file: Callable[[str], Path]
) -> None:
    path = shared_file(ISS)
    page = desk.open("messages", ".hand-in")
    page.get_by_label("Drop files here, or choose them").set_input_files(path)
    told = of_file(page, path.name)
    expect(told.locator(".form-message")).to_contain_text("does not state the catalogue number")
    told.get_by_label("Catalogue number").fill("25544")
    told.get_by_role("button", name="Read again").click()
    expected(desk, "422")
    expect(told).to_contain_text("It ended on 2022-01-18 12:00: if it counts, only runs of")
