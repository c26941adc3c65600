"""SGP4, near the Earth and far out, for many objects at once."""
