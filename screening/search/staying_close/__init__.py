"""Pairs that part slowly or stay together: visits and proximities."""
