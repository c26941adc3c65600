"""The page docs/validation.md: every comparison, its numbers and its picture, as Markdown."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from screening.errors import InputError, UsageError
from storage.disk.whole_files import staged_beside, write_text
from tests.validation.comparison import Outcome, Picture
from tests.validation.words import DIFFERS, rows, said

PICTURES = Path("pictures") / "validation"  # beside the page
WIDTH = 120
OPENING = (
    "Every comparison of skysieve with values that others have made: what is compared with what, how many, "
    "and the largest difference. `make validation` makes the comparisons again with the files in "
    "`../shared/data`, beside the repository, and writes this page. The files have the names that each "
    "comparison gives. Where they are missing it is not run, and says what it needs. The exit code is 1 if a "
    "value is beyond its limit or a file is damaged."
)


def check_page(output: Path) -> Path:
    """Return the absolute path of the page to write; it must be a .md file in a folder that exists."""
    target = output.expanduser().absolute()
    if target.suffix != ".md":
        raise UsageError(f"{target} ends in {target.suffix!r}; expected .md, since the page is Markdown.")
    if target.is_dir() or not target.parent.is_dir():
        raise UsageError(f"{target} cannot be written: expected a file in a folder that exists.")
    return target


def write_page(outcomes: Sequence[Outcome], target: Path) -> None:
    """Write the page, whole or not at all, and beside it its pictures."""
    pictures = [one.comparison.picture for one in outcomes if one.comparison and one.comparison.picture]
    try:
        for picture in pictures:
            folder = target.parent / PICTURES
            folder.mkdir(parents=True, exist_ok=True)
            with staged_beside(folder / f"{picture.name}.png") as staged:
                _draw(picture, staged)
        with staged_beside(target) as staged:
            write_text(staged, page(outcomes))
    except OSError as error:
        raise InputError(
            f"The page {target} cannot be written ({error.strerror}). Name a file in a folder that you may "
            "write to."
        ) from error


def page(outcomes: Sequence[Outcome]) -> str:
    """Return the page as text."""
    parts = [
        "# Validation\n",
        _filled(OPENING) + "\n",
        *_table(("comparison", "compared", "result"), map(_overview, outcomes)),
    ]
    for outcome in outcomes:
        parts += ["", *_section(outcome)]
    return "\n".join(parts) + "\n"


def _overview(outcome: Outcome) -> tuple[str, ...]:
    about, found = outcome.about, outcome.comparison
    link = f"[{about.title}](#{_anchor(about.title)})"
    return link, f"{found.number:,} {found.things}" if found else "", _marked(said(outcome))


def _section(outcome: Outcome) -> Iterator[str]:
    about, found = outcome.about, outcome.comparison
    yield f"## {about.title}\n"
    yield _filled(f"**Against:** {about.source}") + "\n"
    yield _filled(f"{about.what} {about.limits}") + "\n"
    if found is None:
        yield _filled(f"**{said(outcome)}**") + "\n"
    else:
        shown = ((*row[:3], _marked(row[3])) for row in rows(outcome))
        yield from _table(("measure", "value", "allowed", "result"), shown)
        yield ""
        if found.picture:
            yield f"![{found.picture.caption}]({(PICTURES / found.picture.name).as_posix()}.png)\n"
    yield _filled(
        "Files: " + ", ".join(f"`{name}`" for name in about.files) + f". In detail: `{about.command}`"
    )


def _table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for line in lines:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |"


def _marked(result: str) -> str:
    return f"**{result}**" if result.startswith((DIFFERS, "FAILED")) else result


def _anchor(title: str) -> str:
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _draw(picture: Picture, path: Path) -> None:
    figure = Figure(figsize=(7.2, 3.2), layout="constrained", facecolor="white")
    picture.draw(figure)
    figure.savefig(path, format="png", dpi=130, metadata={"Software": None})
