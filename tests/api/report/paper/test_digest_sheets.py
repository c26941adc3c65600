"""A digest on paper: few sheets, nothing over an edge or over something else, whatever is in it."""

import io
from itertools import repeat

import pypdf
import pytest
from matplotlib.backends.backend_pdf import PdfPages

from api.models.watched.fleets import Satellite
from api.report.contents import Report
from api.report.digest import Digest, Entry, OfFleet, Seen, digest_of
from api.report.digest_columns import cells, columns
from api.report.paper.digest_sheets import digest_pages
from api.report.paper.event_sheets import wide_sheet
from api.report.pictures.verification import PICTURES
from api.report.summary import in_short, sentences
from api.report.write import write_event_to
from api.settings import ApiSettings
from storage.in_memory.snapshot import Snapshot
from storage.rows.words.numbers import odds, probability
from storage.rows.words.whom import WhomOfBoth, of_fleet
from storage.verification.record import Verification
from tests.api.report.paper.overlaps import READABLE_PT, check
from tests.api.report.verified import VERIFIED, with_rows

HEADS = ("TCA", "(UTC)", "primary", "secondary", "age (h)", "miss (m)", "(km/s)", "radial (m)",
         "in-track (m)", "cross (m)", "encounter", "probability", "odds", "pieces", "both", "level",
         "near")  # fmt: skip
FORMULA = r"A $\frac$ x_{$ \ %"
LONG = "A VERY LONG NAME OF A SATELLITE WITH (PARENTHESES) AND MORE OF IT"


@pytest.fixture(scope="module")
def digest(snapshot: Snapshot, settings: ApiSettings, worst: Report) -> Digest:
    found = digest_of(snapshot, "critical", 100, settings, worst.made_at)
    assert found.total == len(found.entries) > 1
    return found


def written(digest: Digest, reports: list[Report]) -> pypdf.PdfReader:
    drawn = io.BytesIO()
    with PdfPages(drawn) as pdf:
        for page in digest_pages(digest, reports):
            pdf.savefig(page)
    return pypdf.PdfReader(drawn)


def of_digest(digest: Digest, reports: list[Report]) -> list[Report]:
    by_id = {report.event.id: report for report in reports}
    return [by_id[event.id] for event in digest.events]


def copies(digest: Digest, count: int) -> Digest:
    """Return a digest with so many events, whose ids differ."""
    entries = [Entry(digest.entries[i % len(digest.entries)].event._replace(id=i + 1)) for i in range(count)]
    return digest._replace(entries=entries, total=10 * count)


def smallest_pt(page: pypdf.PageObject) -> float:
    """Return the size of the smallest letters that a PDF reader finds on a page."""
    sizes: list[float] = []

    def look(text: str, _frame: list[float], matrix: list[float], _font: object, size: float) -> None:
        if text.strip():
            sizes.append(size * (matrix[0] ** 2 + matrix[1] ** 2) ** 0.5)

    page.extract_text(visitor_text=look)
    return min(sizes)


def test_heads_name_the_units_of_what_stands_below(digest: Digest) -> None:
    for entry in digest.entries[:5]:
        below = zip(columns(digest), cells(1, entry), strict=True)
        said = {head: text for column, lines in below for head, text in zip(column.heads, lines, strict=True)}
        metres = entry.event.miss_distance_m, entry.event.miss_cross_track_m
        for head, value in zip(("miss (m)", "cross (m)"), metres, strict=True):
            assert float(said[head].replace(",", "").replace("−", "-")) == pytest.approx(value, abs=0.5)
        assert float(said["(km/s)"]) == pytest.approx(entry.event.relative_speed_m_s / 1e3, abs=0.051)


@pytest.mark.slow
def test_a_reader_finds_every_event_on_few_pages_in_letters_of_eight_points(
    digest: Digest, reports: list[Report]
) -> None:
    pdf = written(digest, of_digest(digest, reports))
    texts = [page.extract_text() for page in pdf.pages]
    assert len(texts) <= 1 + (len(digest.events) + 1) // 2
    for number, (page, text) in enumerate(zip(pdf.pages, texts, strict=True), start=1):
        assert smallest_pt(page) >= READABLE_PT - 0.01  # digits of the file
        assert f"page {number} of {len(texts)}" in text
    for head in HEADS:
        assert head in texts[0]
    for place, event in enumerate(digest.events, start=1):
        assert f"{event.tca:%Y-%m-%d}" in texts[0]
        assert f"{event.tca:%H:%M:%S}" in texts[0]
        assert probability(event.decisive_probability) in texts[0]
        assert odds(event.decisive_probability) in texts[0]
        names = f"{place}.  {event.primary.name.strip()} and {event.secondary.name.strip()}"
        (own,) = [text for text in texts if names in text]
        assert f"event {event.id}" in own


