"""What comes near the objects of fleets: searched in the objects of a run, and kept beside it."""
