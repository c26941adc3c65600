"""What changes in the sky as a whole: each run's catalogue against an earlier one, and break-ups."""
