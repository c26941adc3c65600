"""Commands that read, check and tidy the store."""
