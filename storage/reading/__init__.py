"""Read the store, and export it to files."""
