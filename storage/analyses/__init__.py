"""Analyses on demand, kept beside the runs."""
