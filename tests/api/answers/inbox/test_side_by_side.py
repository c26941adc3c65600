"""One encounter as several tell it: one table, and which to trust."""

import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from storage.disk.downloads import AcceptedText, SourceHistory, catalogues_locked, keep, write_history
from storage.messages.origins import CONTACTS, MESSAGES
from tests.api.answers.inbox.sent import changed, covariance, hand_in, value
from tests.api.client import Client
from tests.made_up_run import WINDOW_START
from tests.screening.risk.message_texts import SUMMARY

MADE = WINDOW_START - timedelta(hours=3)
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def first_event(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/conjunctions?limit=1").json()["conjunctions"][0]
    return found


def message(client: Client, event: int, sender: str, hours: float, method: str = "CALCULATED") -> str:
    """Our own prediction as if a sender had made it, hours after MADE."""
    made = f"{MADE + timedelta(hours=hours):%Y-%m-%dT%H:%M:%S}"
    lines = client.get(f"/conjunctions/{event}/cdm").text
    for keyword, text in (
        ("ORIGINATOR", sender),
        ("CREATION_DATE", made),
        ("MESSAGE_ID", f"{sender}-{hours}"),
        ("COVARIANCE_METHOD", method),
    ):
        lines = re.sub(rf"^({keyword} *= ).*", rf"\g<1>{text}", lines, flags=re.MULTILINE)
    return re.sub(r"^COLLISION_PROBABILITY.*\n", "", lines, flags=re.MULTILINE)


def beside(client: Client, event: int, **query: str) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"/conjunctions/{event}", params=query).json()
    return answer


@pytest.mark.slow
def test_the_newest_message_of_each_sender_stands_beside_ours(served: Client) -> None:
    event = first_event(served)["id"]
    assert beside(served, event)["side_by_side"] is None
    theirs = message(served, event, "CSPOC 2", 1)
    both = sum(covariance(theirs, who) for who in (0, 1))
    shift_m = 9.0 * np.linalg.cholesky(both) @ [0.6, 0.0, 0.8]
    for axis, name in enumerate("XYZ"):
        theirs = changed(theirs, 1, name, value(theirs, 1, name) + shift_m[axis] / 1000)
    for one in (message(served, event, "OWNER", 0), message(served, event, "OWNER", 2), theirs):
        assert hand_in(served, one).status_code == 201
    found = beside(served, event, restricted="true")["side_by_side"]
    rows = found["rows"]
    assert [row["who"] for row in rows] == ["skysieve", "OWNER", "CSPOC 2"]
    assert [row["covariance"] for row in rows] == ["law", "measured", "measured"]
    assert rows[1]["made_at"].startswith(f"{MADE + timedelta(hours=2):%Y-%m-%dT%H:%M}")
    assert sum(row["newest"] for row in rows) == 1
    # The first two are the same prediction; the third is apart from both alike.
    assert rows[0]["sigmas_apart"][0] is None
    assert rows[0]["sigmas_apart"][1] == pytest.approx(0.0, abs=1e-4)
    assert rows[0]["sigmas_apart"][2] == pytest.approx(rows[1]["sigmas_apart"][2], rel=1e-3)
    assert rows[2]["sigmas_apart"][0] == rows[0]["sigmas_apart"][2] > 5.0
    # One sigma along the miss, by the message's own matrices.
    relative = np.array([value(theirs, 1, name) - value(theirs, 0, name) for name in "XYZ"])
    along = relative / np.linalg.norm(relative)
    wanted = np.sqrt(along @ sum(covariance(theirs, who) for who in (0, 1)) @ along)
    assert rows[2]["miss_sigma_m"] == pytest.approx(wanted, rel=1e-5)
    assert found["words"].startswith("Trust OWNER: of those with measured covariances")
    assert "CSPOC 2 are" in found["words"]
    assert "sigmas apart" in found["words"]


@pytest.mark.slow
def test_defaults_of_a_sender_are_no_measurement(served: Client) -> None:
    event = first_event(served)["id"]
    assert hand_in(served, message(served, event, "OTHER", 1, "DEFAULT")).status_code == 201
    found = beside(served, event)["side_by_side"]
    assert [row["covariance"] for row in found["rows"]] == ["law", "law"]
    assert found["words"].startswith("Which to trust is unknown: none rests on measured covariances.")


