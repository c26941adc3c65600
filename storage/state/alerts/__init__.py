"""Alerts: who is told of what, what each has been told, and what waits to be delivered."""
