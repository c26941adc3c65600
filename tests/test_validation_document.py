"""docs/validation.md is what `make validation` writes, and README and docs quote it rightly."""

import re
import subprocess
import sys
from collections import defaultdict
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

VALUE, ALLOWED = 0, 1
Page = dict[tuple[str, str], tuple[str, str]]  # value and limit by section and measure
# What is all rounding is printed with one digit: processors may differ in it, by less than this factor.
ROUNDING, FACTOR = re.compile(r"\b\de[+-]\d\d\b"), 10.0

DETECTOR, SOCRATES = "Search: an independent detector", "Search: SOCRATES"
INTEGRATED, REBOOST = "Burns: numerical integration", "Burns: a real reboost"
PLANE, FLAGS = "Probability of collision, 2-D", "Flags of the 2-D probability"
MISSING, OPERATORS = "One covariance missing", "Operators' ephemerides"
PASSING, TOGETHER = "of a passing pair", "rows of pairs that fly together"
RELATIVE = "largest relative difference of"


class Quote(NamedTuple):
    """A sentence with numbers in brackets, and the cells of the page that they come from, in their order."""

    document: str
    sentence: str
    section: str
    cells: tuple[tuple[str, int], ...]


QUOTES = (
    Quote("README.md", r"real catalogue of 2024-11-01 \(([\d,]+) objects,", DETECTOR, (("objects", VALUE),)),
    Quote(
        "README.md",
        r"finds all ([\d,]+) approaches that an independent Taylor-polynomial detector lists for a 2 % "
        r"sample, with TCAs within (1 ms) and miss distances within (1 mm)",
        DETECTOR,
        (
            ("approaches of the sample compared", VALUE),
            ("largest difference of a TCA", ALLOWED),
            ("largest difference of a miss distance", ALLOWED),
        ),
    ),
    Quote(
        "README.md",
        r"within (10 ms) and (1 m), all (\d+) rows of a SOCRATES report .*; the other (\d) rows are one pair",
        SOCRATES,
        (
            (f"largest difference of the TCA {PASSING}", ALLOWED),
            (f"largest difference of the range {PASSING}", ALLOWED),
            ("passing pairs", VALUE),
            (TOGETHER, VALUE),
        ),
    ),
    Quote(
        "docs/decisions.md",
        r"Of an independent detector's ([\d,]+) approaches, .* the largest difference is (0\.3 ms) and "
        r"(0\.5 mm)",
        DETECTOR,
        (
            ("approaches of the sample compared", VALUE),
            ("largest difference of a TCA", VALUE),
            ("largest difference of a miss distance", VALUE),
        ),
    ),
    Quote(
        "docs/performance.md",
        r"\| real, 24 h \|.*?\| (\d{3},\d{3}) \|",
        DETECTOR,
        (("approaches found", VALUE),),
    ),
    Quote(
        "docs/synthetic.md",
        r"\| approaches under 10 km in 24 h \| [\d,]+ \| ([\d,]+) \|",
        DETECTOR,
        (("approaches found", VALUE),),
    ),
    Quote(
        "docs/manoeuvres.md",
        r"\*\*Displacements\*\* of (\d+) random orbits",
        INTEGRATED,
        (("orbits", VALUE),),
    ),
    Quote(
        "docs/manoeuvres.md",
        r"fits after 24 h \((0\.536 m/s)\), is within (1\.3 km) of that ephemeris for a day, (1\.8 km) after "
        r"two days and (1\.5 km) after three; without the burn it is off by (36 km) after 6 h and (416 km) "
        r"after three",
        REBOOST,
        (
            ("burn that fits", VALUE),
            ("distance within a day, with it, largest", VALUE),
            ("distance 2 days after, with it", VALUE),
            ("distance 3 days after, with it", VALUE),
            ("distance 6 h after, without the burn", VALUE),
            ("distance 3 days after, without the burn", VALUE),
        ),
    ),
    Quote(
        "docs/probability.md",
        r"\| Orekit's tests \| 57 \| (\S+) \|",
        PLANE,
        ((f"Orekit's tests: {RELATIVE} 57", VALUE),),
    ),
    Quote(
        "docs/probability.md",
        r"\| Alfano \(2009\), linear \| 11 \| (\S+) \|",
        PLANE,
        ((f"Alfano (2009), linear: {RELATIVE} 11", VALUE),),
    ),
    Quote(
        "docs/probability.md",
        r"\| NASA CARA, other cases \| 2 \| (\S+) \|",
        PLANE,
        ((f"NASA CARA, other cases: {RELATIVE} 2", VALUE),),
    ),
    Quote(
        "docs/probability.md",
        r"\| off by more than 25 % \| (\d+) \| \d+ \| \| within 25 % \| (\d+) \| (\d+) \|",
        FLAGS,
        (
            ("2-D value wrong by more than 25 %: messages", VALUE),
            ("2-D value within 25 %: messages", VALUE),
            ("of these flagged", VALUE),
        ),
    ),
    Quote(
        "docs/trajectories.md",
        r"\| element set, all \| in-track" + 4 * r" \| (\S+)" + r" \|",
        OPERATORS,
        tuple(
            (f"{sets} element sets, {hours} h after the epoch, in-track", VALUE)
            for sets, hours in ((7, 0), (6, 12), (4, 24), (2, 48))
        ),
    ),
    Quote(
        "docs/trajectories.md",
        r"\| supplemental, all \| in-track" + 4 * r" \| (\S+)" + r" \|",
        OPERATORS,
        tuple(
            (f"{sets} supplemental sets, {hours} h after the epoch, in-track", VALUE)
            for sets, hours in ((8, 0), (7, 12), (5, 24), (2, 48))
        ),
    ),
    Quote(
        "docs/messages.md",
        r"three messages, two radii, either covariance withheld\) agree within (0\.2 %)",
        MISSING,
        (("largest difference", VALUE),),
    ),
    Quote(
        "docs/trajectories.md",
        r"reproduced within (3 cm) for a Starlink satellite \(60 s\), within (2\.7 m) for the ISS",
        OPERATORS,
        (("Starlink, largest of 1,433 states", VALUE), ("space station, largest of 757 states", VALUE)),
    ),
    Quote(
        "docs/decisions.md",
        r"state left out is found within (3 cm), on one of the ISS .* within (2\.7 m)\. Ephemerides",
        OPERATORS,
        (("Starlink, largest of 1,433 states", VALUE), ("space station, largest of 757 states", VALUE)),
    ),
)


