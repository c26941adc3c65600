"""Whose what is: organisations, and the log of who has changed what."""
