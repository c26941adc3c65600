"""Collision probability by random sampling, in the encounter plane and of whole trajectories."""
