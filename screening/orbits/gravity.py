"""Constants of the Earth's gravity: WGS-72, as SGP4 itself uses them (Hoots & Roehrich 1980)."""

MU_KM3_S2 = 398600.8
EARTH_RADIUS_KM = 6378.135
J2 = 1.082616e-3
