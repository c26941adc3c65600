"""Messages in words: every kind, as bodies are really made; hostile names change nothing but themselves."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from typing import Any

import pytest

from flows.alerts.bodies import Sender, plain
from flows.alerts.channels.letter import letter
from flows.alerts.channels.slack import escaped, slack_text
from flows.alerts.channels.wording import Wording, wording
from flows.alerts.outbox import event_of
from storage.state.alerts.outbox import Message
from tests.flows.alerts.alerting import EVENT, NOW, body_for

SENDER = Sender(3, 1, "mine", "https://sky.example.org")
UNKNOWN = {
    "probability_level": "unknown",
    "probability_best": None,
    "probability": None,
    "probability_2d": None,
    "probability_method": None,
}
HOSTILE = 'X\r\nBcc: all@example.org\x00 <script>alert(1)</script> <!channel> & "\u202e\U0001f6f0'


def text_of(found: Wording) -> str:
    return "\n".join([found.subject, found.lead, *(item.text for item in found.items), *found.after])


def message(body: Mapping[str, Any]) -> Message:
    return Message("msg_1", 1, 3, str(body["type"]), NOW, NOW, dict(body), "waiting", 0, None, None)


def test_a_new_encounter_is_told_with_its_numbers() -> None:
    found = wording(body_for(3))
    pair = "ISS (ZARYA) and COSMOS <1408> & DEB"
    assert found.subject == f"night & day: critical: {pair}, P 1.2e-04, 123 m, in 15 h 04 min"
    assert found.lead == (
        f"{pair} come within 123 m of each other in 15 h 04 min; the probability of a collision is 1.2e-04, "
        "which is critical."
    )
    assert found.items[0].text == (
        "New: ISS (ZARYA) (25544) and COSMOS <1408> & DEB (43210), closest at 2026-03-02 03:04:05 UTC, in "
        "15 h 04 min, 123 m apart at 14,567 m/s; critical, probability 1.2e-04; near: 123 m."
    )
    assert "Fleet night & day, run 20260301T115900Z: 1 new conjunction." in found.after


@pytest.mark.parametrize(
    ("changed", "subject", "lead"),
    [
        (
            {"change": "raised", "before": {"level": "high", "probability": 2e-5}},
            "raised to critical: A and B, P 1.2e-04, 123 m, in 15 h 04 min",
            "which is critical. This has become worse (was high, probability 2.0e-05).",
        ),
        (
            {
                "change": "eased",
                "before": {"level": "critical", "probability": 2e-4},
                "probability_level": "low",
                "probability_best": 1e-9,
                "near_level": None,
            },
            "eased to low: A and B, P 1.0e-09, 123 m, in 15 h 04 min",
            "A and B have eased (was critical, probability 2.0e-04): now low, probability 1.0e-09; near",
        ),
        ({"change": "resolved"}, "no longer found: A and B", "A and B are no longer expected to come close."),
        ({"change": "closed"}, "passed: A and B", "A and B have passed each other."),
        (UNKNOWN, "unknown: A and B, no probability could be computed, 123 m, in", "no probability could be"),
    ],
)
def test_subject_and_first_sentence_state_the_point(changed: dict[str, Any], subject: str, lead: str) -> None:
    found = wording(body_for(3, name="A", other_name="B", **changed))
    assert found.subject.startswith(f"night & day: {subject}")
    assert lead in found.lead
    assert (found.drawn is None) == (changed.get("change") in ("resolved", "closed"))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"again": True}, "Again: ISS"),
        (
            {"change": "raised", "before": {"level": "high", "probability": 2e-5}},
            "critical, probability 1.2e-04; near: 123 m (was high, probability 2.0e-05).",
        ),
        (
            {"change": "raised", "before": {"level": "unknown", "probability": None}},
            "(was unknown: no probability could be computed).",
        ),
        (  # has waited since an earlier release
            {"change": "raised", "before": {"risk_level": "high", "probability": 2e-5}},
            "(was high, probability 2.0e-05).",
        ),
        ({"change": "resolved"}, "two consecutive runs no longer found it."),
        (
            {"change": "resolved", "reason": "25544 left the fleet"},
            "Closest at 2026-03-02 03:04:05 UTC: 25544 left",
        ),
        ({"change": "closed"}, "The closest approach at 2026-03-02 03:04:05 UTC has passed."),
        (
            {"probability_best": None, "probability": None, "probability_2d": None, "probability_mc": 3e-3},
            "critical, probability 3.0e-03; near",
        ),
        ({"probability_method": "bound"}, "; critical, probability at most 1.2e-04; near: 123 m."),
        ({"probability_method": "3d"}, "critical, probability 1.2e-04 in three dimensions; near"),
        ({"probability_method": "trajectory_mc"}, "critical, probability 1.2e-04 from sampled trajectories;"),
        (UNKNOWN, "; unknown: no probability could be computed; near: 123 m."),
        (UNKNOWN | {"encounter": "slow"}, "; unknown: a slow visit has no probability; near: 123 m."),
        ({"miss_distance_m": 1000.0, "near_level": None}, "critical, probability 1.2e-04."),
        ({"relative_speed_m_s": 167.4}, "123 m apart at 167 m/s; critical"),
        ({"relative_speed_m_s": None}, "123 m apart; critical"),
        (
            {"diluted": True, "manoeuvring": [43210]},
            "near: 123 m; diluted: better data may raise it; COSMOS <1408> & DEB manoeuvres.",
        ),
        (
            {"departed": [25544]},
            "; ISS (ZARYA) flies another path than its element set, by its operator's ephemeris.",
        ),
        (
            {"catastrophic": True, "fragments_10cm": 1210.7},
            "near: 123 m. A collision would shatter both; about 1,200 pieces of 10 cm or more.",
        ),
    ],
)
def test_each_change_has_its_words(changed: dict[str, Any], expected: str) -> None:
    assert expected in wording(body_for(3, **changed)).items[0].text


def test_all_changes_of_a_run_are_counted_and_those_left_out_too() -> None:
    body = body_for(3)
    body["data"] |= {"counts": {"new": 20, "raised": 1, "resolved": 0, "closed": 4}, "more": 5}
    found = wording(body)
    assert found.subject.endswith("; 24 more")
    assert "Fleet night & day, run 20260301T115900Z: 20 new, 1 raised, 4 passed conjunctions." in found.after
    assert found.rest(1) == "And 5 more, less dangerous or past."  # these come last, whatever their level


def test_a_day_names_each_satellite() -> None:
    worst = {name: EVENT[name] for name in EVENT if not name.startswith("miss_radial")}
    data = {
        "run_id": "20260301T115900Z",
        "window_start": "2026-03-01T12:00:00Z",
        "window_end": "2026-03-02T12:00:00Z",
        "counts": {"satellites": 4, "with_events": 1, "missing": 1},
        "satellites": [{"norad_id": 5, "name": "VANGUARD 1", "events": 2, "worst": worst}],
        "quiet": [[11, "VANGUARD 2"], [20, "VANGUARD 3"]],
        "missing": [99999],
        "more": 0,
    }
    text = text_of(wording(plain("fleet.daily", SENDER, data, NOW)))
    for expected in (
        "mine: today, 1 of 4 satellites have conjunctions",
        "VANGUARD 1 (5): 2 conjunctions; the worst with COSMOS <1408> & DEB (43210) at 2026-03-02 03:04:05",
        "No conjunctions ahead for: VANGUARD 2 (11), VANGUARD 3 (20).",
        "Not in the catalogue: 99999.",
    ):
        assert expected in text
    data |= {"satellites": [], "counts": {"satellites": 2, "with_events": 0, "missing": 0}, "missing": []}
    assert wording(plain("fleet.daily", SENDER, data, NOW)).subject == "mine: today, no conjunctions ahead"


def test_runs_and_the_catalogue_have_words() -> None:
    attempt = {
        "started": "2026-03-01T11:00:00Z",
        "finished": "2026-03-01T11:01:00Z",
        "source": "celestrak",
        "stage": "read",
        "reason": "celestrak.org cannot be reached.",
    }
    run = {
        "run_id": "20260301T060000Z",
        "started": "2026-03-01T06:00:00Z",
        "age_hours": 13.5,
        "refresh_hours": 6.0,
    }
    sets = {
        "run_id": "20260301T060000Z",
        "newest_epoch": "2026-03-01T06:00:00Z",
        "age_hours": 26.0,
        "decision": "last_good",
        "reason": "it has 10 objects.",
    }
    for kind, data, expected in (
        ("run.failed", {"attempt": attempt}, "has failed (read): celestrak.org cannot be reached."),
        ("run.recovered", {"attempt": attempt, "run_id": "r"}, "runs succeed again"),
        ("catalogue.stale", run, "is 13.5 h old; one is due every 6 h."),
        ("catalogue.recovered", run, "the catalogue is fresh again"),
        ("element_sets.old", sets, "uses sets that are 26 h old (last_good): it has 10 objects."),
        ("element_sets.recovered", sets, "uses new element sets, of 2026-03-01 06:00:00 UTC"),
        ("test", {}, "this is a test"),
        ("something.new", {"a": 1}, "something.new"),
    ):
        assert expected in text_of(wording(plain(kind, SENDER, data, NOW)))
    endpoint = {
        "alert_id": 2,
        "channel": "webhook",
        "address": "https://example.org/",
        "reason": "answered 410.",
    }
    text = text_of(wording(plain("endpoint.off", SENDER, {"endpoint": endpoint}, NOW)))
    assert "alert 2 is switched off" in text
    assert "skysieve alerts on 2" in text


class Elements(HTMLParser):
    """Collects the elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.add(tag)


