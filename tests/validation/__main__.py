"""Compare skysieve with what others have published, and write the page: `make validation`.

Takes two minutes. A comparison whose files are missing is not run. The exit code is 1 if a value is beyond
its limit, a file is damaged or the page cannot be written.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from screening.errors import SkysieveError
from screening.kernel_files import keep_kernels_in
from storage.settings import StoreSettings, load_settings
from tests.validation import in_order
from tests.validation.page import check_page, write_page
from tests.validation.run import outcomes
from tests.validation.words import said, summary


def main(arguments: Sequence[str]) -> int:
    """Compare, write the page, and return the exit code."""
    parser = argparse.ArgumentParser(prog="validation", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the published values")
    parser.add_argument("page", type=Path, help="the page to write, Markdown, with its pictures beside it")
    given = parser.parse_args(arguments)
    keep_kernels_in(load_settings(StoreSettings).kernel_cache)
    made = []
    try:
        target = check_page(given.page)
        for outcome in outcomes(given.folder, in_order.SUBJECTS):
            print(f"{outcome.about.title}: {said(outcome)}", flush=True)
            made.append(outcome)
        write_page(made, target)
    except SkysieveError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(summary(made))
    return int(any(outcome.failed for outcome in made))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
