"""Answers that take long or are large: they wait their turn and are streamed."""
