"""Who gives way: all pairs of classes against a table written by hand, and the class of real satellites."""

import re
from collections.abc import Iterator
from typing import cast

import numpy as np
import pytest

from screening.risk.objects.bodies.in_use import Movers, statuses, who_can_manoeuvre
from screening.risk.objects.bodies.right_of_way import ByMessage, Mover, mover, right_of_way
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.vocabulary import MANOEUVRE_CLASSES, OBJECT_TYPES, CanManoeuvre, ManoeuvreClass
from tests.screening.risk.objects.bodies.fifty_pairs import PAIRS, UNKNOWN

# Rows: the primary; columns: the secondary. P and S give way, A agree, - nobody can, ? unknown.
TABLE = """
            none minimal manual automated crewed unknown
none        -    S       S      S         S      ?
minimal     P    A       S      S         S      ?
manual      P    P       A      S         P      ?
automated   P    P       P      A         P      ?
crewed      P    P       S      S         A      ?
unknown     ?    ?       ?      ?         ?      ?
"""
WORDS = {"P": "primary", "S": "secondary", "A": "agree", "-": "neither", "?": "unknown"}


def pairs() -> list[tuple[ManoeuvreClass, ManoeuvreClass, str]]:
    head, *rows = (line.split() for line in TABLE.strip().splitlines())
    return [
        (row[0], column, WORDS[letter])  # type: ignore[misc]
        for row in rows
        for column, letter in zip(head, row[1:], strict=True)
    ]


def test_the_table_has_all_pairs() -> None:
    wanted = {(one, other) for one in MANOEUVRE_CLASSES for other in MANOEUVRE_CLASSES}
    assert {(one, other) for one, other, _ in pairs()} == wanted


@pytest.mark.parametrize(("primary", "secondary", "expected"), pairs())
def test_who_gives_way(primary: ManoeuvreClass, secondary: ManoeuvreClass, expected: str) -> None:
    assert right_of_way(primary, secondary) == expected


@pytest.mark.parametrize(
    ("name", "can", "expected"),
    [
        ("ISS (ZARYA)", "yes", "crewed"),
        ("CSS (TIANHE)", "unknown", "crewed"),
        ("CREW DRAGON 8", "yes", "crewed"),
        ("ISS DEB", "no", "none"),
        ("STARLINK-1008", "yes", "automated"),
        ("STARLINK-1008", "no", "none"),
        ("STARLINK-1008", None, "unknown"),
        ("FLOCK 4Q-1", "no", "none"),  # out of use
        ("SENTINEL-1A", "yes", "manual"),
        ("LAGEOS 1", "no", "none"),
        ("COSMOS 2251 DEB", "no", "none"),
        ("NOBODY KNOWS", "unknown", "unknown"),
    ],
)
def test_the_class_of_an_object(name: str, can: CanManoeuvre | None, expected: str) -> None:
    assert mover(name, "inactive" if can == "no" else "active", can, "why").manoeuvre_class == expected


def test_drag_alone_is_little_but_not_nothing() -> None:
    assert mover("FLOCK 4Q-1", "active", "no", "no thrusters").manoeuvre_class == "minimal"


# Who says what of a satellite, and what counts; `?`: says nothing. Seen: manoeuvres that its sets show.
PRECEDENCE = """
name          operator   message  status  seen  counts     whose
SENTINEL-1A   automated  no       yes     no    automated  operator
SENTINEL-1A   none       yes      yes     yes   none       operator
STARLINK-1008 manual     yes      yes     yes   manual     operator
CSS (TIANHE)  manual     ?        ?       no    manual     operator
FLOCK 4Q-1    none       yes      no      no    none       operator
CSS (TIANHE)  ?          no       no      no    crewed     name
FLOCK 4Q-1    ?          yes      no      no    minimal    name
SENTINEL-1A   ?          no       yes     no    none       message
SENTINEL-1A   ?          no       yes     yes   manual     status
SENTINEL-1A   ?          yes      no      no    manual     message
SENTINEL-1A   ?          yes      ?       no    manual     message
SENTINEL-1A   ?          no       ?       no    none       message
SENTINEL-1A   ?          ?        yes     no    manual     status
SENTINEL-1A   ?          ?        no      no    none       status
SENTINEL-1A   ?          ?        ?       no    unknown    status
"""


