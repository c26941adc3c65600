"""Keep a store readable after kills, damage, moves, expiry and updates of skysieve."""
