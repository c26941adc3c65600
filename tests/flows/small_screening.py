"""What the small screening of the tests is, and how far two of it may differ."""

HOURS = 3.0
THRESHOLD_KM = 50.0
NUMERICAL_NOISE_S = 2e-6  # of Newton's last step from different starting points
NUMERICAL_NOISE_KM = 1e-6
