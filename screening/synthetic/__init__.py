"""Synthetic catalogues for demonstration, scaling and tests: realistic, with known encounters.

marks         how a synthetic catalogue is recognised
populations   what flies where, and how many
walker        constellations whose members keep clear of each other
draw          element sets of populations
inverse       element sets through a given state
planted       encounters of known time and distance
catalogue     all of it together
"""
