"""State that requests share and a thread keeps up to date: the newest snapshot, credentials, limits."""
