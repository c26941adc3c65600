"""Checks of an operator's ephemeris by named sets of rules."""
