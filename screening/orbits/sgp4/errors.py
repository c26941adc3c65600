"""The meanings of SGP4's error codes."""

# The codes of python-sgp4, and one of our own: python-sgp4 reports no error if the velocity does not match
# the path.
SGP4_ERRORS = {
    1: "mean eccentricity or semi-major axis out of range",
    2: "mean motion not positive",
    3: "perturbed eccentricity out of range",
    4: "semi-latus rectum negative",
    5: "sub-orbital at the epoch",
    6: "decayed",
    7: "no longer in orbit",
}
