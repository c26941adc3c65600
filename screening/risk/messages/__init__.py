"""Conjunction data messages (CCSDS 508.0-B), read and scored."""
