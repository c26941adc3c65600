"""The shapes of what is sent, for documentation and clients."""
