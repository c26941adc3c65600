"""Makes the table of docs/messages.md: what comes of every published message.

python tests/benchmarks/message_tables.py
"""

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from screening.kernel_files import keep_kernels_in  # noqa: E402
from screening.risk.messages.read import each_message  # noqa: E402
from screening.risk.messages.score import score_message  # noqa: E402
from screening.risk.messages.texts.entries import UnreadableMessage  # noqa: E402
from storage.rows.graded import UNKNOWN, graded  # noqa: E402
from storage.settings import StoreSettings, load_settings  # noqa: E402
from tests.screening.risk.expected_of_messages import EXPECTED, Expected  # noqa: E402

keep_kernels_in(load_settings(StoreSettings).kernel_cache)

PAGE = REPOSITORY / "docs" / "messages.md"
SHARED = REPOSITORY.parent / "shared" / "data"
BEGIN, END = "<!-- measured: messages -->\n", "<!-- end -->"
HEADER = (
    "| file | R, m | level | `probability_best` | claimed | 2-D, errors independent | `probability_2d` "
    "| flags, or why refused |\n"
)


def row(expected: Expected) -> str:
    """Return the row of one file."""
    (found,) = each_message((SHARED / expected.file).read_bytes(), source_name=expected.file)
    name = expected.file.rsplit("/", 1)[1]
    if isinstance(found, UnreadableMessage):
        why, _, line = str(found).partition(": ")[2].partition(".\n  ")
        return f"| {name} | | | | | | | refused, {line.split(':')[0].strip()}: {why} |\n"
    radius_m = expected.radius_m or found.hard_body_radius_m
    score = score_message(found, radius_m, samples=0, seed=1)
    given = " (given)" if expected.radius_m else ""
    claimed = f"{number(score.claimed_probability)} {score.claimed_as}".strip()
    both = number(score.probability_2d_unchecked), number(score.probability_2d)
    counts = graded(score._asdict())
    best = UNKNOWN if counts.probability is None else counts.said(4)
    return (
        f"| {name} | {radius_m:g}{given} | {score.probability_level} | {best} | {claimed} | {both[0]} "
        f"| {both[1]} | {score.probability_flag} |\n"
    )


def number(value: float) -> str:
    """Return a probability with four digits, nothing for NaN."""
    return "" if value != value else f"{value:.4g}"


def main() -> None:
    """Write the table into the page."""
    text = PAGE.read_text()
    begin = text.index(BEGIN) + len(BEGIN)
    rows = "".join(map(row, EXPECTED))
    made = HEADER + "| --- | --- | --- | --- | --- | --- | --- | --- |\n" + rows
    PAGE.write_text(text[:begin] + made + text[text.index(END, begin) :])


if __name__ == "__main__":
    main()
