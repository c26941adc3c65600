"""A message as an e-mail: plain text, and HTML with a picture.

The HTML is one table within another, with its looks beside each element, as Outlook wants it; programs that
know style sheets make it dark where their reader prefers that. Without the picture nothing is missing.
"""

from collections.abc import Sequence
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from html import escape

from flows.alerts.channels.wording import Item, Wording
from storage.pictures.colours import TIERS
from storage.state.alerts.outbox import Message

MOST_ROWS = 5
# Seven bits, for servers without 8BITMIME.
_POLICY = policy.SMTP.clone(cte_type="7bit")
_OVER = "#475467"
_FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_TEXT, _SMALL = f"{_FONT};font-size:15px;line-height:22px", f"{_FONT};font-size:13px;line-height:19px"
_STYLE = """
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: #14181d !important; } .sheet { background: #1d232a !important; }
  .ink { color: #e6e9ed !important; } .muted { color: #a9b2bd !important; }
  .line { border-color: #39424d !important; }
  .second { background: #1d232a !important; } .second a { color: #8ec5ff !important; }
  .link { color: #8ec5ff !important; }
}
@media (max-width: 480px) { .pad { padding-left: 16px !important; padding-right: 16px !important; } }
"""


def letter(
    message: Message, wording: Wording, sender: str, recipient: str, picture: bytes | None = None
) -> EmailMessage:
    """Return a message as a letter: the same one at each attempt, down to the last byte.

    `picture`: a PNG of the event that `wording` says is drawn; None: there is none.
    """
    made = EmailMessage(policy=_POLICY)
    made["From"] = formataddr(("skysieve", sender))
    made["To"] = recipient
    made["Subject"] = wording.subject
    made["Date"] = format_datetime(message.created)
    host = sender.rpartition("@")[2]
    made["Message-ID"] = f"<{message.id}@{host}>"
    made["Auto-Submitted"] = "auto-generated"  # RFC 3834: nobody's holiday notice answers it
    made.set_content(_plain(wording))
    named = f"picture.{message.id}@{host}"
    made.add_alternative(_html(wording, named if picture else ""), subtype="html")
    if picture:
        _, html = made.iter_parts()
        assert isinstance(html, EmailMessage), "as this policy makes parts"
        html.add_related(
            picture, "image", "png", cid=f"<{named}>", disposition="inline", filename="encounter.png"
        )
        html.set_boundary(f"=={message.id}.html==")
    made.set_boundary(f"=={message.id}==")
    return made


def acknowledging(url: str) -> str:
    """Return the address at which the page asks who has the event of an address."""
    return f"{url}{'&' if '?' in url else '?'}acknowledge=true"


def _plain(wording: Wording) -> str:
    items = [f"- {item.text}" + (f"\n  {item.url}" if item.url else "") for item in wording.items[:MOST_ROWS]]
    rest, url = wording.rest(MOST_ROWS), _first_url(wording)
    take = f"I have this: {acknowledging(url)}" if url else ""
    parts = [wording.lead, take, *items, rest and f"{rest} {wording.url}".rstrip(), *wording.after]
    return "\n\n".join(filter(None, parts)) + "\n"


def _first_url(wording: Wording) -> str:
    """Return the address of the event that the letter is about, empty if it is about none."""
    return "" if wording.drawn is None else str(wording.drawn.get("url", ""))


