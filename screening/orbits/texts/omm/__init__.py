"""Orbit mean-elements messages (CCSDS 502.0-B): one module per format."""
