"""Comparisons of probabilities, messages, errors, radii and volumes."""
