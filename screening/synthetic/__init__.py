"""Synthetic catalogues, for demonstration, scaling and tests: realistic, and with encounters that are known.

marks         how a synthetic catalogue is recognised
populations   what flies where, and how many of it
walker        constellations that keep clear of themselves
draw          element sets of populations
inverse       element sets through a given state
planted       encounters of known time and distance
catalogue     all of it together
"""
