"""Predictions of encounters that have passed, against what came: judged by each run, counted, told."""
