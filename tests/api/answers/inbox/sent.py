"""Messages made from those that the service writes, and the inbox that takes them."""

import re
from typing import Any

import numpy as np

from api.models.inbox import InboxPage
from screening.orbits.timegrid import FloatArray
from tests.api.client import Client

FILE = {"Content-Type": "application/octet-stream"}
NAMES = ("X", "Y", "Z", "X_DOT", "Y_DOT", "Z_DOT")
COVARIANCE = ("CR_R", "CT_R", "CT_T", "CN_R", "CN_T", "CN_N")


def hand_in(client: Client, body: str | bytes, name: str = "a", **query: object) -> Any:
    content = body.encode() if isinstance(body, str) else body
    headers = {**client.headers, **FILE}
    return client.request(
        "POST", "/inbox", content=content, params={"source": name, **query}, headers=headers
    )


def inbox(client: Client, **query: object) -> list[dict[str, Any]]:
    answer = client.get("/inbox", params=query)
    InboxPage.model_validate_json(answer.content)
    found: list[dict[str, Any]] = answer.json()["encounters"]
    return found


def value(message: str, who: int, name: str) -> float:
    return float(re.findall(rf"^{name} += (\S+)", message, re.MULTILINE)[who])


def changed(message: str, who: int, name: str, to: float) -> str:
    found = list(re.finditer(rf"^({name} += )(\S+)", message, re.MULTILINE))[who]
    return f"{message[: found.start()]}{found[1]}{float(to)!r}{message[found.end() :]}"


def axes(message: str, who: int) -> FloatArray:
    """R, T, N of an object as rows, in the message's own frame."""
    state = np.array([value(message, who, name) for name in NAMES])
    radial, normal = state[:3], np.cross(state[:3], state[3:])
    radial, normal = radial / np.linalg.norm(radial), normal / np.linalg.norm(normal)
    return np.array([radial, np.cross(normal, radial), normal])


def covariance(message: str, who: int) -> FloatArray:
    """The position's covariance of an object in the message's frame, m2."""
    rr, tr, tt, nr, nt, nn = (value(message, who, name) for name in COVARIANCE)
    own = np.array([[rr, tr, nr], [tr, tt, nt], [nr, nt, nn]])
    return np.asarray(axes(message, who).T @ own @ axes(message, who))


def of_another(message: str) -> str:
    """A message as from another sender; the made-up run's probabilities are none."""
    unclaimed = re.sub(r"^COLLISION_PROBABILITY.*\n", "", message, flags=re.MULTILINE)
    return re.sub(r"(ORIGINATOR *= ).*", r"\g<1>ANOTHER", unclaimed)
