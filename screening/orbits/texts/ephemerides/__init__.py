"""Ephemerides as operators write them: OEM, OCM, Starlink's text and SP3, read; OEM, written."""
