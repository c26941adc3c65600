"""Comparisons of what is read and written: messages, ephemerides."""
