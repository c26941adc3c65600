"""The five pictures of an event."""
