"""When objects decay: time left and its window, from recent element sets."""
