"""Reports on sheets of paper."""
