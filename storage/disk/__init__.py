"""Files of the store: where they lie, how they are written whole, locked and checked."""
