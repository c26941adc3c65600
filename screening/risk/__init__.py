"""Rate encounters: geometry, probability, tier."""
