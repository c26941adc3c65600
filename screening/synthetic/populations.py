"""What flies around the Earth: the populations of the public catalogue, in rounded numbers.

Of each population the table gives how many objects there are among about 26,800 in late 2024, and how their
altitudes, eccentricities and inclinations spread. Sources:

- constellations, their planes, altitudes and inclinations: the operators' filings as tabulated by Bassa,
  Hainaut & Galadi-Enriquez 2022 (A&A 657, A75, table 1), and the interface control documents of the
  navigation systems;
- which break-ups left clouds, where and at what inclination: NASA, History of On-orbit Satellite
  Fragmentations, and the list of largest clouds in its Orbital Debris Quarterly News;
- the division into low, geostationary, transfer and navigation orbits and into payloads, rocket bodies and
  debris: ESA's Annual Space Environment Report (issue 8, 2024);
- how many are left of each, and how they spread: counts and quantiles, rounded, of the on-orbit catalogue
  that CelesTrak published for 2024-11-01. No element set of a real object is in here.
"""

from typing import Literal, NamedTuple

# Quantiles at evenly spaced probabilities from 0 to 1, straight lines between.
Knots = tuple[float, ...]

Kind = Literal["", " DEB", " R/B"]  # as it ends a name; the type of an object follows from it
DEBRIS: Kind = " DEB"
ROCKET_BODY: Kind = " R/B"


class Walker(NamedTuple):
    """Evenly spaced planes with evenly spaced objects (Walker 1984)."""

    planes: int
    nodes_span_deg: float = 360.0  # 180: neighbouring planes ascend side by side ("star")
    altitude_step_km: float = 0.0  # from plane to plane


class Population(NamedTuple):
    """Objects of one kind in similar orbits."""

    name: str
    kind: Kind
    count: int
    altitude_km: Knots  # of the semi-major axis above the equator
    eccentricity: Knots
    # Around the sun-synchronous one if `sun_synchronous`; not used where `laplace`.
    inclination_deg: Knots
    perigee_km: Knots = ()  # if given, it decides the eccentricity
    walker: Walker | None = None
    sun_synchronous: bool = False
    laplace: bool = False  # the node and inclination of objects that geostationary control has left


KEPT: Knots = (5e-5, 1e-4, 1.5e-4, 2e-4, 3e-4)
ROUND: Knots = (1e-4, 5e-4, 9e-4, 1.4e-3, 8e-3)
NEARLY_ROUND: Knots = (2e-4, 1.5e-3, 3e-3, 6e-3, 0.03)
CLOUD: Knots = (3e-4, 3e-3, 6e-3, 0.012, 0.04)
WIDE: Knots = (5e-4, 4e-3, 0.012, 0.03, 0.09)

_NO_ECCENTRICITY: Knots = (0.0, 0.0)


def _shell(
    name: str, count: int, altitude_km: float, inclination_deg: float, walker: Walker, spread_km: float = 0.02
) -> Population:
    return Population(
        name,
        "",
        count,
        (altitude_km - spread_km, altitude_km + spread_km),
        KEPT,
        (inclination_deg - 0.002, inclination_deg + 0.002),
        walker=walker,
    )


def _sun_synchronous(
    name: str, kind: Kind, count: int, altitude_km: Knots, eccentricity: Knots, off_deg: Knots = (-0.2, 0.3)
) -> Population:
    return Population(name, kind, count, altitude_km, eccentricity, off_deg, sun_synchronous=True)


def _long(
    name: str, kind: Kind, count: int, altitude_km: Knots, perigee_km: Knots, inclination_deg: Knots
) -> Population:
    return Population(name, kind, count, altitude_km, _NO_ECCENTRICITY, inclination_deg, perigee_km)


def _geosynchronous(name: str, kind: Kind, count: int, altitude_km: Knots, eccentricity: Knots) -> Population:
    return Population(name, kind, count, altitude_km, eccentricity, (), laplace=True)


