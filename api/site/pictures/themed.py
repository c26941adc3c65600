"""Pictures by matplotlib in the colours of the page, light or dark."""

from storage.pictures import style

_VARIABLES = {
    style.PAPER: "--panel", style.INK: "--text", style.MUTED: "--muted", style.FAINT: "--muted",
    style.GRID: "--grid", style.PRIMARY: "--first", style.SECONDARY: "--second", style.COMBINED: "--both",
    style.HARD_BODY: "--hard-body",
} | {color: f"--{level}" for level, color in style.TIERS.items() if level != "unknown"}  # fmt: skip


def themed(svg: str) -> str:
    """Return a picture whose colours are those of the page."""
    for color, name in _VARIABLES.items():
        svg = svg.replace(color, f"var({name})")
    return svg
