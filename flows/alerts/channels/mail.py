"""Messages as e-mail: the letter itself, plain text and HTML."""

from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from html import escape

from flows.alerts.channels.words import Told
from storage.state.alerts.outbox import Message
from storage.times import aware_utc

# Seven bits, for servers without 8BITMIME.
_POLICY = policy.SMTP.clone(cte_type="7bit")


def letter(message: Message, told: Told, sender: str, recipient: str) -> EmailMessage:
    """Return a message as a letter: the same one at each attempt, down to the last byte."""
    made = EmailMessage(policy=_POLICY)
    made["From"] = formataddr(("skysieve", sender))
    made["To"] = recipient
    made["Subject"] = told.subject
    made["Date"] = format_datetime(aware_utc(message.created))
    made["Message-ID"] = f"<{message.id}@{sender.rpartition('@')[2]}>"
    made["Auto-Submitted"] = "auto-generated"  # RFC 3834: nobody's holiday notice answers it
    made.set_content(_plain(told))
    made.add_alternative(_html(told), subtype="html")
    made.set_boundary(f"=={message.id}==")
    return made


def _plain(told: Told) -> str:
    items = [f"- {item.text}" + (f"\n  {item.url}" if item.url else "") for item in told.items]
    return "\n\n".join(filter(None, [told.lead, *items, *told.after])) + "\n"


def _html(told: Told) -> str:
    items = "".join(
        f"<li>{escape(item.text)}"
        + (f' <a href="{escape(item.url)}">Open the event</a>' if item.url else "")
        + "</li>\n"
        for item in told.items
    )
    after = "".join(f"<p>{escape(text)}</p>\n" for text in told.after)
    listed = f"<ul>\n{items}</ul>\n" if items else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(told.subject)}</title></head><body>\n"
        f"<p>{escape(told.lead)}</p>\n{listed}{after}</body></html>\n"
    )
