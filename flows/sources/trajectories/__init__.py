"""Operators' ephemerides: from folders, addresses, NASA and Starlink."""
