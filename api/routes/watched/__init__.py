"""Fleets and notifications about them: feeds, alerts, deliveries."""
