"""Objects with a volume around each: what comes into it, however flat it is."""
