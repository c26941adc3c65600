"""Commands that make runs, score messages, and go on until they are stopped."""
