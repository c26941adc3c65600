"""Build the site: every page, its data and what it needs, into a folder."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from api.settings import ApiSettings
from api.site.addresses import FEEDS, SITEMAP, feeds, sitemap
from api.site.contents import Wishes, contents_of
from api.site.data_files import write_data
from api.site.event_pages import event_pages
from api.site.folder import opened
from api.site.frame import PREVIEW, Frame, Link, Page
from api.site.front import front_page, ten_numbers
from api.site.lists import BY_DISTANCE, BY_PROBABILITY, list_pages
from api.site.object_pages import object_files, object_page, search_file
from api.site.pictures.preview import preview_png
from api.site.sections.in_order import SECTIONS
from screening.errors import InputError
from storage.in_memory.snapshot import Snapshot

ASSETS = Path(__file__).parents[1] / "web" / "dist" / "assets"
PAGE_FILES = ("site.js", "site.css", "icon.svg", "licences.txt")  # that the site takes from the bundled page
_GONE = Page(
    "404.html",
    "Not here any more",
    "This event has passed, or newer element sets have made it harmless.",
    '<h1>Not here any more</h1>\n<p class="lead">This event has passed, or is no longer among the most '
    "notable ones: newer element sets usually dissolve them. Search above for its objects.</p>\n",
)
_SECTIONS = ("re-entries.html", "changes.html", "environment.html", "forecasts.html")
_PAGES = {*_SECTIONS, *FEEDS, SITEMAP}  # that a later site may not have


class Built(NamedTuple):
    """What became of the files of a site."""

    written: int
    unchanged: int
    removed: int
    size_bytes: int  # of all files


def build_site(
    path: Path, snapshot: Snapshot, wishes: Wishes, settings: ApiSettings, version: str, now: datetime
) -> Built:
    """Write the site of a snapshot that was loaded without analyses.

    What a page needs is written before the page, and what is old is removed last.

    Raises:
        UsageError: the folder is not ours.
        InputError: it cannot be written, or the web page is not built.
        StoreError: the store is damaged.
    """
    assets = _assets()
    contents = contents_of(snapshot, wishes, settings, version, now)
    pages = [(label, page) for label, make in SECTIONS.items() if (page := make(contents)) is not None]
    menu = [BY_PROBABILITY, BY_DISTANCE, *(Link(page.path, label) for label, page in pages)]
    frame = Frame(contents, menu)
    with opened(path) as folder:
        for source in assets:
            folder.put(f"assets/{source.name}", source.read_bytes())
        write_data(contents, folder)
        folder.put("data/search.js", search_file(contents))
        for name, content in object_files(contents):
            folder.put(name, content)
        paths = []
        front, others = front_page(contents), [page for _, page in pages]
        for page in (*event_pages(contents), object_page(contents), *others, *list_pages(contents), front):
            folder.put(page.path, frame.html(page))
            paths.append(page.path)
        folder.put(_GONE.path, frame.html(_GONE))
        if wishes.base_url:
            folder.put(PREVIEW, preview_png(contents, ten_numbers(contents)))
            for name, content in (*feeds(contents), (SITEMAP, sitemap(contents, paths))):
                folder.put(name, content)
        folder.remove_old(_PAGES)
    return Built(folder.written, folder.unchanged, folder.removed, folder.bytes)


def _assets() -> list[Path]:
    """Return the files of the bundled page that the site needs: script, styles, typeface, icon, licences."""
    found = [*(ASSETS / name for name in PAGE_FILES), *ASSETS.glob("inter-*.woff2")]
    if len(found) == len(PAGE_FILES) or not all(one.is_file() for one in found):
        raise InputError(
            "The web page, whose styles the site uses, is not built: in the source folder `make page` "
            "builds it, the wheel of a release has it inside."
        )
    return found