@pytest.mark.slow
def test_an_operators_ephemeris_is_named(served: Client) -> None:
    event = first_event(served)["id"]
    one = message(served, event, "OWNER", 1)
    owners = re.sub(r"^(EPHEMERIS_NAME *= ).*", r"\g<1>OWN_EPHEMERIS.OEM", one, count=1, flags=re.MULTILINE)
    assert hand_in(served, owners).status_code == 201
    assert hand_in(served, message(served, event, "OTHER", 0)).status_code == 201
    found = beside(served, event)["side_by_side"]
    row = next(row for row in found["rows"] if row["who"] == "OWNER")
    assert len(row["on_ephemerides_of"]) == 1
    assert found["words"].startswith("Trust OWNER: it rests on the operator's ephemeris of ")


def test_a_summary_has_neither_states_nor_sigmas(served: Client) -> None:
    event = first_event(served)
    row = SUMMARY | {"SAT_1_ID": str(event["primary_norad_id"]), "SAT_2_ID": str(event["secondary_norad_id"])}
    times = {"CREATED": f"{MADE:%Y-%m-%d %H:%M:%S.%f}", "TCA": event["tca"].removesuffix("Z")}
    assert hand_in(served, json.dumps([row | times])).status_code == 201
    assert beside(served, event["id"])["side_by_side"] is None  # restricted
    told = beside(served, event["id"], restricted="true")["side_by_side"]["rows"][1]
    assert (told["covariance"], told["miss_sigma_m"], told["sigmas_apart"]) == ("none", None, [None, None])
    assert (told["miss_distance_m"], told["probability"]) == (886.0, pytest.approx(0.000173503))


def test_no_message_says_who_was_asked(served: Client, store: Path) -> None:
    event = first_event(served)
    never = [one["words"] for one in beside(served, event["id"])["origins"]]
    assert never == [
        "Space-Track: not asked, since no run had a login for it.",
        "TraCSS: not asked, since no run had a login for it.",
    ]
    public = SourceHistory("https://x.example/basicspacedata/query/class/cdm_public/TCA", requested_at=NOON)
    stream = SourceHistory(
        f"https://y.example{MESSAGES}",
        requested_at=NOON + timedelta(hours=1),
        answered_at=NOON,
        read_since=NOON - timedelta(days=3),
    )
    with catalogues_locked(store, 5.0):
        write_history(store, public)
        write_history(store, stream)
    said = [one["words"] for one in beside(served, event["id"])["origins"]]
    assert said[0] == "Space-Track: asked 2026-11-27 12:00 Z, no usable answer yet."
    assert said[1] == (
        "TraCSS: asked 2026-11-27 12:00 Z, none about this encounter among the messages to this login "
        "since 2026-11-24 12:00 Z; asked again 2026-11-27 13:00 Z without a usable answer."
    )
    with catalogues_locked(store, 5.0):
        write_history(store, replace(public, answered_at=NOON))
    assert (
        "none about this encounter; its public messages are a selection"
        in (beside(served, event["id"])["origins"][0]["words"])
    )


@pytest.mark.parametrize("covered", [True, False])
def test_whom_tracss_does_not_screen_for_is_told(served: Client, store: Path, covered: bool) -> None:
    event = first_event(served)
    number = event["primary_norad_id"] if covered else 999_999
    operator = {
        "organization": "MADE UP",
        "operationalContactEmails": "ops@example.org",
        "noradIdList": [str(number)],
    }
    text = json.dumps([operator]).encode()
    with catalogues_locked(store, 5.0):
        keep(
            store,
            SourceHistory(f"https://y.example{CONTACTS}", requested_at=NOON),
            AcceptedText(hashlib.sha256(text).hexdigest(), NOON, NOON, 1, 1.0),
            text,
        )
    said = beside(served, event["id"])["origins"][1]["words"]
    with_contact = beside(served, event["id"], restricted="true")["origins"][1]["words"]
    assert (f"{event['primary_name']} is in its directory of operators." in said) == covered
    assert ("Neither object is in its directory of operators" in said) == (not covered)
    assert "ops@example.org" not in said
    assert ("is in its directory of operators: MADE UP (ops@example.org)." in with_contact) == covered
