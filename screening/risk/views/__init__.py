"""What the pictures of an event are drawn from."""
