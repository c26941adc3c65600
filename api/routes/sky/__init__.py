"""Routes of what changes in the sky as a whole."""
