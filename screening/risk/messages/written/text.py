"""Write a message in one of its forms."""

from screening.risk.messages.written.json_form import json_text
from screening.risk.messages.written.kvn import kvn_text
from screening.risk.messages.written.lines import Message
from screening.risk.messages.written.xml import xml_text
from screening.vocabulary import MessageForm

_WRITERS = {"kvn": kvn_text, "xml": xml_text, "json": json_text}


def message_text(message: Message, form: MessageForm) -> str:
    """Return the text of a message; all forms carry the same numbers."""
    return _WRITERS[form](message)
