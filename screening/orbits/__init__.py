"""Where objects are: element sets, time, propagation, interpolation."""
