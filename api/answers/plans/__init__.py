"""Plans: burns that were chosen for an event, and how they fare with later runs."""
