"""`skysieve report`: what it writes, and what it says when it cannot."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import api.report.write
from api.report.contents import Report
from api.report.write import write_event_report
from screening.errors import InputError, StoreError, UsageError
from skysieve.command_line import app
from tests.made_up_run import make_run, publish


def run(store: Path, *arguments: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, arguments), "--store", str(store)])


def pages(pdf: Path) -> int:
    content = pdf.read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    return len(re.findall(rb"/Type /Page\b", content))


@pytest.fixture
def event_id(worst: Report) -> int:
    return int(worst.event.id)


@pytest.mark.slow
def test_an_event_as_page_picture_and_paper(dangerous_store: Path, event_id: int, tmp_path: Path) -> None:
    for suffix in (".html", ".png", ".pdf"):
        target = tmp_path / f"event{suffix}"
        done = run(dangerous_store, event_id, "--output", target)
        assert done.exit_code == 0, done.output
        assert done.stdout.startswith(str(target))
    assert (tmp_path / "event.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "event.png").read_bytes().startswith(b"\x89PNG\r\n")
    assert pages(tmp_path / "event.pdf") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["event.html", "event.pdf", "event.png"]


@pytest.mark.slow
def test_a_digest_has_two_events_a_page(dangerous_store: Path, tmp_path: Path) -> None:
    done = run(dangerous_store, "--risk", "critical", "--limit", 2, "--output", tmp_path / "digest.pdf")
    assert done.exit_code == 0, done.output
    assert pages(tmp_path / "digest.pdf") == 2
    done = run(dangerous_store, "--risk", "critical", "--limit", 2, "--output", tmp_path / "digest.html")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "digest.html").read_text(encoding="utf-8").count("<article") == 2


@pytest.mark.slow
def test_a_level_without_events_gives_a_digest_that_says_so(store: Path, tmp_path: Path) -> None:
    made_up = make_run()
    made_up.conjunctions["risk_level"] = 3
    publish(store, made_up)
    done = run(store, "--risk", "critical", "--output", tmp_path / "none.html")
    assert done.exit_code == 0, done.output
    assert "There are none." in (tmp_path / "none.html").read_text(encoding="utf-8")


def test_an_unknown_event_is_named_with_the_store(dangerous_store: Path, tmp_path: Path) -> None:
    done = run(dangerous_store, 4711, "--output", tmp_path / "event.png")
    assert isinstance(done.exception, InputError)
    assert "4711" in str(done.exception)
    assert str(dangerous_store) in str(done.exception)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((1, "--output", "x.docx"), ".html, .png, .pdf"),
        ((1, "--output", "x"), ".html, .png, .pdf"),
        (("--risk", "high", "--output", "x.png"), ".html, .pdf"),
        ((1, "--output", "no/such/folder/x.png"), "does not exist"),
        ((1, "--risk", "high", "--output", "x.html"), "EVENT_ID"),
        (("--output", "x.html"), "EVENT_ID"),
    ],
)
def test_wrong_usage(
    dangerous_store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[object, ...],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(dangerous_store, *arguments)
    assert isinstance(done.exception, UsageError)
    assert expected in str(done.exception)
    assert list(tmp_path.iterdir()) == []


def test_a_store_without_a_run(tmp_path: Path) -> None:
    done = run(tmp_path / "empty", 1, "--output", tmp_path / "x.png")
    assert isinstance(done.exception, StoreError)


@pytest.mark.slow
def test_a_file_is_replaced_whole(worst: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "event.html"
    target.write_text("the old one")

    def full(_stream: object, _report: Report) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(api.report.write, "write_event", full)
        with pytest.raises(InputError, match="No space left on device"):
            write_event_report(worst, target)
    assert target.read_text() == "the old one"
    write_event_report(worst, target)
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.slow
def test_a_file_that_cannot_be_replaced(worst: Report, tmp_path: Path) -> None:
    target = tmp_path / "event.png"
    target.mkdir()
    with pytest.raises(InputError, match=re.escape(str(target))):
        write_event_report(worst, target)
    assert list(tmp_path.iterdir()) == [target]