CONSTELLATIONS = (
    _shell("STARLINK", 1130, 547.2, 53.05, Walker(72)),
    _shell("STARLINK", 1480, 539.7, 53.22, Walker(72)),
    _shell("STARLINK", 1340, 559.1, 43.0, Walker(56)),
    _shell("STARLINK", 180, 488.1, 43.0, Walker(28)),
    _shell("STARLINK", 470, 444.1, 43.0, Walker(28)),
    _shell("STARLINK", 370, 475.2, 53.16, Walker(28)),
    _shell("STARLINK", 400, 572.05, 70.0, Walker(36)),
    _shell("STARLINK", 230, 563.0, 97.66, Walker(10)),
    # Rising to their shell or sinking from it.
    Population("STARLINK", "", 690, (320, 360, 398, 448, 535), KEPT, (53.15, 53.17)),
    Population("STARLINK", "", 190, (330, 456, 505, 527, 538), KEPT, (53.03, 53.06)),
    _shell("ONEWEB", 590, 1178.0, 87.9, Walker(12, 180.0, altitude_step_km=4.0)),
    Population("ONEWEB", "", 65, (580, 1178, 1197, 1222), KEPT, (87.85, 87.93)),
    _shell("IRIDIUM", 75, 777.7, 86.4, Walker(6, 190.0)),
    _shell("GLOBALSTAR", 48, 1414.0, 52.0, Walker(8)),
    Population("GLOBALSTAR", "", 60, (1420, 1510, 1540, 2000), KEPT, (51.97, 52.02)),
    _shell("ORBCOMM", 30, 742.0, 45.0, Walker(4), 20.0),
    _shell("QIANFAN", 36, 960.0, 88.9, Walker(2, 180.0), 100.0),
    _shell("O3B", 28, 8066.0, 0.05, Walker(1)),
    _shell("NAVSTAR", 31, 20182.0, 55.1, Walker(6), 2.0),
    _shell("GLONASS", 24, 19130.0, 64.8, Walker(3), 1.0),
    _shell("GALILEO", 27, 23222.0, 56.0, Walker(3), 1.0),
    _shell("BEIDOU", 28, 21528.0, 55.0, Walker(3), 1.0),
    _shell("GEO", 360, 35786.5, 0.04, Walker(1), 0.3),
)

CLOUDS = (
    _sun_synchronous("FENGYUN 1C", DEBRIS, 2016, (540, 770, 834, 885, 1200), WIDE, (-1.6, 0.0, 0.6, 2.2)),
    _sun_synchronous("CZ-6A", DEBRIS, 684, (530, 718, 800, 859, 1080), CLOUD, (-0.3, 0.5)),
    _sun_synchronous("NOAA 16", DEBRIS, 420, (560, 750, 797, 829, 910), NEARLY_ROUND, (-0.2, 0.8)),
    _sun_synchronous("DMSP F13", DEBRIS, 240, (540, 734, 784, 817, 960), NEARLY_ROUND, (-0.2, 0.6)),
    _sun_synchronous("CZ-4", DEBRIS, 350, (520, 674, 762, 927, 1250), WIDE, (-1.2, 0.4)),
    Population("CZ-6A", DEBRIS, 596, (500, 698, 758, 831, 1060), CLOUD, (88.4, 88.96, 89.02, 89.08, 89.6)),
    Population("COSMOS 2251", DEBRIS, 704, (470, 656, 718, 778, 1100), CLOUD, (73.8, 73.99, 74.02, 74.15)),
    Population("COSMOS 1275", DEBRIS, 357, (690, 852, 937, 985, 1085), CLOUD, (82.75, 82.86, 82.94, 83.2)),
    Population("IRIDIUM 33", DEBRIS, 133, (540, 666, 724, 758, 880), NEARLY_ROUND, (86.15, 86.35, 86.42)),
    Population("THORAD AGENA D", DEBRIS, 320, (590, 843, 946, 1048, 1380), CLOUD, (99.2, 99.86, 100.6)),
    Population("DELTA 1", DEBRIS, 914, (650, 923, 1258, 1517, 1990), WIDE, (98.3, 98.9, 99.8, 102.0, 103.0)),
    Population("THOR ABLESTAR", DEBRIS, 205, (615, 827, 921, 1040, 1480), CLOUD, (65.7, 66.5, 66.8, 67.6)),
    Population("SL-16", DEBRIS, 305, (550, 815, 899, 976, 1035), CLOUD, (70.7, 70.97, 71.0, 71.3)),
    Population("OPS 4682", DEBRIS, 152, (1227, 1264, 1272, 1278, 1290), NEARLY_ROUND, (90.23, 90.28)),
    Population("COSMOS COOLANT", DEBRIS, 68, (764, 780, 782, 903, 936), ROUND, (64.9, 65.0, 65.05)),
    Population("COSMOS 64", DEBRIS, 127, (520, 920, 1173, 1318, 1650), WIDE, (56.5, 62.2, 62.8, 64.0)),
    Population("COSMOS 65", DEBRIS, 346, (590, 958, 1037, 1464, 1990), WIDE, (64.7, 65.73, 65.86, 67.2)),
    Population("COSMOS 74", DEBRIS, 100, (480, 640, 731, 780, 920), CLOUD, (73.5, 74.0, 75.0)),
    Population("COSMOS 74", DEBRIS, 184, (1200, 1450, 1545, 1580, 1690), NEARLY_ROUND, (73.9, 74.0, 74.05)),
    Population("METEOR", DEBRIS, 158, (540, 737, 803, 862, 1450), CLOUD, (79.0, 81.2, 81.6, 82.0)),
    Population("COSMOS 82", DEBRIS, 467, (620, 899, 1118, 1328, 1680), CLOUD, (82.1, 82.5, 82.6, 82.97)),
    Population("TRANSIT", DEBRIS, 86, (580, 868, 1017, 1090, 1340), CLOUD, (88.3, 89.6, 90.2, 90.5)),
    _sun_synchronous("SSO", DEBRIS, 415, (480, 650, 720, 775, 940), NEARLY_ROUND, (-0.5, 0.9)),
    Population("LEO", DEBRIS, 221, (860, 1086, 1395, 1491, 1840), WIDE, (100.1, 100.5, 101.8, 103.0)),
    Population("LEO", DEBRIS, 120, (470, 640, 760, 1000, 1750), CLOUD, (28.3, 32.0, 44.0, 52.0, 56.0)),
)

