"""From an approach on interpolated curves to the approach of SGP4 itself."""
