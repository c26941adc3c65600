"""Published messages and ephemerides: which are read, and which are refused, at which line."""

import re
from typing import NamedTuple


class Refusal(NamedTuple):
    """Where a broken file is refused, and what the error says, a regular expression."""

    line: int
    reason: str


class Readable(NamedTuple):
    """Whose ephemeris a file holds."""

    norad_id: int
    name: str
    object_id: str
    states: int
    note: str = ""  # what is said of it, a regular expression


MESSAGE_FOLDERS = ("cdm", "ndm/cdm", "ndm/cara")
REFUSED_MESSAGES = {
    "ndm/cdm/CDM-covariance-wrong-entry-format.txt": Refusal(65, "CRDOT_T of OBJECT2 must be a number"),
    "ndm/cdm/CDM-missing-TCA.txt": Refusal(5, "TCA of the message is missing"),
    "ndm/cdm/CDM-missing-object2-state-vector.txt": Refusal(77, "X of OBJECT2 is missing"),
    "ndm/cdm/CDMExample1InvalidTca.txt": Refusal(5, "TCA of the message must be YYYY-MM-DD"),
}
# They follow version 1.0 of the standard themselves: the others have a radius as a keyword, other frames, no
# covariance; one has a negative area over mass, which the schema forbids.
FOLLOWS_THE_STANDARD = re.compile(
    r"ndm/cdm/(golden_cdm\..*|CDMExample1\.(txt|xml)|CDMExample2\.txt)|(?!.*000030580)cdm/0.*"
)

EPHEMERIS_FOLDERS = ("ndm/oem", "ndm/ocm")
# Earth-centred, UTC.
READ_EPHEMERIDES = {
    "ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz": Readable(0, "ISS", "1998-067A", 5558),
    "ndm/oem/ISS.resampled.truncated.txt": Readable(0, "ISS", "1998-067A", 25),
    "ndm/oem/OEMExample5.txt": Readable(0, "ISS", "1998-067A", 49),
    "ndm/oem/OEMExample5ITRF.txt": Readable(0, "ISS", "1998-067A", 49),
    "ndm/oem/test.oem": Readable(
        25544, "25544", "", 2, r"STOP_TIME is 2019-09-10T00:00:00.000000Z; cut off\?"
    ),
    # Its covariance is of 23 years before.
    "ndm/oem/test_cov.oem": Readable(25544, "25544", "", 2, "1 of 1 covariances are left out: 1996-12-28"),
    # Its covariance is a triangle over six lines without times, where the standard has one line a time.
    "ndm/ocm/golden_ocm.ocm": Readable(58724, "POLARIS-1", "2024-013A", 3, "covariance 1 is left out"),
    "ndm/ocm/golden_ocm.xml": Readable(58724, "POLARIS-1", "2024-013A", 3, "covariance 1 is left out"),
}
_MARS = r"has CENTER_NAME 'MARS( BARYCENTER)?'; allowed: EARTH\."
# About Mars, of a clock of its own, or broken.
REFUSED_EPHEMERIDES = {
    "ndm/oem/OEM-Issue839.txt": Refusal(9, _MARS),
    "ndm/oem/OEM-covariance-number-format-error.txt": Refusal(52, "Invalid float"),
    "ndm/oem/OEM-ephemeris-number-format-error.txt": Refusal(
        44, "State vector must have at least 6 components"
    ),
    "ndm/oem/OEM-inconsistent-time-systems.txt": Refusal(33, "Invalid value for 'TIME_SYSTEM': 'TCG'"),
    "ndm/oem/OEM-keyword-within-covariance.txt": Refusal(91, "Expected EPOCH in covariance matrix"),
    "ndm/oem/OEM-keyword-within-ephemeris.txt": Refusal(24, "invalid epoch format: 'USER_DEFINED_TEST_KEY'"),
    "ndm/oem/OEM-too-few-covariance-columns.txt": Refusal(
        55, "a row of a covariance has 4 numbers, and not 5"
    ),
    "ndm/oem/OEM-too-many-covariance-columns.txt": Refusal(
        51, "a row of a covariance has 6 numbers, and not 1"
    ),
    "ndm/oem/OEM-wrong-keyword.txt": Refusal(19, "Unexpected OEM Metadata key"),
    "ndm/oem/OEMExample1.txt": Refusal(10, _MARS),
    "ndm/oem/OEMExample2.txt": Refusal(13, "TIME_SYSTEM 'MRT'; allowed: UTC, GPS, TAI, TT"),
    "ndm/oem/OEMExample3.txt": Refusal(10, _MARS),
    "ndm/oem/OEMExample3.xml": Refusal(17, _MARS),
    "ndm/oem/OEMExample4.txt": Refusal(8, _MARS),
    "ndm/oem/OEMExample6.txt": Refusal(12, _MARS),
    "ndm/oem/OEMExample8.txt": Refusal(17, "INTERPOLATION_DEGREE is missing or wrong"),
    "ndm/oem/OEMExampleWithHeaderComment.txt": Refusal(10, _MARS),
}
