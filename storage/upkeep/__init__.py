"""A store kept fit to read: after kills, damage, moves and expiry."""
