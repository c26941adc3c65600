"""Keep a store readable after kills, damage, moves and expiry."""
