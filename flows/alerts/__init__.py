"""Alerts: what is told when, and how it is delivered."""
