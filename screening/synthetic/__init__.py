"""Synthetic catalogues, for demonstration, scaling and tests: realistic, and with encounters that are known.

populations   what flies where, and how many of it
walker        constellations that keep clear of themselves
draw          element sets of populations
inverse       element sets through a given state
planted       encounters of known time and distance
catalogue     all of it together
"""

from screening.synthetic.catalogue import Synthetic, is_synthetic, synthetic_catalogue
from screening.synthetic.planted import PLANTED_DTYPE, PlantedArray

__all__ = ["PLANTED_DTYPE", "PlantedArray", "Synthetic", "is_synthetic", "synthetic_catalogue"]
