"""Send an orbit comprehensive message to TraCSS, which screens its object on it (Metadata API v1)."""

from collections.abc import Iterator
from typing import Any

import httpx

from flows.settings import FlowSettings
from flows.sources.catalogues import DEFAULT_WEB
from flows.sources.download import Web
from flows.sources.errors import SourceError
from flows.sources.messages import tracss_login
from flows.sources.messages.tracss_login import logged_in, parsed

UPLOAD = "/metadata/v2/ocm/upload"


class Rejected(SourceError):
    """The service did not take the message."""


def upload_ocm(
    settings: FlowSettings, name: str, text: str, *, screen_now: bool, web: Web = DEFAULT_WEB
) -> str:
    """Send a message, and return what the service says of it.

    `screen_now` asks it to screen the object on it at once; candidates are screened in any case.

    Raises:
        Rejected: it is not taken; the text says what the service finds wrong in it.
        UsageError, SourceError: as `logged_in` and `Session.ask`.
    """
    with logged_in(settings, web) as session:
        answer = session.ask(
            UPLOAD,
            good=(httpx.codes.CREATED,),
            file=(name, text.encode()),
            triggerCA="true" if screen_now else "false",
        )
    said = answer.text.decode("utf-8", "replace").strip()
    if not said.startswith("{"):  # a sentence, where there is nothing to add
        return said
    given = parsed(answer.text, f"{tracss_login.TRACSS_URL}{UPLOAD}")
    wrong = list(_wrong(given))
    if wrong:
        raise Rejected(f"TraCSS did not take {name}: {'; '.join(wrong)}.")
    return f"TraCSS took {name}: {_status(given)}."


def _status(given: dict[str, Any]) -> str:
    payload = given.get("payload")
    return str(payload.get("status") if isinstance(payload, dict) else given.get("status"))


def _wrong(given: object) -> Iterator[str]:
    """Yield what a service finds wrong in what was sent, wherever it says so in its answer."""
    if isinstance(given, list):
        for one in given:
            yield from _wrong(one)
    if not isinstance(given, dict):
        return
    if given.get("toBeSaved") is False:
        reasons = given.get("preProcessingValidation")
        yield from map(str, reasons if isinstance(reasons, list) and reasons else ["it does not say why"])
    for inner in given.values():
        yield from _wrong(inner)
