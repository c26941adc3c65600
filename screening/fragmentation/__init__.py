"""Break-ups: new objects whose orbits all once passed through one point of an older object's path."""
