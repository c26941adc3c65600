"""Catalogues of any size, made up: only their number of records matters here."""

import json

from storage.bodies.table import shipped_bodies

HEADER = (
    "OBJECT_NAME,OBJECT_ID,EPOCH,MEAN_MOTION,ECCENTRICITY,INCLINATION,RA_OF_ASC_NODE,ARG_OF_PERICENTER,"
    "MEAN_ANOMALY,EPHEMERIS_TYPE,CLASSIFICATION_TYPE,NORAD_CAT_ID,ELEMENT_SET_NO,REV_AT_EPOCH,BSTAR,"
    "MEAN_MOTION_DOT,MEAN_MOTION_DDOT"
)


def catalogue_csv(objects: int, unusable: int = 0, epoch: str = "2026-11-21T00:00:00.000000") -> bytes:
    """Return a catalogue as OMM CSV; records that are `unusable` have an impossible eccentricity."""
    records = [
        f"MADE UP {number},2026-001A,{epoch},15.5,{1.5 if number > objects else 0.001},"
        f"51.6,{number % 360},0,{number % 359},0,U,{number},999,1,.0001,.00001,0"
        for number in range(1, objects + unusable + 1)
    ]
    return "\n".join([HEADER, *records, ""]).encode()


def radii_csv(objects: int) -> bytes:
    """Return a table of hard-body radii with the columns that NASA CARA publishes."""
    records = [f"{number},1.5,0,SFK RCS Estimate,,0,x" for number in range(1, objects + 1)]
    header = "ObjectID,HBR,HBRSigma,HBRSource,Mass,MassSigma,MassSource"
    return "\n".join([header, *records, ""]).encode()


def listing_json(*names: str) -> bytes:
    """Return the listing of a folder as GitHub's interface gives it."""
    return json.dumps([{"name": name, "type": "file", "size": 3_135_163} for name in names]).encode()


def satcat_csv(objects: int) -> bytes:
    """Return a satellite catalogue with the columns that CelesTrak publishes first."""
    records = [f"MADE UP {number},2026-001A,{number},PAY,+,US" for number in range(1, objects + 1)]
    header = "OBJECT_NAME,OBJECT_ID,NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE,OWNER"
    return "\r\n".join([header, *records, ""]).encode()


def gcat_tsv(objects: int, metre: float = 1.0, kilogram: float = 1.0) -> bytes:
    """Return the first bodies of the package as spheres, with those columns of GCAT that are read."""
    header = (
        "#JCAT\tSatcat\tType\tName\tPLName\tDDate\tOwner\tState\tMass\tMassFlag\tLength\tLFlag\tDiameter\t"
        "DFlag\tSpan\tSpanFlag\tShape"
    )
    bodies = shipped_bodies()[:objects][["norad_id", "radius_m", "mass_kg"]].tolist()
    records = [
        f"S{number:05}    \t{number:05}\tP           \tMade up {number}\t-\t-\tTEST\tUS\t"
        f"{mass_kg / kilogram} \t \t" + f"{2.0 * radius_m / metre} \t \t" * 3 + "Sphere"
        for number, radius_m, mass_kg in bodies
    ]
    return "\n".join([header, "# Updated 2026 Nov 20 2218:29", *records, ""]).encode()
