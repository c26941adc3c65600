"""Refine approaches on interpolated curves to those of SGP4 itself."""
