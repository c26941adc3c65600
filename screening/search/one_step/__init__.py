"""One time step: where objects are in its middle, and which pairs may come close during it."""
