"""The populations of the public catalogue, in rounded numbers.

Of each population the tables give how many objects there are and how their altitudes, eccentricities and
inclinations spread, as they were in late 2024. Nothing here is an element set of a real object. Sources:

- how many, and how they spread: counts, quartiles and octiles, rounded, of the on-orbit catalogue of 26,834
  objects that CelesTrak published for 2024-11-01, grouped by name and inclination;
- planes of Starlink: as filed (72 and 36, tabulated by Bassa, Hainaut & Galadi-Enriquez 2022, A&A 657, A75,
  table 1), for later shells as many as stand out in that catalogue's nodes; of OneWeb: 12 planes 4 km above
  each other and 15.2 degrees apart, as the operator states; the other constellations' are well known;
- which break-ups left the clouds: the names that the catalogue gives their pieces.
"""

from screening.synthetic.high_orbits import (
    GEOSYNCHRONOUS,
    HIGH_CONSTELLATIONS,
    NAVIGATION_AND_BETWEEN,
    TRANSFER_ORBITS,
)
from screening.synthetic.low_orbits import CLOUDS, LOW_CONSTELLATIONS, LOW_PAYLOADS, LOW_ROCKET_BODIES

POPULATIONS = (
    *LOW_CONSTELLATIONS,
    *CLOUDS,
    *LOW_PAYLOADS,
    *LOW_ROCKET_BODIES,
    *HIGH_CONSTELLATIONS,
    *TRANSFER_ORBITS,
    *NAVIGATION_AND_BETWEEN,
    *GEOSYNCHRONOUS,
)
OBJECTS_IN_TABLES = sum(population.objects for population in POPULATIONS)
