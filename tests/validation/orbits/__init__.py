"""Comparisons of paths and approaches: propagation, frames, detectors, burns."""
