"""Runs: from a catalogue to a published run."""
