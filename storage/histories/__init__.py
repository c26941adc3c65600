"""Published element sets of the past: imported, shown, and as they were known at a time."""
