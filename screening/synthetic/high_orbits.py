"""Populations that reach above 2,000 km; `populations` names the sources of the numbers."""

from screening.synthetic.population import (
    DEBRIS,
    NEARLY_ROUND,
    PAYLOAD,
    ROCKET_BODY,
    ROUND,
    WIDE,
    Population,
    Walker,
    elongated,
    geosynchronous,
    shell,
)

HIGH_CONSTELLATIONS = (
    shell("O3B", 28, 8066.0, 0.05, Walker(1)),
    shell("NAVSTAR", 31, 20182.0, 55.1, Walker(6), spread_km=2.0),
    shell("GLONASS", 24, 19130.0, 64.8, Walker(3), spread_km=1.0),
    shell("GALILEO", 27, 23222.0, 56.0, Walker(3), spread_km=1.0),
    shell("BEIDOU", 28, 21528.0, 55.0, Walker(3), spread_km=1.0),
    shell("GEO", 360, 35786.5, 0.04, Walker(1), spread_km=0.3),
)

TRANSFER_ORBITS = (
    elongated(
        "ARIANE 5",
        ROCKET_BODY,
        475,
        (16300, 21450, 29550, 32750, 34050, 35250, 35750, 36450, 50000),
        (230, 280, 360, 1340, 7000),
        (2.0, 6.4, 18.6, 25.2, 30.0),
    ),
    elongated(
        "ARIANE 5",
        DEBRIS,
        471,
        (17350, 24550, 29050, 32350, 34950, 35550, 36050, 39600, 43200),
        (260, 440, 590, 940, 7400),
        (2.5, 7.0, 17.3, 21.5, 29.0),
    ),
    elongated(
        "GTO",
        PAYLOAD,
        60,
        (15000, 26450, 32250, 37900, 60000),
        (250, 300, 480, 840, 3900),
        (2.0, 7.0, 17.0, 26.0),
    ),
    elongated(
        "ATLAS CENTAUR",
        DEBRIS,
        185,
        (31500, 34650, 35200, 35950, 40000),
        (6500, 7800, 8420, 8840, 10500),
        (10.6, 12.5, 12.8, 19.8, 20.5),
    ),
    elongated(
        "CENTAUR",
        ROCKET_BODY,
        76,
        (4000, 10000, 34900, 36000, 50000),
        (250, 340, 7980, 15000, 31000),
        (3.0, 9.0, 13.0, 24.0, 34.0),
    ),
    elongated(
        "BREEZE-M",
        DEBRIS,
        175,
        (11500, 13650, 14550, 15050, 18650, 24500, 26350, 26850, 35000),
        (250, 330, 450, 690, 1250),
        (45.5, 48.9, 49.5, 50.7, 53.0),
    ),
    elongated(
        "BREEZE-M",
        ROCKET_BODY,
        95,
        (6000, 12500, 15000, 20000, 35500),
        (280, 490, 970, 2400, 10000),
        (45.0, 49.5, 51.6, 80.0),
    ),
    elongated(
        "MOLNIYA",
        PAYLOAD,
        77,
        (30000, 36850, 38200, 39050, 41000),
        (340, 1130, 1780, 2430, 5000),
        (61.9, 62.8, 63.6, 64.9, 67.0),
    ),
    elongated(
        "MOLNIYA",
        ROCKET_BODY,
        118,
        (17100, 18400, 18800, 28500, 36800, 38000, 38950, 39550, 42000),
        (260, 580, 950, 1900, 5500),
        (61.9, 63.4, 64.3, 65.1, 67.0),
    ),
    elongated(
        "MOLNIYA",
        DEBRIS,
        89,
        (10800, 15600, 17600, 18650, 19450, 37050, 38700, 39300, 39850),
        (270, 520, 660, 1290, 3300),
        (62.0, 63.7, 64.8, 65.2, 67.0),
    ),
    elongated("HIGH", PAYLOAD, 25, (50000, 80000, 120000), (1000, 8000, 35000), (5.0, 20.0, 47.0, 55.0)),
    elongated(
        "FREGAT", DEBRIS, 75, (1150, 2550, 3150, 3750, 4900), (280, 420, 620, 840, 1420), (50.4, 51.4, 51.9)
    ),
    elongated(
        "ECCENTRIC",
        DEBRIS,
        116,
        (2100, 2950, 4250, 6400, 12000),
        (280, 470, 570, 780, 2000),
        (10.0, 34.0, 57.0, 65.0, 100.0),
    ),
    elongated(
        "ECCENTRIC",
        PAYLOAD,
        110,
        (2000, 3550, 9200, 35000, 50000),
        (280, 500, 1190, 11900, 35000),
        (10.0, 28.0, 61.0, 82.0, 100.0),
    ),
    elongated(
        "ECCENTRIC",
        ROCKET_BODY,
        25,
        (1900, 2300, 2500, 2950, 3600),
        (280, 440, 520, 590, 770),
        (19.0, 28.0, 72.0, 82.5, 90.0),
    ),
)

NAVIGATION_AND_BETWEEN = (
    Population("WESTFORD", DEBRIS, 100, (2000, 2050, 3180, 3640, 4200), WIDE, (64.8, 87.2, 89.5, 102.0)),
    Population("GLONASS", PAYLOAD, 110, (19070, 19130, 19135, 19500), NEARLY_ROUND, (63.8, 65.0, 66.5)),
    Population("GLONASS", ROCKET_BODY, 50, (18800, 19110, 19125, 19450), NEARLY_ROUND, (64.2, 65.0, 66.5)),
    Population("MEO", PAYLOAD, 75, (20000, 20200, 21500, 21900, 23900), NEARLY_ROUND, (53.0, 55.0, 60.0)),
    Population("MEO", ROCKET_BODY, 50, (19500, 20900, 22250, 22900, 23600), NEARLY_ROUND, (53.0, 57.0)),
)

GEOSYNCHRONOUS = (
    geosynchronous("GEO", PAYLOAD, 252, (35780, 35785, 35787, 35790), ROUND),
    geosynchronous(
        "GEO", PAYLOAD, 700, (35100, 35790, 35870, 35990, 36085, 36135, 36195, 36335, 38800), ROUND
    ),
    geosynchronous(
        "GEO",
        ROCKET_BODY,
        258,
        (31200, 34800, 35600, 35750, 35820, 36000, 36400, 36570, 39200),
        NEARLY_ROUND,
    ),
    geosynchronous(
        "GEO", DEBRIS, 87, (34400, 35110, 35285, 35500, 35665, 35790, 36055, 36400, 38100), NEARLY_ROUND
    ),
)
