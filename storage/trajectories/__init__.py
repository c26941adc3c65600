"""Operators' ephemerides as the store keeps them."""