def _html(wording: Wording, picture: str) -> str:
    level = wording.items[0].level if wording.items else ""
    band = TIERS.get(level, _OVER)
    rows = "".join(map(_row, wording.items[:MOST_ROWS]))
    parts = [
        f'<tr><td bgcolor="{band}" style="height:6px;font-size:0;line-height:0">&nbsp;</td></tr>',
        _cell(
            f'<h1 class="ink" style="margin:0;{_FONT};font-size:19px;line-height:27px;color:#1f2933">'
            f"{escape(wording.lead)}</h1>"
        ),
        _cell(_buttons(_first_url(wording))) if _first_url(wording) else "",
        _cell(_image(picture)) if picture else "",
        _cell(f'<table role="presentation" width="100%" cellpadding="0" cellspacing="0">{rows}</table>'),
        _cell(_more(wording)) if wording.rest(MOST_ROWS) else "",
        _cell(_foot(wording.after)),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="supported-color-schemes" content="light dark">'
        f"<title>{escape(wording.subject)}</title><style>{_STYLE}</style></head>\n"
        '<body class="paper" style="margin:0;padding:0;background:#f3f4f6">\n'
        '<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" '
        'bgcolor="#f3f4f6"><tr><td align="center" style="padding:12px 8px">\n'
        '<!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->\n'
        '<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" '
        'bgcolor="#ffffff" style="max-width:600px">\n' + "\n".join(filter(None, parts)) + "\n</table>\n"
        "<!--[if mso]></td></tr></table><![endif]-->\n</td></tr></table>\n</body></html>\n"
    )


def _cell(content: str) -> str:
    return f'<tr><td class="pad" style="padding:14px 24px 4px">{content}</td></tr>'


def _buttons(url: str) -> str:
    looks = f"display:inline-block;padding:9px 17px;{_TEXT};font-weight:600;text-decoration:none"
    first = (
        '<td bgcolor="#0b5cad" style="border:1px solid #0b5cad;border-radius:6px">'
        f'<a href="{escape(url)}" style="{looks};color:#ffffff">Open the event</a></td>'
    )
    second = (
        '<td class="second line" style="border:1px solid #98a2b0;border-radius:6px">'
        f'<a href="{escape(acknowledging(url))}" style="{looks};color:#0b5cad">I have this</a></td>'
    )
    gap = '<td style="width:12px">&nbsp;</td>'
    return f'<table role="presentation" cellpadding="0" cellspacing="0"><tr>{first}{gap}{second}</tr></table>'


def _image(picture: str) -> str:
    said = "The encounter plane: where the other object passes, and how sure that is."
    return (
        f'<img src="cid:{escape(picture)}" width="432" alt="{said}" class="muted" style="display:block;'
        f'width:100%;max-width:432px;height:auto;border-radius:6px;background:#ffffff;{_SMALL};color:#5b6673">'
    )


def _row(item: Item) -> str:
    if not item.head:
        words = f'<div class="ink" style="{_TEXT};color:#1f2933">{escape(item.text)}</div>'
    else:
        color = TIERS.get(item.level, _OVER)
        named = escape(item.head)
        if item.url:
            named = f'<a class="link" href="{escape(item.url)}" style="color:#0b5cad">{named}</a>'
        said = " · ".join(filter(None, (item.label, item.level)))
        chip = (
            f'<span style="{_SMALL};font-weight:600;color:#ffffff;background:{color};padding:1px 8px;'
            f'border-radius:9px;white-space:nowrap">{escape(said)}</span>'
        )
        lines = "".join(
            f'<div class="muted" style="{_SMALL};color:#4a5568">{escape(line)}</div>' for line in item.lines
        )
        words = (
            f'<div style="padding-bottom:4px">{chip}</div><div class="ink" style="{_TEXT};font-weight:600;'
            f'color:#1f2933;word-break:break-word">{named}</div>{lines}'
        )
    return f'<tr><td class="line" style="padding:10px 0;border-top:1px solid #e5e8ec">{words}</td></tr>\n'


def _more(wording: Wording) -> str:
    rest = escape(wording.rest(MOST_ROWS))
    if wording.url:
        rest = f'<a class="link" href="{escape(wording.url)}" style="color:#0b5cad">{rest}</a>'
    return f'<div class="ink" style="{_TEXT};color:#1f2933">{rest}</div>'


def _foot(after: Sequence[str]) -> str:
    said = "".join(f'<p style="margin:0 0 8px">{escape(text)}</p>' for text in after)
    return f'<div class="muted" style="{_SMALL};color:#5b6673;padding-bottom:14px">{said}</div>'
