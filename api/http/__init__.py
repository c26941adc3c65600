"""HTTP itself: parameters, bodies, problems, negotiation, content codings; independent of the store."""
