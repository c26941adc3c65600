"""Fleets: which objects of a catalogue belong to them, and what runs have found for them."""
