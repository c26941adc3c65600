"""Keep pandas out of a process that does not use it.

With its first array pyarrow imports pandas, where that is installed: 0.3 CPU-s and 30 MB.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class _WithoutPandas:
    """Finds that pandas is not installed."""

    @staticmethod
    def find_spec(
        name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise ModuleNotFoundError for pandas, and leave all others to the other finders."""
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not allowed in this process", name=name)
        return None


def keep_pandas_out() -> None:
    """Let this process do as if pandas were not installed."""
    sys.meta_path.insert(0, _WithoutPandas)
