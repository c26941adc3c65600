"""Screen the public satellite catalogue for close approaches, and read the store that runs are kept in.

The names here are the public interface; `docs/python.md` introduces it. A name loads what it needs when it
is first used, so that `import skysieve` is quick.
"""

from importlib import import_module, metadata
from typing import TYPE_CHECKING

from screening.errors import (
    InputError,
    SkysieveError,
    StoreError,
    UnreadableCatalogue,
    UsageError,
)

if TYPE_CHECKING:
    from screening.risk.messages.texts.entries import UnreadableMessage
    from skysieve import plot as plot
    from skysieve.catalogue import Catalogue, read_catalogue
    from skysieve.event import Event
    from skysieve.messages import Message, MessageObject, read_message, read_messages
    from skysieve.probability import collision_probability
    from skysieve.run import Run
    from skysieve.screening import screen
    from skysieve.store import Store, open_store

    __version__: str

# Which module holds what is loaded when it is first used.
_HOMES = {
    "Catalogue": "skysieve.catalogue",
    "Event": "skysieve.event",
    "Message": "skysieve.messages",
    "MessageObject": "skysieve.messages",
    "Run": "skysieve.run",
    "Store": "skysieve.store",
    "UnreadableMessage": "screening.risk.messages.texts.entries",
    "collision_probability": "skysieve.probability",
    "open_store": "skysieve.store",
    "read_catalogue": "skysieve.catalogue",
    "read_message": "skysieve.messages",
    "read_messages": "skysieve.messages",
    "screen": "skysieve.screening",
}

__all__ = [
    "Catalogue",
    "Event",
    "InputError",
    "Message",
    "MessageObject",
    "Run",
    "SkysieveError",
    "Store",
    "StoreError",
    "UnreadableCatalogue",
    "UnreadableMessage",
    "UsageError",
    "__version__",
    "collision_probability",
    "open_store",
    "read_catalogue",
    "read_message",
    "read_messages",
    "screen",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        value: object = _version()
    elif name == "plot":  # which needs matplotlib
        value = import_module("skysieve.plot")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "plot"})


def _version() -> str:
    try:
        return metadata.version("skysieve")
    except metadata.PackageNotFoundError:
        return "(run from its source folder)"
