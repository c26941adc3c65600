"""Tables of the site's pages, which scroll by keyboard where they are wider than a phone."""

from collections.abc import Iterable, Sequence
from html import escape


def table(label: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: int) -> str:
    """Return a table in HTML: `label` names it, `rows` hold HTML, the last `numbers` columns hold numbers."""
    kinds = [""] * (len(heads) - numbers) + [' class="number"'] * numbers
    head = "".join(
        f'<th scope="col"{kind}>{escape(text)}</th>' for kind, text in zip(kinds, heads, strict=True)
    )
    lines = ("".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True)) for row in rows)
    body = "".join(f"<tr>{line}</tr>\n" for line in lines)
    return (
        f'<div class="scroll-x" tabindex="0" role="region" aria-label="{escape(label)}"><table class="plain">'
        f"<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n"
    )


def object_link(norad_id: int, name: str) -> str:
    """Return the name of an object as a link to its page, with its number."""
    shown = escape(name.strip() or "object")
    return f'<a href="object.html#{norad_id}">{shown}</a> <span class="unit">{norad_id}</span>'
