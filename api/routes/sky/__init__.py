"""What changes in the sky as a whole."""
