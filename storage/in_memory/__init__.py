"""The newest run in memory, for the service."""
