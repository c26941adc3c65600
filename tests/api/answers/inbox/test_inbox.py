"""The inbox over HTTP: messages beside ours with the difference in sigmas, and files of any kind."""

import gzip
import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from api.models.inbox import InboxFile
from tests.api.answers.inbox.sent import (
    COVARIANCE,
    axes,
    changed,
    covariance,
    hand_in,
    inbox,
    of_another,
    value,
)
from tests.api.client import Client
from tests.made_up_run import WINDOW_START
from tests.screening.risk.message_texts import SUMMARY
from tests.storage.messages.received import taken, text

MADE = WINDOW_START - timedelta(hours=3)


@pytest.mark.slow
@pytest.mark.parametrize(("by_sigmas", "scale"), [(0.4, 2.0), (3.0, 0.5), (9.0, 1.0)])
def test_sigmas_apart_are_those_of_an_own_computation(served: Client, by_sigmas: float, scale: float) -> None:
    """Their object 2 lies elsewhere, and their errors are `scale` times ours."""
    event = served.get("/conjunctions?limit=1").json()["conjunctions"][0]
    ours = of_another(served.get(f"/conjunctions/{event['id']}/cdm").text)
    both = sum(covariance(ours, who) for who in (0, 1))
    shift_m = by_sigmas * np.linalg.cholesky(both) @ [0.6, 0.0, 0.8]
    theirs = ours
    for axis, name in enumerate("XYZ"):
        theirs = changed(theirs, 1, name, value(ours, 1, name) + shift_m[axis] / 1000)
    for who in (0, 1):
        for name in COVARIANCE:
            theirs = changed(theirs, who, name, value(ours, who, name) * scale**2)
    # The covariance of object 2 is along the axes where it now is.
    together = both + sum(covariance(theirs, who) for who in (0, 1))
    wanted = float(np.sqrt(shift_m @ np.linalg.solve(together, shift_m)))
    answer = hand_in(served, theirs)
    assert answer.status_code == 201, answer.text
    ((one,),) = (found["messages"] for found in inbox(served))
    assert one["sigmas_apart"] == pytest.approx(wanted, rel=1e-6)
    said = "agree" if wanted < 2.795 else "1 in 20" if wanted < 4.033 else "is wrong"
    assert one["apart"].startswith(f"{wanted:.1f} sigmas of both covariances apart")
    assert said in one["apart"]
    relative_m = [(value(theirs, 1, name) - value(theirs, 0, name)) * 1000 for name in "XYZ"]
    along = [one[f"miss_{part}_m"] for part in ("radial", "in_track", "cross_track")]
    np.testing.assert_allclose(along, axes(theirs, 0) @ relative_m, atol=1e-3)
    (shown,) = served.get(f"/conjunctions/{event['id']}").json()["messages"]
    assert shown["sigmas_apart"] == one["sigmas_apart"]


@pytest.mark.slow
def test_from_the_other_object_the_sigmas_are_the_same(served: Client) -> None:
    event = served.get("/conjunctions?limit=1").json()["conjunctions"][0]
    ours = of_another(served.get(f"/conjunctions/{event['id']}/cdm").text)
    answer = hand_in(served, changed(ours, 1, "X", value(ours, 1, "X") + 0.5))
    assert answer.status_code == 201, answer.text
    seen = [
        served.get(f"/conjunctions/{event['id']}", params={"from": event[f"{who}_norad_id"]}).json()
        for who in ("primary", "secondary")
    ]
    first, second = (one["messages"][0]["sigmas_apart"] for one in seen)
    assert first == pytest.approx(second, rel=1e-9)


@pytest.mark.slow
def test_what_has_no_states_says_so(served: Client) -> None:
    event = served.get("/conjunctions?limit=1").json()["conjunctions"][0]
    row = SUMMARY | {"SAT_1_ID": str(event["primary_norad_id"]), "SAT_2_ID": str(event["secondary_norad_id"])}
    times = {"CREATED": f"{MADE:%Y-%m-%d %H:%M:%S.%f}", "TCA": event["tca"].removesuffix("Z")}
    assert hand_in(served, json.dumps([row | times])).status_code == 201
    assert inbox(served) == []
    (found,) = inbox(served, restricted="true")
    (message,) = found["messages"]
    assert (message["sigmas_apart"], message["miss_radial_m"]) == (None, None)
    assert "the message has no usable states or covariances" in found["words"]