LOW_PAYLOADS = (
    _sun_synchronous("SSO", "", 1710, (330, 463, 500, 553, 690), ROUND),
    _sun_synchronous("SSO", "", 430, (560, 699, 786, 826, 1200), ROUND, (-0.4, 0.4)),
    Population("LEO", "", 215, (400, 496, 535, 576, 1100), ROUND, (10.0, 30.7, 35.0, 35.0, 40.0)),
    Population("LEO", "", 220, (390, 480, 550, 680, 1000), ROUND, (41.0, 45.0, 50.0, 53.0, 55.5)),
    Population("COSMOS", "", 142, (480, 926, 1082, 1094, 1650), WIDE, (56.5, 62.1, 63.3, 63.4, 64.3)),
    Population("COSMOS", "", 197, (440, 721, 918, 991, 1900), NEARLY_ROUND, (64.6, 64.8, 65.6, 66.1, 67.5)),
    Population("COSMOS", "", 82, (550, 790, 847, 907, 1250), ROUND, (69.2, 70.0, 70.1, 71.0, 72.0)),
    Population("COSMOS", "", 75, (600, 720, 760, 795, 1000), ROUND, (73.8, 74.0, 74.05)),
    Population("STRELA", "", 410, (1390, 1420, 1451, 1475, 1560), NEARLY_ROUND, (73.9, 74.0, 74.1)),
    Population("METEOR", "", 77, (520, 847, 864, 946, 1200), ROUND, (79.5, 81.0, 81.2, 81.9)),
    Population("PARUS", "", 230, (620, 955, 970, 985, 1010), NEARLY_ROUND, (82.9, 82.96)),
    Population("GONETS", "", 270, (450, 1180, 1413, 1450, 1650), ROUND, (82.4, 82.5, 82.6, 83.0)),
    Population("LEO", "", 90, (450, 580, 720, 776, 1080), ROUND, (85.0, 86.4, 87.6)),
    Population("TRANSIT", "", 135, (500, 960, 1150, 1265, 1290), NEARLY_ROUND, (89.0, 89.9, 90.2, 90.4)),
    Population("LEO", "", 176, (640, 994, 1200, 1451, 1850), NEARLY_ROUND, (99.6, 100.1, 102.0, 103.4)),
)

