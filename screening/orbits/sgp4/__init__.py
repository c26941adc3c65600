"""SGP4, near-earth and deep-space, for many objects at once."""
