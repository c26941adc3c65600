"""How dangerous an encounter is: geometry, probability, tier."""
