"""Publish runs in the store, and remove them when they expire."""