@pytest.fixture(scope="module")
def page(repository: Path) -> Page:
    """Return value and limit of each measure of the page, by section and name."""
    sections = re.split(r"^## ", (repository / "docs" / "validation.md").read_text(), flags=re.MULTILINE)
    cells = {}
    for title, _, text in (section.partition("\n") for section in sections[1:]):
        for name, value, allowed in re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \| .*\|$", text, re.MULTILINE):
            cells[title, name] = (value, allowed)
    return cells


def same(quoted: str, cell: str) -> bool:
    """Whether a quoted number, rounded further or not, is that of a cell, with its unit or none."""
    (number, unit), (full, its_unit) = (
        re.fullmatch(r"([\d.,]+(?:e[+-]?\d+)?) ?(.*)", text).groups()  # type: ignore[union-attr]
        for text in (quoted, cell)
    )
    theirs, ours = (Decimal(text.replace(",", "")) for text in (number, full))
    return unit in {"", its_unit} and ours.quantize(theirs, ROUND_HALF_EVEN) == theirs


@pytest.mark.parametrize(
    ("quoted", "cell", "right"),
    [
        ("0.3 ms", "0.315 ms", True), ("0.3 ms", "0.36 ms", False), ("2,598", "2,598", True),
        ("2.8e-04", "0.000282", True), ("2.8e-04", "0.00028", True), ("2.8e-04", "0.000287", False),
        ("5 cm", "5 mm", False), ("416 km", "416 km", True), ("0.2 %", "0.2%", True),
        ("3.10", "3.1 km", True),
    ],
)  # fmt: skip
def test_what_counts_as_the_same_number(quoted: str, cell: str, right: bool) -> None:
    assert same(quoted, cell) == right


