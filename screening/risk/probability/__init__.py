"""Collision probability in the encounter plane: integral, formula, maximum, and where they hold."""
