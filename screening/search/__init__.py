"""Which pairs come close: the continuous all-against-all search."""
