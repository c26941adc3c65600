"""Messages as Slack's incoming webhooks take them; Mattermost and others take the same."""

import json
from typing import Any

from flows.alerts.channels.wording import Item, Wording

_MOST_BLOCKS = 48  # Slack takes 50
_LONGEST_TEXT = 2900  # letters of a block; Slack takes 3,000
_LONGEST_HEADER = 150
_NO_SPACE = "\u200b"  # of no width


def slack_text(wording: Wording) -> str:
    """Return the JSON of a message: the text for notifications, and blocks for the rest."""
    rest = filter(None, (wording.rest(len(wording.items)), *wording.after))
    things = [Item(wording.lead), *wording.items, *map(Item, rest)]
    sections = [_section(one.text, one.url) for one in things]
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": wording.subject[:_LONGEST_HEADER]}},
        *sections[:_MOST_BLOCKS],
    ]
    return json.dumps({"text": escaped(wording.subject), "blocks": blocks}, ensure_ascii=False)


def escaped(text: str) -> str:
    """Return a text in which no letter is a command: neither links nor mentions (`<!channel>`, `@here`)."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("@", f"@{_NO_SPACE}").replace("#", f"#{_NO_SPACE}")


def _section(text: str, url: str) -> dict[str, Any]:
    """Return a block whose text is no markup: an object may be called `*b* http://example.org`."""
    shown = text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}..."
    block: dict[str, Any] = {"type": "section", "text": {"type": "plain_text", "text": shown, "emoji": False}}
    if url:
        link = url.replace("&", "&amp;").replace("<", "%3C").replace(">", "%3E").replace("|", "%7C")
        block["fields"] = [{"type": "mrkdwn", "text": f"<{link}|Open the event>", "verbatim": True}]
    return block
