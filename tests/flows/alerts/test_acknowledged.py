"""What a person has taken on is told again only if its level rises, or when it is over; others are told."""

from pathlib import Path
from typing import Any

import pytest

from flows.alerts.acknowledged import put_intents
from flows.alerts.channels.letter import letter
from flows.alerts.channels.wording import wording
from flows.alerts.worker import advance
from screening.vocabulary import ProbabilityLevel
from storage.state.alerts.acknowledgements import NewAcknowledgement, acknowledge
from storage.state.alerts.outbox import Message
from storage.state.fleets import FleetObject, NewFleet, create_fleet
from storage.state.operators.intents import NewIntent, state_intent
from storage.state.whose.organisations import add_organisation
from tests.flows.alerts.made_up_days import Meeting, at
from tests.flows.alerts.test_outbox import MEETING, Watched

HIGH = Meeting(0, 20, at(40), "high", 1.2e-5)
MEDIUM = HIGH._replace(level="medium", probability=1.2e-6)
NOTE = "<b>Asked</b> & waiting"


def take(watched: Watched, message: Message, hours: float, level: ProbabilityLevel, **more: Any) -> int:
    event_id = message.body["data"]["events"][0]["event_id"]
    new = NewAcknowledgement(event_id, "Ana", NOTE, "desk", **more)
    return acknowledge(watched.store, new, level, (more.get("withdrawn") and 1) or None, at(hours)).id


def changes(messages: list[Message]) -> list[str]:
    return [one["change"] for message in messages for one in message.body["data"].get("events", [])]


@pytest.mark.slow
def test_tenfold_within_the_level_is_not_reported_and_a_higher_level_is(store: Path) -> None:
    watched = Watched(store, level="low")
    watched.note(0, MEDIUM)
    (first,) = watched.deliver(0.1)
    take(watched, first, 0.2, "high")  # it looked worse to who took it on
    watched.note(6, MEDIUM._replace(probability=5e-5, level="high"))
    assert changes(watched.deliver(6.1)) == []
    assert watched.waiting() == []
    watched.note(12, MEDIUM._replace(probability=2e-4, level="critical"))
    (raised,) = watched.deliver(12.1)
    (event,) = raised.body["data"]["events"]
    assert (event["change"], event["before"]["level"]) == ("raised", "medium")
    told = event["acknowledged"]
    assert (told["name"], told["note"], told["at"]) == ("Ana", NOTE, "2026-11-21T06:12:00Z")
    assert f"Ana has had this since 2026-11-21 06:12 Z: {NOTE}." in wording(raised.body).items[0].text


@pytest.mark.slow
def test_once_it_is_let_go_what_was_held_back_is_reported(store: Path) -> None:
    watched = Watched(store, level="low")
    watched.note(0, MEDIUM)
    (first,) = watched.deliver(0.1)
    take(watched, first, 0.2, "high")
    watched.note(6, MEDIUM._replace(probability=5e-5, level="high"))
    assert changes(watched.deliver(6.1)) == []
    take(watched, first, 6.2, "high", withdrawn=True)
    watched.note(12, MEDIUM._replace(probability=5e-5, level="high"))
    assert changes(watched.deliver(12.1)) == ["raised"]


@pytest.mark.slow
def test_its_end_is_reported(store: Path) -> None:
    watched = Watched(store, level="low")
    watched.note(0, MEETING)
    (first,) = watched.deliver(0.1)
    take(watched, first, 0.2, "high")
    watched.note(6)
    watched.note(12)
    assert changes(watched.deliver(12.1)) == ["resolved"]


@pytest.mark.slow
def test_what_is_critical_and_taken_on_holds_to_the_digest(store: Path) -> None:
    watched = Watched(store, level="low", digest_hours=12.0)
    critical = HIGH._replace(level="critical", probability=1.2e-4)
    watched.note(0, critical)
    (first,) = watched.deliver(0.1)
    take(watched, first, 0.2, "critical")
    watched.note(1, critical._replace(probability=5e-3), Meeting(1, 21, at(39)))
    assert watched.deliver(1.1) == []
    (later,) = watched.deliver(12.2)
    assert changes([later]) == ["new"]


def test_webhooks_are_told_who_has_it_and_mail_if_it_wants(store: Path) -> None:
    watched = Watched(store, level="low")
    hook = watched.add("https://example.org/hook", level="low")
    mail = watched.add(level="low", acknowledgements=True)
    watched.add("https://example.org/later", level="critical", near_m=None)  # has not heard of the event
    watched.note(0, HIGH)
    (first, *_) = watched.deliver(0.1)
    event = first.body["data"]["events"][0]
    assert told(watched, 0.15) == []
    take(watched, first, 0.2, "high")
    messages = told(watched, 0.3)
    assert {one.alert_id for one in messages} == {hook, mail}
    data = messages[0].body["data"]
    assert (data["acknowledgement"]["name"], data["event_id"]) == ("Ana", event["event_id"])
    assert data["url"] == event["url"]
    assert wording(messages[0].body).lead == f"Ana has had this since 2026-11-21 06:12 Z: {NOTE}."
    assert told(watched, 0.4) == []
    take(watched, first, 0.5, "high", withdrawn=True)
    assert [one.body["data"]["acknowledgement"]["withdrawn"] for one in told(watched, 0.6)] == [True, True]


def told(watched: Watched, hours: float) -> list[Message]:
    """Let time pass, deliver what is due, and return what says who has an event."""
    advance(watched.settings, at(hours))
    return [one for one in watched.deliver(hours) if one.kind == "acknowledged"]


@pytest.mark.slow
def test_what_an_operator_intends_is_told_and_escaped_in_mail(store: Path) -> None:
    """Alerts of other organisations tell it too."""
    watched = Watched(store, level="low", acknowledgements=True)
    watched.note(0, HIGH)
    (first,) = watched.deliver(0.1)
    event = first.body["data"]["events"][0]
    other = int(event["other_norad_id"])
    put_intents(watched.settings, at(0.1))
    beta = add_organisation(store, "Beta <i>").id
    new = NewIntent(event["event_id"], other, "X", "will_move", at(8), NOTE, organisation_id=beta)
    state_intent(store, new, at(0.2))
    contact = "<script>, <b>@example.org, +49 <u>30</u>"
    create_fleet(store, NewFleet("theirs", (FleetObject(other),), contact=contact), at(0.2))
    put_intents(watched.settings, at(0.3))
    (told,) = [one for one in watched.deliver(0.4) if one.body["type"] == "intent"]
    said = wording(told.body)
    assert "X: its operator will move, 2026-11-21 14:00 UTC (Beta <i>, " in said.subject
    assert told.body["data"]["intent"]["move_at"] == "2026-11-21T14:00:00Z"
    put_intents(watched.settings, at(0.5))
    assert watched.deliver(0.6) == []
    watched.note(6, HIGH._replace(level="critical", probability=3e-4))
    (raised,) = watched.deliver(6.1)
    (event,) = raised.body["data"]["events"]
    assert [one["intent"] for one in event["intents"]] == ["will_move"]
    assert event["whom_to_ask"]["contact"] == contact
    mail = letter(raised, wording(raised.body), "sky@example.org", "desk@example.org")
    page = mail.get_body(("html",))
    assert page is not None
    text = page.get_content()
    assert "&lt;b&gt;@example.org" in text
    assert "its operator will move" in text
    assert not [tag for tag in ("<script>", "<u>", "<i>", "<b>") if tag in text]
