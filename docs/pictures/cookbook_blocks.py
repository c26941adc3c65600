"""Read the questions of docs/cookbook.md, run their blocks, and print answers as tables."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb
import pandas as pd

import skysieve

_BLOCK = re.compile(
    r"```(?P<language>sql|python|sh)\n(?P<text>.*?)```|(?P<table>(?:^\|.*\|\n)+)", re.DOTALL | re.MULTILINE
)


EXAMPLE = "example"  # the store that answers, unless a block of the question names another


class Block(NamedTuple):
    """A block of a question: sql, python or sh, or the table that answers those before it."""

    language: str
    text: str
    start: int  # where its text begins and ends in the page
    end: int


class Question(NamedTuple):
    """A section of the page."""

    title: str
    blocks: tuple[Block, ...]


def questions(page: str) -> list[Question]:
    """Return the sections of the page that have blocks."""
    found = []
    headings = list(re.finditer(r"^#+ (.*)$", page, re.MULTILINE))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        end = following.start() if following else len(page)
        blocks = tuple(_blocks(page, heading.end(), end))
        if blocks:
            found.append(Question(heading[1], blocks))
    return found


def _blocks(page: str, start: int, end: int) -> Iterator[Block]:
    for match in _BLOCK.finditer(page, start, end):
        if match["table"]:
            yield Block("table", match["table"], *match.span("table"))
        else:
            yield Block(match["language"], match["text"], *match.span("text"))


def answers(
    question: Question, folder: Path, names: dict[str, object]
) -> Iterator[tuple[Block, pd.DataFrame]]:
    """Run the blocks of a question on the stores in a folder; yield what SQL and Python answer.

    `names` are the variables that the first block of the page sets; they stay as they are.
    """
    own = dict(names)
    named = re.search(r"--store (\w+)", "".join(block.text for block in question.blocks))
    store = skysieve.open_store(folder / (named[1] if named else EXAMPLE))
    for block in question.blocks:
        if block.language == "sql":
            reads_files = "read_csv" in block.text  # which only DuckDB itself may
            yield block, _in_duckdb(store.path, block.text) if reads_files else store.sql(block.text)
        if block.language == "python":
            value = _last_expression(block.text, own)
            if isinstance(value, pd.DataFrame):
                yield block, value


def _in_duckdb(store: Path, query: str) -> pd.DataFrame:
    with duckdb.connect(store / "skysieve.duckdb", read_only=True) as connection:
        return connection.sql(query).df()


def first_names(page: str) -> dict[str, object]:
    """Run the lines with which all Python of the page starts, beside the stores; return what they set."""
    names: dict[str, object] = {}
    _last_expression(questions(page)[0].blocks[0].text, names)
    return names


def _last_expression(text: str, names: dict[str, object]) -> object:
    """Run a text of Python and return what its last line gives, as a notebook would."""
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "docs/cookbook.md", "exec"), names)  # noqa: S102 - the page's own text
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "docs/cookbook.md", "eval"), names)  # noqa: S307


def answered(page: str, folder: Path) -> str:
    """Return the page with the answers that the stores in a folder give now."""
    names = first_names(page)
    for question in reversed(questions(page)):
        tables = [block for block in question.blocks if block.language == "table"]
        if tables:
            given = list(answers(question, folder, names))
            for block in reversed(tables):
                answer = [frame for one, frame in given if one.end < block.start][-1]
                page = page[: block.start] + as_table(answer) + page[block.end :]
    return page


def as_table(frame: pd.DataFrame) -> str:
    """Return a frame as a table of Markdown; numbers stand on the right."""
    sides = "|".join("---:" if pd.api.types.is_numeric_dtype(kind) else "---" for kind in frame.dtypes)
    rows = [
        list(frame.columns),
        *([_written(value) for value in row] for row in frame.itertuples(index=False)),
    ]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], f"|{sides}|", *lines[1:]]) + "\n"


def _written(value: object) -> str:
    if isinstance(value, pd.Timestamp):
        return value.strftime("%Y-%m-%d %H:%M:%SZ")
    if pd.isna(value):
        return ""
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        return f"{value:.1e}" if abs(value) < 0.01 else f"{value:.6g}"
    return str(value)
