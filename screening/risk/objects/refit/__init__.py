"""The error laws held against element sets: differences of sets, and factors that fit laws to them."""
