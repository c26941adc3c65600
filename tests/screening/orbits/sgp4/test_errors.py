"""The words for SGP4's errors: `skysieve status` and the page use the same."""

import re
from pathlib import Path

from screening.orbits.sgp4.errors import SGP4_ERRORS


def test_the_page_has_the_same_words(repository: Path) -> None:
    source = (repository / "api" / "web" / "src" / "run.ts").read_text(encoding="utf-8")
    (table,) = re.findall(r"const SGP4_ERRORS: .*? = \{\n(.*?)\n\};", source, re.DOTALL)
    assert {int(code): words for code, words in re.findall(r'(\d+): "([^"]*)"', table)} == SGP4_ERRORS
