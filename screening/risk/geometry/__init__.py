"""The frames of an encounter, and two-body motion through it."""
