"""Catalogue texts, in whatever format they come, to element sets, and back."""
