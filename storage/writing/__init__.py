"""Runs put into the store, and taken out of it when they expire."""