def hostile_body() -> dict[str, Any]:
    body = body_for(3, name=HOSTILE, other_name=HOSTILE, url='https://sky.example.org/"><script>')
    body["data"]["fleet"]["name"] = HOSTILE
    return body


def test_hostile_names_make_no_header_and_no_element() -> None:
    body = hostile_body()
    made = letter(message(body), wording(body), "skysieve@example.org", "desk@example.org")
    found = message_from_bytes(made.as_bytes(), policy=policy.default)
    assert isinstance(found, EmailMessage)
    assert set(found.keys()) == {
        *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"),
    }
    assert found["Bcc"] is None
    assert len(found.get_all("Subject") or []) == 1
    html = found.get_body(["html"])
    assert html is not None
    parser = Elements()
    parser.feed(html.get_content())
    assert parser.names == {
        *("html", "head", "meta", "title", "style", "body"),
        *("table", "tr", "td", "h1", "div", "span", "p", "a"),
    }
    assert made.as_bytes().isascii()
    assert max(map(len, made.as_bytes().split(b"\r\n"))) <= 998  # RFC 5322


def test_slack_gets_escaped_text_within_its_limits() -> None:
    body = hostile_body()
    body["data"]["events"] *= 60
    content = json.loads(slack_text(wording(body)))
    assert set(content) == {"text", "blocks"}
    assert len(content["blocks"]) <= 50
    for block in content["blocks"]:
        text = block["text"]
        assert text["type"] == "plain_text"  # bold, links and mentions are letters there
        assert len(text["text"]) <= (150 if block["type"] == "header" else 3000)
        for field in block.get("fields", ()):
            assert field["verbatim"] is True
            assert field["text"].endswith("|Open the event>")
    assert "<!channel>" not in content["text"]
    assert "<script>" not in content["text"]
    sections = [block["text"]["text"] for block in content["blocks"] if block["type"] == "section"]
    assert "<script>alert(1)" in sections[0]
    assert escaped("a<b>&c") == "a&lt;b&gt;&amp;c"  # as Slack's reference says
    assert escaped("@channel #ops") == "@\u200bchannel #\u200bops"


