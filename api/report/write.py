"""Write a report to a file in the format of its suffix."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from matplotlib.backends.backend_pdf import PdfPages

from api.answers.manoeuvre_answer import what_if_answer
from api.answers.manoeuvres import WhatIf
from api.report.contents import Report
from api.report.digest import Digest
from api.report.paper.digest_sheets import digest_pages
from api.report.paper.event_sheets import event_pages, wide_sheet
from api.report.pictures.object_errors import error_sheet
from api.report.pictures.trade_space import trade_space_sheet
from api.report.summary import title
from api.report.verification_page import write_page, write_rows
from api.report.web_page import write_digest, write_event
from api.report.what_if_page import write_what_if
from screening.errors import InputError
from screening.risk.views.object_errors import ObjectErrors
from storage.disk.whole_files import as_text, staged_beside, synced
from storage.shell.output import plain
from storage.verification.record import Verification

_PNG_DPI = 150


def write_event_report(report: Report, target: Path) -> None:
    """Write a report on one event as HTML, PNG or PDF, replacing the file, which appears whole or not at all.

    Raises InputError if it cannot be written.
    """
    with _replacing(target) as stream:
        write_event_to(stream, report, target.suffix)


def write_event_to(stream: BinaryIO, report: Report, suffix: str) -> None:
    """Write a report on one event in the format of a suffix: .html, .png or .pdf."""
    if suffix == ".html":
        with as_text(stream) as text:
            write_event(text, report)
    elif suffix == ".png":
        wide_sheet(report).savefig(stream, format="png", dpi=_PNG_DPI, metadata={"Software": "skysieve"})
    else:
        with PdfPages(stream, metadata=_about(title(report.event))) as pdf:
            for page in event_pages(report):
                pdf.savefig(page)


def write_digest_report(digest: Digest, reports: Iterable[Report], target: Path) -> None:
    """Write a digest as HTML or PDF. Otherwise as `write_event_report`."""
    with _replacing(target) as stream:
        write_digest_to(stream, digest, reports, target.suffix)


def write_digest_to(stream: BinaryIO, digest: Digest, reports: Iterable[Report], suffix: str) -> None:
    """Write a digest in the format of a suffix, .html or .pdf, one report after the other."""
    if suffix == ".html":
        with as_text(stream) as text:
            write_digest(text, digest, reports)
    else:
        with PdfPages(stream, metadata=_about(digest.title)) as pdf:
            for page in digest_pages(digest, reports):
                pdf.savefig(page)


def write_what_if_report(made: WhatIf, target: Path) -> None:
    """Write what burns make of an event as HTML, JSON, or (a search) PNG; otherwise as above."""
    with _replacing(target) as stream:
        if target.suffix == ".png":
            assert made.found is not None, "only a search has a picture"
            figure = trade_space_sheet(made, made.found)
            figure.savefig(stream, format="png", dpi=_PNG_DPI, metadata={"Software": "skysieve"})
            return
        with as_text(stream) as text:
            if target.suffix == ".html":
                write_what_if(text, made)
            else:
                json.dump(plain(what_if_answer(made)), text, indent=2, ensure_ascii=False)
                text.write("\n")


def write_error_picture(found: ObjectErrors, target: Path) -> None:
    """Write how far off an object's element set may be as PNG, PDF or SVG; otherwise as above."""
    kind = target.suffix.removeprefix(".")
    about = {"Software": "skysieve"} if kind == "png" else _about(f"Errors of {found.norad_id}")
    with _replacing(target) as stream:
        error_sheet(found).savefig(stream, format=kind, dpi=_PNG_DPI, metadata=about)


def write_verification(found: Verification, target: Path) -> None:
    """Write how earlier predictions did as HTML or CSV; otherwise as above."""
    with _replacing(target) as stream, as_text(stream) as text:
        (write_page if target.suffix == ".html" else write_rows)(text, found)


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    try:
        with staged_beside(target) as staged, synced(staged) as stream:
            yield stream
    except OSError as error:
        raise InputError(
            f"The report {target} cannot be written ({error.strerror or error}). Name a file in a folder "
            "that you may write to."
        ) from error


def _about(name: str) -> dict[str, str]:
    return {"Title": name, "Creator": "skysieve"}
