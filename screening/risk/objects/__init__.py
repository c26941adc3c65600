"""Knowledge of single objects: the error of their element sets, and their size."""
