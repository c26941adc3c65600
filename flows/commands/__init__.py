"""Commands that make runs, read and write files, and run as services."""
