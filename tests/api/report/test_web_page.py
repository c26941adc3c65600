"""The web page of a report: whole in itself, well formed, and with nothing of a name taken for markup."""

import base64
import io
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from api.report.contents import Report
from api.report.digest import digest_of
from api.report.numbers import sections
from api.report.pictures.in_order import PICTURES
from api.report.pictures.verification import PICTURES as VERIFICATION_PICTURES
from api.report.web_page import write_digest, write_event
from api.settings import ApiSettings
from storage.in_memory.messages import Wanted, message_on
from storage.in_memory.snapshot import Snapshot
from storage.rows.marks import LEGEND
from tests.api.report.verified import EMPTY, VERIFIED, with_rows

_EMPTY = {"meta", "path", "use", "rect", "br"}


class Checked(HTMLParser):
    """Reads a page; every element that begins ends, and texts and addresses are kept."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.addresses: list[str] = []
        self.elements: list[str] = []
        self.ids: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag not in _EMPTY:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "action", "srcset"):
                self.addresses.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in _EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def page_of(report: Report) -> str:
    stream = io.StringIO()
    write_event(stream, report)
    return stream.getvalue()


@pytest.mark.slow
def test_it_is_one_file_that_asks_nobody(worst: Report) -> None:
    page = page_of(worst)
    checked = Checked(page)
    assert all(address.startswith(("#", "data:")) for address in checked.addresses)
    assert not {"script", "img", "link", "iframe", "object"} & set(checked.elements)
    assert re.findall(r"url\((?!#)", page) == []
    assert "@import" not in page
    for address in checked.addresses:
        assert address.startswith("data:") or address[1:] in checked.ids, address
    assert len(page) < 1_000_000


@pytest.mark.slow
def test_it_has_every_picture_and_every_number(reports: list[Report], bare: Report) -> None:
    for report in [*reports[:3], reports[-1], bare]:
        page = page_of(report)
        checked = Checked(page)
        assert checked.elements.count("svg") == len(PICTURES)
        for svg in re.findall(r"<svg .*?</svg>", page, re.DOTALL):
            root = ElementTree.fromstring(svg)
            assert root.get("role") == "img"
            assert root.get("aria-label") in PICTURES
            assert root.get("viewBox")
            assert root.get("width") is None
        text = " ".join(checked.texts)
        for row in (row for section in sections(report) for row in section.rows):
            for part in (row.label, *row.values, row.meaning):
                assert part.strip() in text
        for notice in report.notices:
            assert notice.partition(": ")[2] in text


@pytest.mark.slow
def test_pictures_do_not_borrow_each_others_parts(worst: Report) -> None:
    # Names inside one picture that another one uses differently would clip the wrong curve.
    page = page_of(worst)
    parts: dict[str, set[str]] = {}
    for svg in re.findall(r"<svg .*?</svg>", page, re.DOTALL):
        for element in ElementTree.fromstring(svg).iter():
            if name := element.get("id"):
                parts.setdefault(name, set()).add(ElementTree.tostring(element, encoding="unicode").strip())
    assert parts
    assert {name: texts for name, texts in parts.items() if len(texts) > 1} == {}


@pytest.mark.slow
def test_a_name_is_no_markup(worst: Report) -> None:
    primary = worst.event.primary._replace(name="<script>alert('&')</script>")
    page = page_of(worst._replace(event=worst.event._replace(primary=primary)))
    assert "script" not in Checked(page).elements
    assert "&lt;script&gt;" in page


@pytest.mark.slow
def test_a_digest_links_its_list_to_its_events(
    snapshot: Snapshot, settings: ApiSettings, reports: list[Report]
) -> None:
    digest = digest_of(snapshot, "critical", 3, settings, reports[0].made_at)
    shown = [report for report in reports if report.event.id in {event.id for event in digest.events}]
    stream = io.StringIO()
    write_digest(stream, digest, shown)
    checked = Checked(stream.getvalue())
    assert checked.elements.count("article") == 3
    for event in digest.events:
        assert f"#event-{event.id}" in checked.addresses
        assert f"event-{event.id}" in checked.ids
    assert f"the first 3 of {digest.total}" in " ".join(checked.texts)
    # Radii of the made-up run are those of types.
    assert LEGEND in " ".join(checked.texts)


@pytest.mark.parametrize("level", ["high", "critical"])
def test_a_digest_of_nothing_says_so(
    level: str, snapshot: Snapshot, settings: ApiSettings, worst: Report
) -> None:
    digest = digest_of(snapshot, level, 3, settings, worst.made_at)._replace(entries=[], total=0)
    stream = io.StringIO()
    write_digest(stream, digest, [])
    assert "There are none." in Checked(stream.getvalue()).texts


def test_a_digest_says_how_forecasts_did_once_some_are_judged(
    snapshot: Snapshot, settings: ApiSettings, worst: Report
) -> None:
    digest = digest_of(snapshot, "high", 3, settings, worst.made_at)._replace(entries=[])
    pages = []
    for forecasts in (EMPTY, VERIFIED, with_rows(regions=[])):
        stream = io.StringIO()
        write_digest(stream, digest._replace(forecasts=forecasts), [])
        pages.append(Checked(stream.getvalue()))
    unjudged, judged, calm = pages
    assert "How our forecasts did" not in unjudged.texts
    assert "svg" not in unjudged.elements
    for page in (judged, calm):
        assert {"How our forecasts did", *VERIFIED.words} <= set(page.texts)
    assert judged.elements.count("svg") == 1
    assert VERIFICATION_PICTURES["regions"].reading in judged.texts
    assert "svg" not in calm.elements
    assert VERIFICATION_PICTURES["regions"].missing in calm.texts


@pytest.mark.slow
def test_the_page_holds_the_event_as_messages(worst: Report, snapshot: Snapshot) -> None:
    links = re.findall(r'<a download="([^"]+)" href="data:[^;]+;base64,([^"]+)">(\w+)</a>', page_of(worst))
    assert [form for _, _, form in links] == ["KVN", "XML", "JSON"]
    for name, data, form in links:
        expected = message_on(snapshot, worst.event.id, Wanted(form.lower()))
        assert expected is not None
        assert (name, base64.b64decode(data).decode()) == (expected.name, expected.text)


@pytest.mark.slow
def test_an_event_without_states_has_no_messages(worst: Report) -> None:
    assert "conjunction data message:" not in page_of(worst._replace(messages=()))
