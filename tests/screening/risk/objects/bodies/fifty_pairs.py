"""Fifty close approaches of CelesTrak's SOCRATES list of 2020-12-12, each with who gave way, by hand.

Names and marks are the list's: + in use, - out of use, P partly, B as a spare, X in an extended mission, ?
unknown. By hand: what operators and builders say of thrusters and of the end of missions. P, S: the first,
the second gives way; A: their operators agree; -: nobody can.
"""

PAIRS = """
FLOCK 3R-5              - CZ-2D DEB               - -
FLOCK 3K-2              + COSMOS 2251 DEB         - P
FLOCK 4V-25             + FENGYUN 1C DEB          - P
ONEWEB-0007             + SL-14 DEB               - P
ONEWEB-0051             + ARIANE 1 DEB            - P
STARLINK-1070           + FENGYUN 1C DEB          - P
STARLINK-1379           + FENGYUN 1C DEB          - P
IRIDIUM 147             + FENGYUN 1C DEB          - P
NOAA 10                 - SL-16 DEB               - -
IRIDIUM 914             - MICROSAT-R DEB          - -
OPS 7869 (DMSP 4B F1)   - FENGYUN 1C DEB          - -
METEOR 1-27             ? FENGYUN 1C DEB          - -
COSMOS 1304             ? FENGYUN 1C DEB          - -
NOAA 18                 B DELTA 1 DEB             - -
DMSP 5D-3 F16 (USA 172) B NOAA 16 DEB             - -
EYESAT A (AO-27)        P COSMOS 2251 DEB         - -
FGRST (GLAST)           X COSMOS 2251 DEB         - P
FLOCK 3P-48             - FLOCK 3P-44             - -
FLOCK 2P-8              + FLOCK 3P'-2             + A
FLOCK 2K-11             - FLOCK 2K-6              + S
FLOCK 1C-8              - SL-14 R/B               - -
FLOCK 4A-20             - ANIK D2 R/B [PAM-D]     - -
FLOCK 2K-4              + STARLINK-1685           + S
FLOCK 4V-11             + STARLINK-1796           + S
FLOCK 2K-17             - STARLINK-1660           + S
KMS 3-2                 - FLOCK 3R-13             - -
STPSAT-1                - FLOCK 3P-63             - -
XW-2E                   - FLOCK 4E'-2             + S
COSMOS 1726             ? FLOCK 3P-4              + S
ONEWEB-0066             + ONEWEB-0068             + A
QB50P2                  + ONEWEB-0027             + S
STARLINK-1326           + PEGASUS R/B             - P
STARLINK-1057           + SL-24 R/B               - P
FORMOSAT 7-2            + H-2A R/B                - P
TIROS 3                 - SL-8 R/B                - -
COSMOS 1447             - SL-8 R/B                - -
ORBCOMM FM25            - SL-8 R/B                - -
COSMOS 1736             ? SL-8 R/B                - -
STARLINK-1478           + STARLINK-1676           + A
STARLINK-1826           + STARLINK-1841           + A
CP7 (DAVE)              + STARLINK-70             + S
HETE-2                  - STARLINK-1666           + S
COSMOS 482 DESCENT CRAFT ? STARLINK-1743          + S
DELFI-C3 (DO-64)        P STARLINK-1140           + S
O3B FM13                + O3B FM19                + A
SPOT 1                  - CARTOSAT-2A             + S
FORMOSAT 7-1            + COSMOS 1818 COOLANT     - P
GONETS-D1 6             - GLOBALSTAR M039         - -
CSTB 1                  - AEROCUBE 2              - -
COSMOS 2114             ? COSMOS 2272             ? -
"""

_OLD = "the list does not say that it is out of use, as its age does"
_THRUSTERS = "it has thrusters, which its name does not say: without a history of element sets nothing does"
_NO_THRUSTERS = "it has none, which its name does not say, and it weighs more than 2 kg"
# Of those where the answer is unknown: why.
UNKNOWN = {
    "IRIDIUM 147": _THRUSTERS,
    "METEOR 1-27": _OLD,
    "COSMOS 1304": _OLD,
    "NOAA 18": "its thrusters were for its launch only",
    "DMSP 5D-3 F16 (USA 172)": "its thrusters were for its launch only",
    "EYESAT A (AO-27)": _NO_THRUSTERS,
    "FGRST (GLAST)": _THRUSTERS,
    "COSMOS 1726": _OLD,
    "QB50P2": _NO_THRUSTERS,
    "FORMOSAT 7-2": _THRUSTERS,
    "COSMOS 1736": _OLD,
    "CP7 (DAVE)": _NO_THRUSTERS,
    "COSMOS 482 DESCENT CRAFT": _OLD,
    "DELFI-C3 (DO-64)": _NO_THRUSTERS,
    "O3B FM13": _THRUSTERS,
    "SPOT 1": "of the other, CARTOSAT-2A: " + _THRUSTERS,
    "FORMOSAT 7-1": _THRUSTERS,
    "COSMOS 2114": _OLD,
}
