"""Screening volumes: the space around an object of a fleet in which an encounter counts."""
