"""The process group of `skysieve up`."""
