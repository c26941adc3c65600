"""`complexes=collapse` of `GET /conjunctions`: one row an encounter with a complex."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.api.client import Client
from tests.api.conftest import plausible, serving
from tests.made_up_run import make_run, publish

ENCOUNTERS, DOCKED = 20, 3


@pytest.fixture
def docked(store: Path) -> Iterator[Client]:
    """Serve a run in which all that meets the first object meets two others docked to it, too."""
    made_up = plausible(make_run(conjunctions=ENCOUNTERS * DOCKED, objects=40))
    rows, numbers = made_up.conjunctions, made_up.elements["norad_id"]
    rows["secondary_complex_id"] = -1
    for encounter in range(ENCOUNTERS):
        of = slice(encounter * DOCKED, (encounter + 1) * DOCKED)
        rows["primary_norad_id"][of] = numbers[:DOCKED]
        rows["primary_complex_id"][of] = numbers[0]
        rows["secondary_norad_id"][of] = numbers[DOCKED + encounter]
        rows["tca"][of] = rows["tca"][of][0] + np.arange(DOCKED) * np.timedelta64(1, "s")
    publish(store, made_up)
    with serving(store) as client:
        yield client


def listed(client: Client, **parameters: object) -> list[dict[str, object]]:
    answer = client.get("/conjunctions", params={"limit": 1000, **parameters})  # type: ignore[dict-item]
    assert answer.status_code == 200, answer.text
    assert answer.json()["total"] == len(answer.json()["conjunctions"])
    return list(answer.json()["conjunctions"])


@pytest.mark.slow
def test_each_encounter_is_told_by_its_most_dangerous_row(docked: Client) -> None:
    every, told = listed(docked), listed(docked, complexes="collapse")
    assert (len(every), len(told)) == (ENCOUNTERS * DOCKED, ENCOUNTERS)
    first = {event["secondary_norad_id"]: event["id"] for event in reversed(every)}
    assert {event["id"] for event in told} == set(first.values())


@pytest.mark.slow
def test_conditions_come_first(docked: Client) -> None:
    (event, *_) = listed(docked)
    others = [
        found
        for found in listed(docked, norad_id=event["secondary_norad_id"])
        if found["primary_norad_id"] != event["primary_norad_id"]
    ]
    told = listed(docked, complexes="collapse", norad_id=others[-1]["primary_norad_id"])
    assert len(told) == ENCOUNTERS  # that object's own rows, though others are more dangerous


@pytest.mark.slow
def test_pages_and_csv_have_the_same_rows(docked: Client) -> None:
    whole = [event["id"] for event in listed(docked, complexes="collapse")]
    found, parameters = [], {"complexes": "collapse", "limit": "7"}
    while True:
        page = docked.get("/conjunctions", params=parameters).json()
        found += [event["id"] for event in page["conjunctions"]]
        if page["next"] is None:
            break
        parameters = {"cursor": page["next"], "limit": "7"}
    assert found == whole
    text = docked.get("/conjunctions", params={"complexes": "collapse"}, headers={"Accept": "text/csv"}).text
    assert len(text.splitlines()) == 1 + ENCOUNTERS


def test_a_cursor_keeps_it(docked: Client) -> None:
    page = docked.get("/conjunctions", params={"limit": 5}).json()
    mixed = docked.get("/conjunctions", params={"cursor": page["next"], "complexes": "collapse"})
    assert mixed.status_code == 422
    assert "complexes is collapse, but the cursor is from a list that was requested without it" in mixed.text


def test_another_word_is_refused(docked: Client) -> None:
    assert docked.get("/conjunctions", params={"complexes": "all"}).status_code == 422
