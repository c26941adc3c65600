"""What comes near the objects of fleets, looked for after a run."""
