"""The four pictures of an event."""
