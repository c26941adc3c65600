"""An event from Python is the service's, and what notebooks show is short, escaped and without colours."""

import pickle
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa
import pytest

import skysieve
from skysieve.run import Run, RunFacts
from tests.api.conftest import serving

LARGEST = 20_000  # characters: a notebook keeps every output
HOSTILE = "<script>alert('x')</script>&\" " * 5


class Balanced(HTMLParser):
    """Note the elements of a text, and refuse ends without a beginning."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.said = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said += data + "\n"


@pytest.fixture(scope="module")
def worst(watched: skysieve.Store) -> skysieve.Event:
    rows = watched.conjunctions().sort_values("probability_best", ascending=False)
    return watched.event(rows["event_id"].iloc[0])


def test_an_event_is_that_of_the_service(developing: Path, worst: skysieve.Event) -> None:
    with serving(developing) as client:
        told = client.get(f"/conjunctions/{worst.id}").json()
    assert worst.headline == told["words"]["headline"]
    assert worst.row["event_id"] == worst.id == told["id"]
    assert worst.row["miss_distance_m"] == told["miss_distance_m"]
    assert worst.row["primary_name"] == told["primary_name"]
    assert worst.tca.isoformat() == told["tca"].replace("Z", "+00:00")
    assert worst.sentences[0] == told["words"]["encounter"]
    assert repr(worst) == f"<Event {worst.id}: {worst.headline}>"


@pytest.mark.slow
def test_it_is_seen_from_either_object_and_from_no_other(
    watched: skysieve.Store, worst: skysieve.Event
) -> None:
    other = worst.row["secondary_norad_id"]
    turned = watched.event(worst.id, seen_from=other)
    assert turned.row["primary_norad_id"] == other
    with pytest.raises(skysieve.UsageError, match="seen_from is 5"):
        watched.event(worst.id, seen_from=5)


@pytest.mark.slow
def test_it_goes_to_another_process(watched: skysieve.Store, worst: skysieve.Event) -> None:
    turned = watched.event(worst.id, seen_from=worst.row["secondary_norad_id"])
    for event in (worst, turned):
        again = pickle.loads(pickle.dumps(event))
        assert (again.row, again.store) == (event.row, event.store)


@pytest.mark.parametrize("event_id", [1, -1, 2**70])
def test_an_event_that_is_not_there_is_told(watched: skysieve.Store, event_id: int) -> None:
    with pytest.raises(skysieve.InputError, match=f"There is no event {event_id} in {watched.path}"):
        watched.event(event_id)
    with pytest.raises(skysieve.InputError, match="must be a whole number"):
        watched.event(1.5)  # type: ignore[arg-type]


def test_notebooks_show_the_main_numbers(watched: skysieve.Store, worst: skysieve.Event) -> None:
    rows = watched.conjunctions()
    facts = RunFacts("20241101T000000Z", worst.tca, worst.tca, 10.0, None, "")
    run = Run(facts, {name: watched.to_arrow(name) for name in ("conjunctions", "objects")})  # type: ignore[misc]
    for shown in (watched, worst, run):
        text = shown._repr_html_()
        found = Balanced(text)
        assert len(text) < LARGEST
        assert str(worst.id) in found.said
        assert found.seen <= {"div", "strong", "table", "tr", "th", "td", "p"}
        assert "color:" not in text.replace("color:inherit", ""), "text has the colours of the notebook"
    assert f"\n{len(rows):,}\n" in Balanced(run._repr_html_()).said
    assert worst.sentences[0] in Balanced(worst._repr_html_()).said


def test_names_are_escaped(watched: skysieve.Store, worst: skysieve.Event) -> None:
    event, report = watched.event(worst.id), worst._report
    event._report = report._replace(
        event=report.event._replace(primary=report.event.primary._replace(name=HOSTILE))
    )
    found = Balanced(event._repr_html_())
    assert "script" not in found.seen
    assert HOSTILE.strip() in found.said
    named = watched.conjunctions().head(5).assign(primary_name=HOSTILE)
    facts = RunFacts("20241101T000000Z", worst.tca, worst.tca, 10.0, None, "")
    run = Run(facts, {"conjunctions": pa.Table.from_pandas(named, preserve_index=False)})
    text = run._repr_html_()
    assert "script" not in Balanced(text).seen
    assert len(text) < LARGEST
