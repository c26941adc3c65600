"""Fleets, and who is told of what happens to them: feeds, alerts, deliveries."""
