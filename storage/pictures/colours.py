"""Colours of levels, on white paper: colour-blind people can tell them apart beside their words."""

TIERS = {
    "critical": "#a8160c",
    "high": "#b54708",
    "medium": "#7a6200",
    "unknown": "#4a5568",
    "low": "#475467",
}
