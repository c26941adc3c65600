"""The parts of the site with a page of their own, in the order of the menu.

A part is a module with a function `page(contents)`, which returns None where the store has nothing to show.
"""

from collections.abc import Callable

from api.site.contents import Contents
from api.site.frame import Page
from api.site.sections import changes, data, environment, forecasts, method, re_entries

SECTIONS: dict[str, Callable[[Contents], Page | None]] = {
    "Re-entries": re_entries.page,
    "Changes": changes.page,
    "Environment": environment.page,
    "Forecasts": forecasts.page,
    "Data": data.page,
    "Method": method.page,
}
