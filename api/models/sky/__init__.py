"""Classes of the answers about what changes in the sky as a whole."""
