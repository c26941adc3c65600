"""Models of the answers about fleets, their feeds, alerts and their messages."""
