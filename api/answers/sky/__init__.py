"""Answers about what changes in the sky as a whole."""
