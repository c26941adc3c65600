"""Pairs that are slow to part or stay together: one row each, however often they meet."""
