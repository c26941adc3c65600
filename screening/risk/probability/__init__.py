"""Collision probability in the encounter plane: integral, formula, maximum, and their validity."""
