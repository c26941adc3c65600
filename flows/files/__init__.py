"""Files in and files out, with no run and no store."""
