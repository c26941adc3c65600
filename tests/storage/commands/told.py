"""Run commands of the command line in this process, and give what they print."""

import sys
from pathlib import Path

import pytest

from skysieve import command_line


class Told:
    """The output of the commands of one group, on one store."""

    def __init__(
        self, group: str, store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._group, self._store = group, store
        self._monkeypatch, self._capsys = monkeypatch, capsys
        self.err = ""

    def __call__(self, *words: object, code: int | None = 0) -> str:
        """Run a command, which must end with this code (None: fail), and return what it printed."""
        given = ["skysieve", self._group, *map(str, words), "--store", str(self._store)]
        self._monkeypatch.setattr(sys, "argv", given)
        with pytest.raises(SystemExit) as stop:
            command_line.main()
        out, self.err = self._capsys.readouterr()
        assert stop.value.code if code is None else (stop.value.code or 0) == code, self.err
        return out
