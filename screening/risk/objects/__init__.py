"""What is known of single objects: how far off their element sets are, how large they are."""
