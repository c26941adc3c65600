"""Models of the answers, for documentation and clients."""
