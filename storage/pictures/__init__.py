"""Pictures that reports and messages share: their look, the encounter plane."""
