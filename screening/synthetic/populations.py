"""What flies around the Earth: the populations of the public catalogue, in rounded numbers.

Of each population the tables give how many objects there are among 27,000 in late 2024, and how their
altitudes, eccentricities and inclinations spread. Sources:

- constellations, their planes, altitudes and inclinations: the operators' filings as tabulated by Bassa,
  Hainaut & Galadi-Enriquez 2022 (A&A 657, A75, table 1), and what the navigation systems publish;
- which break-ups left clouds, where and at what inclination: NASA, History of On-orbit Satellite
  Fragmentations, and the lists of the largest clouds in its Orbital Debris Quarterly News;
- the division into low, transfer, navigation and geostationary orbits and into payloads, rocket bodies and
  debris: ESA's Annual Space Environment Report (issue 8, 2024);
- how many there are of each, and how they spread: counts, quartiles and octiles, rounded, of the on-orbit
  catalogue that CelesTrak published for 2024-11-01. No element set of a real object is in here.
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
