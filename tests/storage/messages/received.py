"""Messages for the tests of what is received: the made-up one with other ids, objects and times."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from storage.messages.incoming import Taken, take
from storage.times import time_text
from tests.screening.risk.message_texts import kvn, parts

RECEIVED = datetime(2024, 11, 1, 12, tzinfo=UTC)
TCA = datetime(2024, 11, 2, 3, 4, 5, 678000, tzinfo=UTC)


def text(
    *,
    tca: datetime = TCA,
    made: datetime | None = None,
    message_id: str = "0",
    pair: tuple[str, str] = ("12345", "67890"),
    probability: str = "1.5e-05",
    radius: str = "12.5 [m]",
    originator: str = "MADE UP",
) -> str:
    """A message as lines, made at RECEIVED or a month before TCA; without a radius if that is empty."""
    made = made or max(RECEIVED, tca - timedelta(days=30))
    header, first, second = parts()
    header |= {
        "MESSAGE_ID": message_id,
        "ORIGINATOR": originator,
        "CREATION_DATE": time_text(made, "milliseconds").removesuffix("Z"),
        "TCA": time_text(tca, "microseconds").removesuffix("Z"),
        "COLLISION_PROBABILITY": probability,
        "HBR": radius,
    }
    if not radius:
        del header["HBR"]
    first["OBJECT_DESIGNATOR"], second["OBJECT_DESIGNATOR"] = pair
    return kvn([header, first, second])


def taken(store: Path, *texts: str, hours_later: float = 0, **options: bool) -> Taken:
    """Take messages in one import."""
    received = RECEIVED + timedelta(hours=hours_later)
    return take(store, "".join(texts).encode(), "a.cdm", received, **options)
