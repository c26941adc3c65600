"""Received conjunction data messages as the store keeps them."""
