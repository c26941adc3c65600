"""What the panel "What if" is tested with: the goal, and answers as the service sends them."""

import json
from typing import Any

from playwright.sync_api import Page

from tests.page.browsing import Visit

GOAL = 1e-6


def answered(body: Any, last: str = "result") -> Any:
    """Answer as the service does: a comment, a step, and then the last event; without a name, none."""
    step = {"done": 0, "of": 3, "words": "finding the event again"}
    text = f": waiting\n\nevent: progress\ndata: {json.dumps(step)}\n\n"
    if last:
        text += f"event: {last}\ndata: {json.dumps(body)}\n\n"
    return lambda route: route.fulfill(body=text, content_type="text/event-stream; charset=utf-8")


def at_what_if(desk: Visit, event: dict[str, Any]) -> Page:
    """Open an event at its tab "What if", and wait until all is known of it."""
    page = desk.open(f"event/{event['id']}?tab=what-if", ".what-if")
    page.wait_for_selector(".figures .plane", state="attached")
    return page
