"""What an object did, from the history of its element sets."""
