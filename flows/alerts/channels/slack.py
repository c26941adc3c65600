"""Messages as Slack's incoming webhooks take them; Mattermost and others take the same."""

import json
from typing import Any

from flows.alerts.channels.words import Item, Told

_MOST_BLOCKS = 48  # Slack takes 50
_LONGEST_TEXT = 2900  # letters of a block; Slack takes 3,000
_LONGEST_HEADER = 150


def slack_text(told: Told) -> str:
    """Return the JSON of a message: the text for notifications, and blocks for the rest."""
    things = [Item(told.lead), *told.items, *map(Item, told.after)]
    sections = [_section(one.text, one.url) for one in things]
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": told.subject[:_LONGEST_HEADER]}},
        *sections[:_MOST_BLOCKS],
    ]
    return json.dumps({"text": escaped(told.subject), "blocks": blocks}, ensure_ascii=False)


def escaped(text: str) -> str:
    """Return a text in which no letter is a command: neither links nor mentions (`<!channel>`)."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _section(text: str, url: str) -> dict[str, Any]:
    link = f"\n<{escaped(url)}|Open the event>" if url else ""
    shown = escaped(text)
    room = _LONGEST_TEXT - len(link)
    if len(shown) > room:
        shown = shown[:room] + "..."
    return {"type": "section", "text": {"type": "mrkdwn", "text": shown + link}}
