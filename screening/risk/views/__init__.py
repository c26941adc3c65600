"""The data from which the pictures of an event are drawn."""
