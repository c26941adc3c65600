"""What changes in the sky as a whole: which objects decay, and when."""
