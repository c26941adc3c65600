"""How earlier predictions did: as one self-contained web page with pictures, and as rows."""

import csv
from dataclasses import fields
from html import escape
from typing import TextIO, get_args, get_type_hints

from api.report.page_frame import page_head, svg
from api.report.pictures.verification import PICTURES
from storage.shell.output import text
from storage.shell.verification import INTERVALS, TABLES, rows_of, short, what_passed
from storage.verification.record import Verification

_TABLES = (*TABLES.values(), "suspects")
_KINDS = [get_args(get_type_hints(Verification)[table])[0] for table in _TABLES]
_NAMES = dict.fromkeys(one.name for kind in _KINDS for one in fields(kind) if one.name != INTERVALS)
COLUMNS = ["table", *_NAMES]


def write_rows(stream: TextIO, found: Verification) -> None:
    """Write the rows of all tables as CSV; `table` names the table, columns that it lacks are empty."""
    rows = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    rows.writeheader()
    for name in _TABLES:
        for row in rows_of(found, name):
            rows.writerow({"table": name} | {column: text(value) for column, value in row.items()})


def write_page(stream: TextIO, found: Verification) -> None:
    """Write the page: sentences, and for each table its picture, how to read it, and its rows."""
    title = "Did the warnings come true?"
    of_what = "no encounter is judged yet" if found.since is None else what_passed(found)
    stream.write(page_head(title))
    stream.write(f"<article>\n<header><h1>{title}</h1>")
    stream.write(f'<p class="which">{escape(of_what)}</p></header>\n')
    stream.write(_list(found.words))
    for heading, name in TABLES.items() if found.since is not None else ():
        picture = PICTURES[name]
        figure = picture.draw(found)
        stream.write(f"<section><h3>{escape(heading)}</h3>\n")
        if figure is None:
            stream.write(f'<p class="notice">{escape(picture.missing)}</p>\n')
        else:
            reading = escape(picture.reading)
            stream.write(f"<figure>{svg(heading, figure)}<figcaption>{reading}</figcaption></figure>\n")
        stream.write(rows_table(rows_of(found, name)) + "</section>\n")
    if found.suspects:
        stream.write("<section><h3>Objects that stand out</h3>\n")
        stream.write(_list([one.words for one in found.suspects]) + "</section>\n")
    stream.write("</article>\n</body>\n</html>\n")


def _list(sentences: list[str]) -> str:
    items = "".join(f"<li>{escape(one)}</li>\n" for one in sentences)
    return f"<ul>\n{items}</ul>\n" if items else ""


def rows_table(rows: list[dict[str, object]]) -> str:
    """Return the rows of one table; nothing if there are none."""
    if not rows:
        return ""
    head = "".join(f"<th{_look(value)}>{name.replace('_', ' ')}</th>" for name, value in rows[0].items())
    body = "".join(
        "<tr>" + "".join(f"<td{_look(value)}>{_cell(value)}</td>" for value in row.values()) + "</tr>\n"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n'


def _look(value: object) -> str:
    return "" if isinstance(value, str) else ' class="number"'


def _cell(value: object) -> str:
    shown = short(value)
    if isinstance(shown, float):
        return f"{shown:,.0f}" if abs(shown) >= 1000.0 else f"{shown:g}"
    return escape(str(shown))
