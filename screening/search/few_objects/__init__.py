"""What comes near a few objects: a fleet against all others."""
