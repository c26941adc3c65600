"""What becomes of events from run to run: their ids, which row counts, what is new, raised, eased or gone."""
