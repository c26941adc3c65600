"""One event to send: a report on it, and its entry in a calendar."""
