"""Rows of the store's tables, and the ids of events."""