@pytest.mark.slow
@pytest.mark.parametrize(("count", "most"), [(20, 12), (100, 56)])
def test_the_heads_of_the_list_are_on_each_of_its_pages(
    digest: Digest, worst: Report, count: int, most: int
) -> None:
    many = copies(digest, count)
    figures = list(digest_pages(many, repeat(worst)))
    assert len(figures) <= most
    rows = heads = 0
    for figure in figures:
        check(figure)
        texts = [text.get_text() for text in figure.texts]
        events = sum(text in ("fast", "slow") for text in texts)
        assert ("miss (m)" in texts) == (events > 0)
        rows, heads = rows + events, heads + texts.count("miss (m)")
    assert rows == count
    assert heads == -(-count // 30) or count == 20


def test_nothing_to_tell_is_one_page_that_says_so(digest: Digest) -> None:
    (page,) = written(digest._replace(entries=[], total=0), []).pages
    assert "There are none." in page.extract_text()
    assert "page 1 of 1" in page.extract_text()


@pytest.mark.parametrize("found", [VERIFIED, with_rows(regions=[])], ids=["drawn", "nothing to draw"])
def test_how_forecasts_did_comes_last(digest: Digest, found: Verification) -> None:
    told = digest._replace(entries=[], total=0, forecasts=found)
    pages = written(told, []).pages
    text = " ".join(page.extract_text() for page in pages).replace("\n", " ")
    heading = text.index("How our forecasts did")
    assert heading < text.index(found.words[0])
    regions = PICTURES["regions"]
    assert (regions.reading in text) == bool(found.regions)
    assert (regions.missing in text) == (not found.regions)
    assert ("region said (%)" in text) == bool(found.regions)
    assert min(map(smallest_pt, pages)) >= READABLE_PT - 0.01
    for figure in digest_pages(told, []):
        check(figure)


def asked(contact: str) -> WhomOfBoth:
    """Return that the contact of a fleet is to be asked about both objects."""
    one = of_fleet(1, "mine", contact)
    return WhomOfBoth(one, one)


@pytest.mark.slow
def test_the_longest_names_and_numbers_stay_on_the_sheet(digest: Digest, worst: Report, bare: Report) -> None:
    long = worst.event.primary._replace(norad_id=999_999_999, name=LONG)
    far = {"miss_distance_m": 123_456.0, "miss_radial_m": -99_999.0, "miss_in_track_m": -123_456.0}
    event = worst.event._replace(primary=long, secondary=long, id=2**53 - 1, **far)
    contact = "An Organisation With a Very Long Name, " + "x" * 150
    reports = [worst._replace(event=event, whom=asked(contact)), bare]
    entries = [Entry(event), Entry(bare.event)]
    for figure in digest_pages(digest._replace(entries=entries, title=LONG * 3), reports):
        check(figure)


@pytest.mark.slow
def test_what_others_have_named_is_written_as_it_is(digest: Digest, worst: Report) -> None:
    """A name or contact with two dollars was read as a formula: no report on it could be drawn."""
    named = worst.event.primary._replace(name=FORMULA)
    event = worst.event._replace(primary=named, probability_best=0.7)
    report = worst._replace(event=event, whom=asked(FORMULA), notices=[f"Stale: {FORMULA}"])
    satellites = [satellite(event.primary.norad_id, 1)]
    told = digest._replace(
        title=f"Fleet {FORMULA}",
        entries=[Entry(event)],
        notices=report.notices,
        fleet=OfFleet(FORMULA, FORMULA, satellites),
    )
    text = " ".join(page.extract_text() for page in written(told, [report]).pages)
    assert text.count(FORMULA) >= 6
    assert "above 1 in 2" in text
    drawn = io.BytesIO()
    write_event_to(drawn, report, ".pdf")
    assert sum(page.extract_text().count(FORMULA) for page in pypdf.PdfReader(drawn).pages) >= 4
    for figure in (*digest_pages(told, [report]), wide_sheet(report)):
        check(figure)


def satellite(number: int, events: int, *, found: bool = True) -> Satellite:
    name = f"SAT-{number} " if found else ""
    return Satellite(number, name, found, "box:2x25x25", 72.0, events, worst=None, next_tca=None)


def test_a_fleets_own_radius_is_said_with_its_event(worst: Report) -> None:
    """The list had the fleet's probability, the event below it the run's, without a word."""
    seen = Seen(worst.event.secondary.norad_id, -1.5, 2.5, -3.5, 12.0)
    said = Entry(
        worst.event._replace(probability_best=3e-4, probability_level="critical"), seen
    ).at_own_radius
    assert said.startswith(
        "At the fleet's own hard-body radius, 12 m for both objects, as in the list: critical"
    )
    assert "probability 3.0e-04" in said
    told = worst._replace(at_own_radius=said)
    assert said in " ".join(sentences(told))
    assert said in in_short(told)[0]
    assert Entry(worst.event, seen._replace(radius_m=None)).at_own_radius == ""


@pytest.mark.slow
def test_a_fleet_of_thousands_names_some_satellites_without_events(digest: Digest, worst: Report) -> None:
    quiet = [satellite(number, 0) for number in range(60_001, 62_001)]
    satellites = [satellite(worst.event.secondary.norad_id, 1), *quiet, satellite(7, 0, found=False)]
    fleet = OfFleet("Example Operations, ops@example.org", "handbook", satellites)
    seen = Seen(worst.event.secondary.norad_id, -1.5, 2.5, -3.5)
    told = digest._replace(level=None, title="Fleet mine", entries=[Entry(worst.event, seen)], fleet=fleet)
    text = " ".join(page.extract_text() for page in written(told, [worst]).pages).replace("\n", " ")
    for number in (60_001, 60_040):
        assert f"{number} SAT-{number}" in text
    assert "and 1,960 others" in text
    assert "60041" not in text
    assert "Not in the catalogue, so not searched: 7." in text
    assert "Contact: Example Operations, ops@example.org" in text
    assert "2,002 satellites, 1 with events" in text
    assert all(value in text for value in ("−1.5", "2.5", "−3.5"))
    first, second = (f"{side.norad_id} {side.name.strip()}" for side in worst.event.sides)
    assert text.index(second) < text.index(first)  # the fleet's satellite comes first
    for figure in digest_pages(told, [worst]):
        check(figure)
