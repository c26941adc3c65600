"""Pairs that part slowly or stay together: one row each, however often they meet."""
