"""Why SGP4 gives an object up, in words."""

# The codes of python-sgp4, and one of ours: it reports no error where the velocity is not that of the path.
SGP4_ERRORS = {
    1: "mean eccentricity or semi-major axis out of range",
    2: "mean motion not positive",
    3: "perturbed eccentricity out of range",
    4: "semi-latus rectum negative",
    5: "sub-orbital at the epoch",
    6: "decayed",
    7: "no orbit any more",
}
