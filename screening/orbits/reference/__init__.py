"""Frames and time scales in which others write: celestial frames, axes of an orbit, leap seconds."""
