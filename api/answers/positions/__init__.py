"""Where objects are at a time, and the bodies of answers that tell it."""
