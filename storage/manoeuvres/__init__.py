"""Manoeuvres that element sets show: which the store has, found in its whole history, listed."""
