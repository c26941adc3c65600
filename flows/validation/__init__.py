"""Comparisons with what others have published, as `skysieve validate` makes and documents them."""