LOW_ROCKET_BODIES = (
    Population("SL-8", ROCKET_BODY, 206, (690, 967, 975, 988, 1010), NEARLY_ROUND, (82.9, 82.97)),
    Population("SL-8", ROCKET_BODY, 80, (680, 760, 1000, 1590, 1640), NEARLY_ROUND, (73.9, 74.1)),
    Population("SL-14", ROCKET_BODY, 124, (600, 614, 947, 1443, 1600), NEARLY_ROUND, (82.4, 82.6)),
    Population("SL-16", ROCKET_BODY, 36, (600, 835, 841, 860, 1200), ROUND, (70.9, 71.0)),
    Population("SL-3", ROCKET_BODY, 45, (520, 808, 863, 872, 1000), NEARLY_ROUND, (81.0, 81.3)),
    _sun_synchronous("CZ-4", ROCKET_BODY, 222, (440, 540, 650, 770, 1000), NEARLY_ROUND, (-0.6, 0.6)),
    Population("THOR BURNER", ROCKET_BODY, 68, (600, 822, 1040, 1120, 1490), CLOUD, (88.5, 90.0, 102.5)),
    Population("LEO", ROCKET_BODY, 150, (420, 540, 760, 1000, 1650), CLOUD, (20.0, 32.0, 50.0, 63.0, 67.0)),
)

HIGH_ORBITS = (
    _long("FREGAT", DEBRIS, 75, (1350, 1700, 1850, 2290, 2850), (300, 424, 619, 837, 1400), (50.4, 51.9)),
    _long("ECCENTRIC", DEBRIS, 180, (1250, 1500, 2400, 5500), (350, 500, 760, 1400), (20.0, 50.0, 64.0, 100.0)),
    _long("ECCENTRIC", "", 150, (1400, 2400, 4500, 9000, 22000), (300, 500, 900, 2600), (20.0, 63.0, 90.0)),
    Population("WESTFORD", DEBRIS, 100, (2000, 2050, 3180, 3640, 4200), WIDE, (64.8, 87.2, 89.5, 102.0)),
    _long("BREEZE-M", DEBRIS, 216, (5900, 7500, 9100, 13600, 22000), (250, 330, 450, 755, 5000), (46, 49.5, 55)),
    _long("ARIANE 5", ROCKET_BODY, 475, (8800, 15000, 17400, 19000, 26000), (230, 280, 400, 1340, 6900), (2, 7, 19, 25, 30)),
    _long("ARIANE 5", DEBRIS, 470, (9000, 14840, 17900, 19000, 22500), (280, 440, 590, 940, 7000), (3, 7, 17, 21.5, 28)),
    _long("GTO", "", 60, (8000, 13500, 16300, 19700, 30000), (250, 300, 480, 840, 3800), (2.0, 7.0, 17.0, 26.0)),
    _long("ATLAS CENTAUR", DEBRIS, 185, (19200, 21160, 21800, 22300, 24000), (7300, 8300, 8800, 9600), (10.6, 12.5, 20)),
    _long("MOLNIYA", "", 75, (20050, 20230), (900, 1600, 2300, 3500), (62.0, 63.4, 64.7)),
    _long("MOLNIYA", ROCKET_BODY, 75, (19500, 20200, 20500), (400, 1000, 2200, 3600), (62.0, 63.6, 66.5)),
    _long("SUPERSYNCHRONOUS", "", 40, (37500, 45000, 60000, 75000), (2000, 8000, 20000), (5.0, 30.0, 60.0)),
    Population("GLONASS", "", 165, (19067, 19127, 19135, 20100), NEARLY_ROUND, (63.8, 64.5, 65.5, 66.5)),
    Population("GLONASS", ROCKET_BODY, 40, (18900, 19130, 19500, 20500), NEARLY_ROUND, (64.2, 65.0, 66.5)),
    Population("MEO", "", 110, (20000, 21000, 21800, 23400), NEARLY_ROUND, (53.0, 55.0, 57.0, 60.0)),
    _geosynchronous("GEO", "", 500, (35782, 35785.5, 35786.5, 35788), ROUND),
    _geosynchronous("GEO", "", 480, (35150, 35900, 36080, 36250, 37300), ROUND),
    _geosynchronous("GEO", ROCKET_BODY, 240, (34000, 35400, 36000, 36500, 39500), NEARLY_ROUND),
    _geosynchronous("GEO", DEBRIS, 75, (34700, 35700, 36100, 37000), NEARLY_ROUND),
)

POPULATIONS = CONSTELLATIONS + CLOUDS + LOW_PAYLOADS + LOW_ROCKET_BODIES + HIGH_ORBITS
