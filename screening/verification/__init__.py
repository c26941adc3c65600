"""How far predictions were off: errors in sigmas, regions that hold them, and what stands out."""
