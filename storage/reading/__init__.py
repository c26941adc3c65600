"""Questions to the store, and files made from what is in it."""