@pytest.mark.parametrize("quote", QUOTES, ids=lambda quote: f"{quote.document}-{quote.section}")
def test_numbers_are_quoted_as_the_page_has_them(quote: Quote, page: Page, repository: Path) -> None:
    text = " ".join((repository / quote.document).read_text().split())
    (found,) = re.finditer(quote.sentence, text)
    assert len(found.groups()) == len(quote.cells)
    for quoted, (name, column) in zip(found.groups(), quote.cells, strict=True):
        assert same(quoted, page[quote.section, name][column]), (quoted, name)


def factor(ratio: float) -> float:
    return max(ratio, 1.0 / ratio)


def test_the_table_of_the_error_law_has_the_factors_of_the_page(page: Page, repository: Path) -> None:
    text = (repository / "docs" / "probability.md").read_text()
    largest: dict[tuple[str, bool], float] = defaultdict(float)
    row = r"^\| (.*?) \| (?:[\d.]+ to )?([\d.]+) \| \S+ \| \S+ \| \S+ \| (\S+), (\S+), (\S+) \|$"
    for group, to_days, *ratios in re.findall(row, text, re.MULTILINE):
        if float(to_days) <= 7.0:
            radial, in_track, cross_track = (factor(float(ratio)) for ratio in ratios)
            largest[group, True] = max(largest[group, True], in_track)
            largest[group, False] = max(largest[group, False], radial, cross_track)
    assert len(largest) == 12
    for (group, along), expected in largest.items():
        name = f"{group}: {'in-track, factor' if along else 'radial, cross-track'}"
        value, _ = page["Errors of element sets", name]
        # The table has two digits after the point, of ratios; factors may be their inverses.
        half_a_digit = 0.006 * max(expected, 1.0)
        assert float(value) == pytest.approx(expected, rel=half_a_digit), name


def test_the_table_of_radii_has_the_factors_of_the_page(page: Page, repository: Path) -> None:
    text = (repository / "docs" / "probability.md").read_text()
    row = r"^\| (payload|rocket_body|debris|unknown) \| \S+ \| (\S+) \| .* \| (\S+) \| (\S+) \|$"
    rows = re.findall(row, text, re.MULTILINE)
    assert len(rows) == 4
    for kind, known, acting_m, value_m in rows:
        name = f"{kind.replace('_', ' ')}, {known} in the table: factor off"
        value, _ = page["Hard-body radii", name]
        assert float(value) == pytest.approx(factor(float(acting_m) / float(value_m)), rel=0.01), name


def test_every_comparison_of_the_page_agrees(page: Page, repository: Path) -> None:
    text = (repository / "docs" / "validation.md").read_text()
    assert "DIFFERS" not in text
    assert "FAILED" not in text
    assert "not run" not in text.partition("| comparison |")[2]
    assert len(page) > 60


def test_every_picture_of_the_page_is_there(repository: Path) -> None:
    text = (repository / "docs" / "validation.md").read_text()
    named = {Path(name).name for name in re.findall(r"!\[[^]]+\]\((pictures/validation/\w+\.png)\)", text)}
    there = {path.name for path in (repository / "docs" / "pictures" / "validation").iterdir()}
    assert named == there
    assert len(named) >= 2


@pytest.mark.slow
def test_a_fresh_run_gives_the_page(shared_data: Path, repository: Path, tmp_path: Path) -> None:
    made = tmp_path / "validation.md"
    command = [sys.executable, "-m", "tests.validation", str(shared_data), str(made)]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    fresh, kept = made.read_text(), (repository / "docs" / "validation.md").read_text()
    assert ROUNDING.sub("", fresh) == ROUNDING.sub("", kept)
    for ours, theirs in zip(ROUNDING.findall(fresh), ROUNDING.findall(kept), strict=True):
        assert 1.0 / FACTOR <= float(ours) / float(theirs) <= FACTOR, (ours, theirs)
