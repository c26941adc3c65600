"""Orbit mean-elements messages (CCSDS 502.0-B): one module a form of them."""
