"""Negotiate with the client: `Accept`, `Accept-Encoding`, `If-None-Match` (RFC 9110)."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

_Coding = TypeVar("_Coding", bound=str)

# What OpenAPI says about answers with an ETag.
UNCHANGED: Mapping[int | str, Any] = MappingProxyType(
    {304: {"description": "The answer is the one whose ETag came in `If-None-Match`."}}
)

# The text between two separators; inside a quoted string they do not separate.
_LISTED = re.compile(r'(?:"(?:\\.|[^"\\])*"?|[^,"])+')
_PARAMETERS = re.compile(r'(?:"(?:\\.|[^"\\])*"?|[^;"])+')
_WEIGHT = re.compile(r"0(\.[0-9]*)?|1(\.0*)?|\.[0-9]+")  # some clients leave out the 0
_ENTITY_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_CODING_ALIASES = {"x-gzip": "gzip"}
_UTF_8 = ("charset", "utf-8")  # the only one that is sent


class Weighted(NamedTuple):
    """One member of a list such as `text/csv;header=present;q=0.5, */*`."""

    name: str  # in lower case, like the names of parameters
    parameters: frozenset[tuple[str, str]]  # without `q` and what follows it
    weight: float  # 0: not acceptable, to 1


class Acceptance(NamedTuple):
    """How much a media type is wanted; compares as a tuple, greater is wanted more."""

    weight: float
    specificity: int  # 0: `*/*`, 1: `text/*`, 2: the type by its name, and one more for each parameter


_UNWANTED = Acceptance(0.0, 0)


def weighted(fields: Sequence[str]) -> list[Weighted]:
    """Parse a weighted list (12.4.2), whose header field may be repeated.

    A malformed weight counts as 0: what a client asks for by mistake is not sent.
    """
    members = (part.strip() for field in fields for part in _LISTED.findall(field))
    return [_member(text) for text in members if text]


def acceptance(ranges: Sequence[Weighted], media_type: str) -> Acceptance:
    """Return how much a media type is wanted, by the most specific range that matches it (12.5.1)."""
    kind = _member(media_type)
    fitting = ((specificity, one.weight) for one in ranges if (specificity := _specificity(one, kind)) >= 0)
    specificity, weight = max(fitting, key=lambda fit: fit[0], default=(0, 0.0))
    return Acceptance(weight, specificity) if weight > 0 else _UNWANTED


def wanted_type(accept: Sequence[str], offered: Sequence[str]) -> str:
    """Return the media type of those offered that a client wants most.

    Args:
        accept: the values of its `Accept` fields.
        offered: the types that can be sent. The first is sent if the client says nothing or accepts none of
            them; of several wanted equally, one that is named wins over one in a range, else the first wins.
    """
    ranges = weighted(accept)
    return max(offered, key=lambda media_type: acceptance(ranges, media_type))


def wanted_coding(accept_encoding: Sequence[str], offered: Sequence[_Coding]) -> _Coding | None:
    """Return the offered content coding that a client wants most, None for none of them.

    Args:
        accept_encoding: the values of its `Accept-Encoding` fields. Without any the answer is sent
            uncompressed, and also if nothing that can be sent is acceptable (12.5.3).
        offered: the codings that can be sent; the first wins among several wanted equally.

    `*` stands for gzip alone: clients that accept anything seldom mean the newest coding.
    """
    members = weighted(accept_encoding)
    weights = {_CODING_ALIASES.get(one.name, one.name): one.weight for one in members}
    if "*" in weights:
        weights = {"gzip": weights["*"], "identity": weights["*"], **weights}
    best = max(offered, key=lambda coding: weights.get(coding, 0.0))
    wanted = weights.get(best, 0.0)
    # If not named, the uncompressed answer is acceptable, but wanted least.
    return best if wanted > 0 and wanted >= weights.get("identity", 0.0) else None


def is_known(if_none_match: Sequence[str], etag: str) -> bool:
    """Return whether a client has the content with an ETag, compared weakly (8.8.3.2, 13.1.2)."""
    if any(field.strip() == "*" for field in if_none_match):
        return True
    return any(etag.removeprefix("W/") in _ENTITY_TAG.findall(field) for field in if_none_match)


def weak(etag: str) -> str:
    """Return the weak form of an ETag, for the same content in other bytes."""
    return etag if etag.startswith("W/") else f"W/{etag}"


def _member(text: str) -> Weighted:
    name, _, rest = text.partition(";")
    parameters = []
    weight = 1.0
    for parameter in _PARAMETERS.findall(rest):
        key, _, value = (part.strip() for part in parameter.partition("="))
        if key.lower() == "q":
            weight = float(value) if _WEIGHT.fullmatch(value) else 0.0
            break
        parameters.append((key.lower(), value.strip('"').lower()))
    return Weighted(name.strip().lower(), frozenset(parameters), weight)


def _specificity(one: Weighted, kind: Weighted) -> int:
    """Return how closely a media range describes a type, -1 if the type is not in it."""
    if one.name in ("*/*", "*"):  # old Java clients send `*` alone
        return 0
    if one.name == f"{kind.name.partition('/')[0]}/*":
        return 1
    asked = one.parameters - {_UTF_8}
    return 2 + len(asked) if one.name == kind.name and asked <= kind.parameters else -1
