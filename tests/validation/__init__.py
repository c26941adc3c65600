"""Comparisons with what others have published, as `make validation` makes and documents them."""