@pytest.mark.slow
def test_encounters_are_chosen_and_the_newest_message_leads(store: Path, served: Client) -> None:
    made = WINDOW_START - timedelta(days=40)
    past, later = made + timedelta(days=3), made + timedelta(days=8)
    taken(store, text(tca=past, made=made, pair=("11", "22"), originator="FIRST"))
    taken(store, text(tca=later, made=made + timedelta(hours=1), pair=("33", "44"), originator="SECOND"))
    taken(store, text(tca=past, made=made + timedelta(hours=2), pair=("11", "22"), originator="FIRST"))
    found = inbox(served)
    assert [one["messages"][0]["originator"] for one in found] == ["FIRST", "SECOND"]
    assert [one["creation_date"] for one in found[0]["messages"]] == sorted(
        (one["creation_date"] for one in found[0]["messages"]), reverse=True
    )
    assert served.get("/inbox").json()["senders"] == ["FIRST", "SECOND"]
    assert [one["id"] for one in inbox(served, norad_id="44")] == [found[1]["id"]]
    assert [one["id"] for one in inbox(served, originator="FIRST")] == [found[0]["id"]]
    assert [one["id"] for one in inbox(served, limit=1, offset=1)] == [found[1]["id"]]


@pytest.mark.slow
def test_an_encounter_before_every_window_opens(store: Path, served: Client) -> None:
    """Regression: the event of a message that no run could have was "Not found"."""
    past = WINDOW_START - timedelta(days=30)
    taken(store, text(tca=past, made=past - timedelta(days=2), pair=("11", "22")))
    (found,) = inbox(served)
    assert (found["opens"], found["event"]) == (True, None)
    assert "its TCA is before the newest run's window" in found["words"]
    event = served.get(f"/conjunctions/{found['id']}").json()
    assert (event["origin"], event["miss_distance_m"]) == ("message", pytest.approx(1000.0, rel=1e-3))
    assert [one["sigmas_apart"] for one in event["messages"]] == [None]
    assert served.get(f"/conjunctions/{found['id']}/geometry").json()["encounter_plane"] is not None
    assert len(served.get(f"/conjunctions/{found['id']}/trend").json()["points"]) == 1
    taken(store, text(tca=past, made=past - timedelta(days=1), pair=("55", "66")), restricted=True)
    hidden = next(one for one in inbox(served, restricted="true") if one["id"] != found["id"])
    assert served.get(f"/conjunctions/{hidden['id']}").status_code == 404
    assert (
        served.get(f"/conjunctions/{hidden['id']}?restricted=true").json()["origin"] == "restricted_message"
    )


@pytest.mark.slow
def test_a_thousand_messages_in_one_archive_are_counted(served: Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(1000):
            archive.writestr(f"{number}.cdm", text(message_id=str(number), radius=""))
    answer = hand_in(served, packed.getvalue())
    assert answer.status_code == 201, answer.text
    assert answer.json()["taken"]["new"] == 1000
    assert answer.json()["words"][-1] == "and 995 more messages."
    assert hand_in(served, packed.getvalue()).json()["words"] == [
        "1,000 messages the store had already: kept once."
    ]


@pytest.mark.slow
@pytest.mark.parametrize("packed", [False, True])
def test_an_ephemeris_is_told_by_its_content_and_not_kept(served: Client, packed: bool) -> None:
    number = served.get("/conjunctions?limit=1").json()["conjunctions"][0]["primary_norad_id"]
    path = served.get(f"/objects/{number}/ephemeris", params={"hours": 3})
    assert path.status_code == 200, path.text
    body = gzip.compress(path.content) if packed else path.content
    answer = hand_in(served, body, "message.cdm")
    InboxFile.model_validate_json(answer.content)
    found = answer.json()
    assert (found["kind"], found["norad_id"], found["taken"]) == ("trajectory", number, None)
    assert found["words"][0].startswith("Ephemeris of ")
    assert served.get("/trajectories").json()["total"] == 0


@pytest.mark.parametrize("body", [b"", b"hello", bytes(range(256)) * 9, b"\x1f\x8b broken"])
def test_what_is_neither_is_refused(served: Client, body: bytes) -> None:
    answer = hand_in(served, body)
    assert answer.status_code == 422
    assert "neither a conjunction data message nor an ephemeris" in answer.json()["detail"]


def test_what_is_cut_off_is_refused_with_its_line(served: Client) -> None:
    lines = text().splitlines(keepends=True)
    answer = hand_in(served, "".join(lines[: len(lines) // 2])).json()
    assert answer["errors"][0]["line"] is not None
    assert "neither" not in answer["detail"]
