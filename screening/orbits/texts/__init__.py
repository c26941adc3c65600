"""Catalogue texts of all formats to element sets, and back."""
