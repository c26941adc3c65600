"""A folder with foreign code, under the names of modules that our processes import."""

from pathlib import Path

FOUND = "imported.txt"
# Ours, those of what we build on, and two of Python's own, which multiprocessing asks for.
NAMES = (
    "api",
    "flows",
    "storage",
    "screening",
    "skysieve",
    "numpy",
    "prefect",
    "distributed",
    "uvicorn",
    "multiprocessing",
    "pickle",
)
CODE = """
from pathlib import Path
with (Path(__file__).parents[1] / {found!r}).open("a") as found:
    found.write(__name__ + "\\n")
raise RuntimeError("foreign code was run")
"""


def make_foreign_folder(folder: Path) -> Path:
    """Put packages there that leave a note when they are imported, and return the folder."""
    for name in NAMES:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(CODE.format(found=FOUND))
    return folder


def imported_from(folder: Path) -> list[str]:
    """Return which of the packages were imported."""
    note = folder / FOUND
    return note.read_text().split() if note.exists() else []
