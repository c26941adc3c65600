"""Answers from which the page draws: how an event developed, an overview of a run, an orbit."""
