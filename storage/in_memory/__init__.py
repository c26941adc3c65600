"""The newest run in memory, for a service that answers from it."""
