"""What changes in the sky as a whole: catalogues, break-ups, decays, and how crowded it is."""
