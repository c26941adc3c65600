"""A few objects, a fleet, against all others."""
