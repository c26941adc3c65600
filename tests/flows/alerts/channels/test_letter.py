"""An e-mail: one sentence, the encounter's picture, at most five rows, two links; small, always the same."""

from pathlib import Path

import pytest

from flows.alerts.channels.picture import picture
from flows.alerts.channels.wording import wording
from tests.flows.alerts.alerting import body_for
from tests.flows.alerts.channels.letters import made_up, written


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def body(store: Path) -> dict[str, object]:
    return made_up(store)


def test_a_letter_has_its_picture_and_is_the_same_each_time(store: Path, body: dict[str, object]) -> None:
    made = written(store, body)
    assert made.as_bytes() == written(store, body).as_bytes()
    assert len(made.as_bytes()) < 100_000
    assert made.as_bytes().isascii()
    text, html = made.iter_parts()
    assert (text.get_content_type(), html.get_content_type()) == ("text/plain", "multipart/related")
    shown, drawn = html.iter_parts()
    assert drawn.get_content_type() == "image/png"
    assert drawn.get_content().startswith(b"\x89PNG")
    assert drawn["Content-Disposition"].startswith("inline")
    assert f'src="cid:{drawn["Content-ID"].strip("<>")}"' in shown.get_content()


def test_it_tells_five_and_counts_the_rest(store: Path, body: dict[str, object]) -> None:
    made = written(store, body)
    for kind in ("plain", "html"):
        part = made.get_body([kind])
        assert part is not None
        text = part.get_content()
        assert text.count("in 2 d 4 h") == 1 + 5 + (kind == "html")  # sentence, rows, title
        assert "And 2 more, less dangerous or past." in text
        assert "https://sky.example.org/#/fleet/1" in text
        first = body["data"]["events"][0]  # type: ignore[index]
        event = f"https://sky.example.org/#/event/{first['event_id']}?from={first['norad_id']}"
        and_sign = "&amp;" if kind == "html" else "&"
        assert event in text
        assert f"{event}{and_sign}acknowledge=true" in text
        assert text.index("come within") < text.index(event)


def test_without_its_run_there_is_no_picture(store: Path, body: dict[str, object]) -> None:
    drawn = wording(body_for(3)).drawn
    assert drawn is not None
    run_id = body["data"]["run_id"]  # type: ignore[index]
    assert picture(store, run_id, 1, drawn) is None  # no such event
    assert picture(store, "20200101T000000Z", 1, body["data"]["events"][0]) is None  # type: ignore[index]