def test_the_newest_messages_have_links_to_the_page() -> None:
    url = "https://sky.example.org/#/event/123456789"
    body = body_for(3, url=url)
    made = letter(message(body), wording(body), "skysieve@example.org", "desk@example.org")
    plain_text = made.get_body(["plain"])
    assert plain_text is not None
    assert url in plain_text.get_content()
    assert f"<{url}|Open the event>" in slack_text(wording(body))


def test_the_fixture_of_a_body_is_one_that_is_sent() -> None:
    """What these tests put into words has the fields of `event_of`."""
    row = dict.fromkeys(
        [
            "primary_norad_id",
            "secondary_norad_id",
            "event_id",
            "risk_level",
            "probability_level",
            "probability_method",
            "catastrophic",
            "fragments_10cm",
            "encounter",
            "probability",
        ],
        1,
    ) | dict.fromkeys(
        ["probability_best", "probability_2d", "probability_mc", "miss_distance_m", "relative_speed_m_s"], 1.0
    )
    row |= dict.fromkeys(["primary_name", "secondary_name", "volume"], "")
    row |= dict.fromkeys(["diluted", "primary_manoeuvring", "secondary_manoeuvring"], True)
    row |= dict.fromkeys(["norad_id", "miss_radial_km", "miss_in_track_km", "miss_cross_track_km"], 1)
    row["tca"] = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(hours=1)
    row["fleet_hard_body_radius_m"] = None
    assert set(event_of(row)) | {"change", "api"} == set(EVENT)
