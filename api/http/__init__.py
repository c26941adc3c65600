"""HTTP as such: parameters, bodies, problems, content codings; nothing of the store's state."""
