"""A store with planted events, and commands on it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from storage.reading.newest_run import connect
from tests.storage.commands.path_store import command

START = np.datetime64("2026-01-01T00:00:00", "us")


class Threatened:
    """A store of a synthetic catalogue, whose planted objects (debris) come near others."""

    def __init__(self, store: Path) -> None:
        self.store = store
        with connect(store) as connection:
            # Head-on in low orbit, 71.5 m; and one in which nobody can move.
            ((self.event_id, self.norad_id, self.tca, self.miss_m),) = connection.execute(
                "SELECT event_id, primary_norad_id, tca, miss_distance_m FROM conjunctions "
                "WHERE secondary_norad_id = 900000495 AND primary_norad_id = 900000346"
            ).fetchall()
            ((self.nobody_moves,),) = connection.execute(
                "SELECT event_id FROM conjunctions WHERE primary_norad_id = 900000492 "
                "AND secondary_norad_id = 900000500"
            ).fetchall()


class Asking:
    """Commands on a store, with what they printed."""

    def __init__(
        self, store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._store, self._monkeypatch, self._capsys = store, monkeypatch, capsys
        self.err = ""

    def __call__(self, *words: object, code: int = 0) -> str:
        """Run a command, which must end with this code, and return what it printed."""
        found = command(self._monkeypatch, *words, "--store", self._store)
        out, self.err = self._capsys.readouterr()
        assert found == code, self.err
        return out

    def json(self, *words: object) -> Any:
        return json.loads(self(*words, "--json"))
