"""HTTP as such: parameters, bodies, problems, negotiation, content codings; nothing of the store's state."""
