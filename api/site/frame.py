"""What all pages of the site share: head, menu, search, warnings and foot."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from api.site.contents import Contents
from screening.vocabulary import SIZES_FROM
from storage.rows.words.numbers import minute
from storage.times import time_text

NAME = "Close approaches in orbit"
PREVIEW = "assets/preview.png"
PREVIEW_SIZE = (1200, 630)


class Link(NamedTuple):
    """An entry of the menu."""

    path: str  # from the root of the site
    label: str


def path_of(event_id: int) -> str:
    """Return where the page of an event is, from the root of the site."""
    return f"events/{event_id}.html"


class Page(NamedTuple):
    """What is particular of one page."""

    path: str  # from the root of the site
    title: str
    description: str  # one sentence, for link previews and search engines
    body: str  # HTML
    head: str = ""  # further elements
    picture: str = PREVIEW  # of link previews


class Frame:
    """Makes whole pages of one site."""

    def __init__(self, contents: Contents, sections: Sequence[Link]) -> None:
        """Take what the site shows, and its menu."""
        self.base_url = contents.wishes.base_url
        self._menu = [Link("index.html", "Today"), *sections]
        self._notices = "".join(_notice(text) for text in contents.notices)
        run = contents.run
        self._run = (
            f"Run {escape(run.run_id)} of {run.objects:,} objects, {minute(run.window_start)} to "
            f"{minute(run.window_end)} UTC. Made by skysieve {escape(contents.version)}."
        )
        # A replay is of the past, and so is never stale.
        ends = "" if run.historic else f' data-finished="{time_text(run.finished, "seconds")}"'
        self._root = (
            f'<html lang="en" data-theme="light"{ends} data-stale-after="{contents.stale_after_s:.0f}"'
        )

    def html(self, page: Page) -> str:
        """Return a whole page."""
        up = "../" * page.path.count("/")
        title = NAME if page.path == "index.html" else f"{page.title} · {NAME}"
        menu = "".join(self._entry(up, page, link) for link in self._menu)
        return (
            f'<!DOCTYPE html>\n{self._root} data-root="{up}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="generator" content="skysieve">\n<title>{escape(title)}</title>\n'
            f'<meta name="description" content="{escape(page.description)}">\n{self._about(page)}'
            f'<link rel="icon" href="{up}assets/icon.svg">\n<link rel="stylesheet" '
            f'href="{up}assets/site.css">\n'
            f'<script src="{up}assets/site.js"></script>\n{page.head}</head>\n<body>\n'
            f'<a class="skip" href="#main">Skip to the content</a>\n<header class="top">\n'
            f'<a class="brand" href="{up}index.html">skysieve</a>\n<nav aria-label="Pages">{menu}</nav>\n'
            '<search hidden><input type="search" id="search" placeholder="Find an object" '
            'aria-label="Find an object by its name or number" autocomplete="off">'
            '<ul id="hits" hidden></ul><p id="hit-count" role="status" '
            'class="visually-hidden"></p></search>\n'
            f'</header>\n<aside aria-label="Warnings">{self._notices}</aside>\n'
            f'<main id="main">\n{page.body}</main>\n'
            f"{self._foot(up)}</body>\n</html>\n"
        )

    def _entry(self, up: str, page: Page, link: Link) -> str:
        here = ' aria-current="page"' if link.path == page.path else ""
        return f'<a href="{up}{link.path}"{here}>{escape(link.label)}</a>'

    def _about(self, page: Page) -> str:
        """Return what previews of links show; addresses must be absolute there."""
        kind = "website" if page.path == "index.html" else "article"
        said = [
            ("og:type", kind), ("og:site_name", NAME), ("og:title", page.title),
            ("og:description", page.description),
        ]  # fmt: skip
        links = ""
        if self.base_url:
            address = f"{self.base_url}/{'' if page.path == 'index.html' else page.path}"
            width, height = PREVIEW_SIZE
            said += [
                ("og:url", address), ("og:image", f"{self.base_url}/{page.picture}"),
                ("og:image:width", str(width)), ("og:image:height", str(height)),
                ("og:image:alt", page.title),
            ]  # fmt: skip
            links = (
                f'<link rel="canonical" href="{escape(address)}">\n<meta name="twitter:card" '
                'content="summary_large_image">\n<link rel="alternate" type="application/atom+xml" '
                f'title="Likely collisions" href="{escape(self.base_url)}/feed.xml">\n'
            )
        return links + "".join(f'<meta property="{name}" content="{escape(text)}">\n' for name, text in said)

    def _foot(self, up: str) -> str:
        return (
            f'<footer>\n<p>{self._run} <a href="{up}data.html">Data and how to cite them</a>, '
            f'<a href="{up}method.html">method and limits</a>.</p>\n'
            "<p>No number here justifies a manoeuvre on its own: element sets are off by hundreds of metres. "
            "Element sets: the 18th and 19th Space Defense Squadrons, by Space-Track and CelesTrak. Sizes, "
            f"masses and owners: {escape(SIZES_FROM)}.</p>\n</footer>\n"
        )


def _notice(text: str) -> str:
    word, _, rest = text.partition(":")
    return f'<p class="banner"><strong>{escape(word)}</strong>{escape(rest)}</p>\n'
