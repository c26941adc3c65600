"""The file of refitted error laws: whole whenever a writer is killed, and not believed when it is damaged."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from screening.risk.objects.refit.class_factors import Refit
from storage.disk.layout import ERROR_LAWS_FILE
from storage.histories.fitted_laws import (
    SHIPPED_LAWS,
    FittedLaws,
    fitted_laws,
    laws_in_use,
    write_fitted_laws,
)
from tests.storage.doomed import killed_before_file_event, killed_before_write

NOW = datetime(2026, 11, 26, tzinfo=UTC)
FITTED = FittedLaws(NOW, NOW, 240, {"leo": Refit(9, 100, (0.5, 3.0, 2.0))})
NEXT = FittedLaws(
    NOW + timedelta(days=7), NOW + timedelta(days=7), 480, {"geo": Refit(7, 90, (1.0, 2.0, 1.5))}
)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-20],
        lambda text: text.replace("3.0", "3.5"),
        lambda _text: "[]",
        lambda _text: (
            '{"made": "2026-11-26", "known": "2026-11-26", "sets": 1, "laws": {"leo": [1, 1, [9, 1, 1]]}}'
        ),
        lambda _text: (
            '{"made": "2026-11-26", "known": "2026-11-26", "sets": 1, "laws": {"x": [1, 1, [1, 1, 1]]}}'
        ),
    ],
    ids=["cut off", "changed", "no record", "out of bounds", "unknown law"],
)
def test_a_damaged_file_means_the_shipped_laws(
    tmp_path: Path, damage: Callable[[str], str], caplog: pytest.LogCaptureFixture
) -> None:
    assert laws_in_use(tmp_path) == SHIPPED_LAWS
    assert not caplog.records
    write_fitted_laws(tmp_path, FITTED)
    path = tmp_path / ERROR_LAWS_FILE
    assert fitted_laws(tmp_path) == FITTED
    path.write_text(damage(path.read_text()))
    assert laws_in_use(tmp_path) == SHIPPED_LAWS
    assert "error laws are the shipped ones" in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("killed", [killed_before_file_event, killed_before_write])
def test_a_killed_writer_leaves_the_old_laws_or_the_new(
    tmp_path: Path, killed: Callable[..., bool], caplog: pytest.LogCaptureFixture
) -> None:
    number, seen, died = 0, [], True
    while died:
        write_fitted_laws(tmp_path, FITTED)
        number += 1
        died = killed(number, write_fitted_laws, tmp_path, NEXT)
        seen.append(fitted_laws(tmp_path))
    assert number > 2
    assert seen[0] == FITTED
    assert seen[-1] == NEXT
    assert all(one in (FITTED, NEXT) for one in seen)
    assert not caplog.records
    write_fitted_laws(tmp_path, FITTED)
    assert not list(tmp_path.glob("*.new")) + list(tmp_path.glob(".*.new"))