@pytest.mark.parametrize("line", PRECEDENCE.strip().splitlines()[1:])
def test_an_operator_goes_before_names_these_before_messages_these_before_the_status(line: str) -> None:
    match = re.fullmatch(r"(.+?)  ?(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)", line)
    assert match
    name, operator, message, status, seen, counts, whose = match.groups()
    found = mover(
        name.strip(),
        "active",
        None if status == "?" else cast("CanManoeuvre", status),
        "status",
        seen=seen == "yes",
        operator=None if operator == "?" else Mover(cast("ManoeuvreClass", operator), "operator", said=True),
        message=None if message == "?" else ByMessage(cast("CanManoeuvre", message), "message"),
    )
    assert found.manoeuvre_class == counts
    assert found.reason == whose or whose == "name"
    assert found.said == (whose in ("operator", "message"))


def test_nobody_can_say_that_debris_is_steered() -> None:
    said = Mover("automated", "operator", said=True)
    found = mover("COSMOS 2251 DEB", "inactive", "no", "debris", steered=False, operator=said)
    assert found == Mover("none", "debris")


def test_a_reason_is_kept() -> None:
    assert (
        mover("SENTINEL-1A", "active", "yes", "manoeuvre seen on 2024-10-30").reason
        == "manoeuvre seen on 2024-10-30"
    )


def test_fifty_real_pairs_agree_with_labels_by_hand() -> None:
    """Where a name and a mark say enough, the label is the same; elsewhere it is unknown, never wrong."""
    form = re.compile(r"(.+?)\s+([-+PBX?]) (.+?)\s+([-+PBX?]) ([PSA-])")
    matches = [form.fullmatch(line) for line in PAIRS.strip().splitlines()]
    labels = [one.groups() for one in matches if one]
    assert len(labels) == len(matches) == 50
    movers = dict(of_list([(name, mark) for one in labels for name, mark in (one[:2], one[2:4])]))
    answers = {
        (first, second): right_of_way(movers[first].manoeuvre_class, movers[second].manoeuvre_class)
        for first, _, second, *_ in labels
    }
    differing = {
        first: answers[first, second]
        for first, _, second, _, label in labels
        if answers[first, second] != WORDS[label]
    }
    assert differing == dict.fromkeys(UNKNOWN, "unknown")


def of_list(marked: list[tuple[str, str]]) -> Iterator[tuple[str, Mover]]:
    """Return names with their movers, by nothing but the name and SOCRATES' mark."""
    kinds = [
        "debris" if "DEB" in n or "COOLANT" in n else "rocket_body" if "R/B" in n else "payload"
        for n, _ in marked
    ]
    types = np.array([OBJECT_TYPES.index(kind) for kind in kinds], np.int8)
    words = {"-": "nonoperational", "?": "unknown"}
    lately = np.zeros(len(marked), bool)
    used = statuses(types, np.array([words.get(mark, "operational") for _, mark in marked]), lately)
    names = np.array([name for name, _ in marked])
    can, why = who_can_manoeuvre(
        Movers(
            of_stations=lately,
            names=names,
            object_types=types,
            statuses=used,
            last_manoeuvre=np.full(len(marked), np.datetime64("NaT", "us")),
            error_classes=np.full(len(marked), ERROR_CLASSES.index("ballistic"), np.int8),
            masses_kg=np.full(len(marked), np.nan),
        )
    )
    for name, status, answer, reason in zip(names, used, can, why, strict=True):
        yield str(name), mover(str(name), str(status), answer, str(reason))
