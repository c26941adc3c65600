"""How crowded the sky is: where objects are, by altitude and inclination, and how often they should meet."""
