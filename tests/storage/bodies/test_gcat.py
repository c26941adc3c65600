"""GCAT read in both of its forms, and the table that comes with the package."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.errors import InputError
from storage.bodies.gcat import check_units, read_gcat
from storage.bodies.make import make
from storage.bodies.table import SHIPPED, shipped_bodies

CSV = "norad_id,name,mass_kg,mass_estimated,length_m,diameter_m,span_m,shape,bus,owner,state\n"
TSV = (
    "#JCAT\tSatcat\tType\tName\tPLName\tDDate\tOwner\tState\tMass\tMassFlag\tLength\tLFlag\tDiameter\tDFlag\tSpan\t"
    "SpanFlag\tShape\n# Updated 2026 Aug  1\n"
)


def of_csv(*rows: str) -> bytes:
    return (CSV + "".join(f"{row}\n" for row in rows)).encode()


def test_a_csv_is_read() -> None:
    found = read_gcat(
        of_csv(
            "7,B,100,0,6.5,2.4,0,Cyl,bus,NRL,US",
            '5,A,2,1,0.1,0.1,0.1,Sphere,"NRL 6""",NRL,US',
            "9,C,0,0,0,0,0,Box,bus,X,US",
        )
    )
    assert found.bodies["norad_id"].tolist() == [5, 7]
    assert found.bodies["radius_m"] == pytest.approx([0.05, 2.15], abs=0.005)
    assert found.bodies["mass_kg"].tolist() == [2.0, 100.0]
    assert found.bodies["sure"].tolist() == [False, True]
    assert (found.blank, found.rejections.count) == (1, 0)


def test_a_whole_satcat_is_read() -> None:
    rows = (
        "S00005\t00005\tP\tVanguard I\tTest Satellite H\t-\tNRL\tUS\t2\t\t0.1\t\t0.1\t\t0.1\t\tSphere\n"
        "S11000\t11000\tR2\tS3M\t-\t-\tYUZH\tSU\t1435\t\t6.5\t?\t2.4\t\t6.5\t\tCyl\n"
        "S11001\t11001\tR2\tgone\t-\t1990 Jan  1\tYUZH\tSU\t1435\t\t6.5\t\t2.4\t\t6.5\t\tCyl\n"
        "S11002\t11002\tD\tpiece\t-\t-\tYUZH\tSU\t1\t\t0.1\t\t0.1\t\t0.1\t\tCyl\n"
    )
    found = read_gcat((TSV + rows).encode()).bodies
    assert found["norad_id"].tolist() == [5, 11000]
    assert found["sure"].tolist() == [True, False]
    assert found["state"].tolist() == ["US", "SU"]
    assert found["name"].tolist() == ["Vanguard I", "S3M"]


def test_a_text_that_is_cut_off_is_refused() -> None:
    whole = of_csv("7,B,100,0,6.5,2.4,6.5,Cyl,b,NRL,US", "8,B,100,0,6.5,2.4,6.5,Cyl,b,NRL,US")
    with pytest.raises(InputError, match="cut off"):
        read_gcat(whole[:-3])


@pytest.mark.parametrize(("column", "factor"), [("mass_kg", 1000.0), ("size", 100.0), ("size", 3.28)])
def test_a_text_in_other_units_is_refused(column: str, factor: float) -> None:
    known = shipped_bodies()[:5]
    size, mass = (factor, 1.0) if column == "size" else (1.0, factor)
    rows = [
        f"{number},A,{mass_kg * mass},0,{2 * radius_m * size},{2 * radius_m * size},0,Sphere,b,o,US"
        for number, radius_m, mass_kg in known[["norad_id", "radius_m", "mass_kg"]].tolist()
    ]
    with pytest.raises(InputError, match="kilograms" if column == "mass_kg" else "metres"):
        check_units(read_gcat(of_csv(*rows)).bodies, shipped_bodies())


@pytest.mark.parametrize(
    "absurd",
    [
        "6,X,10,0,1e9,1,1,Box,b,o,US",
        "6,X,10,0,-1,1,1,Box,b,o,US",
        "6,X,nan,0,1,1,1,Box,b,o,US",
        "6,X,10,0,1,1,inf,Box,b,o,US",
        "6,X,9e9,0,1,1,1,Box,b,o,US",
        "six,X,10,0,1,1,1,Box,b,o,US",
        "-6,X,10,0,1,1,1,Box,b,o,US",
        "6,X,10,0",
    ],
)
def test_an_absurd_row_is_refused_and_counted(absurd: str) -> None:
    found = read_gcat(of_csv("7,B,100,0,6.5,2.4,6.5,Cyl,b,NRL,US", absurd))
    assert found.bodies["norad_id"].tolist() == [7]
    assert found.rejections.count == 1


def test_what_is_no_gcat_is_refused_and_the_old_table_stays(tmp_path: Path) -> None:
    for text, said in (
        (b"", "columns lack"),
        (b"<html>busy</html>", "columns lack"),
        (CSV.replace("span_m", "span_ft").encode(), "lack span_m"),
        (CSV.encode(), "no bodies"),
        (TSV.replace("\tMass\t", "\tWeight\t").encode(), "lack Mass"),
    ):
        with pytest.raises(InputError, match=said):
            read_gcat(text)
    table, source = tmp_path / "bodies.parquet", tmp_path / "cut.csv"
    table.write_bytes(b"old")
    source.write_bytes(CSV.encode())
    with pytest.raises(InputError):
        make(str(source), table)
    assert table.read_bytes() == b"old"


@pytest.mark.slow
def test_the_shipped_table_is_what_gcat_says(shared_file: Callable[[str], Path], tmp_path: Path) -> None:
    source = shared_file("sizes/gcat_payloads.csv")
    make(str(source), tmp_path / "bodies.parquet")
    assert (tmp_path / "bodies.parquet").read_bytes() == SHIPPED.read_bytes()
    with source.open(encoding="utf-8") as lines:
        masses = {int(row["norad_id"]): float(row["mass_kg"]) for row in csv.DictReader(lines)}
    ours = shipped_bodies()
    theirs_kg = np.array([masses[number] for number in ours["norad_id"].tolist()])
    assert len(ours) > 18_500
    assert ours["mass_kg"] == pytest.approx(theirs_kg, rel=0.05)


def test_the_shipped_table_is_small_and_sorted() -> None:
    ours = shipped_bodies()
    assert SHIPPED.stat().st_size < 1_000_000
    assert (np.diff(ours["norad_id"]) > 0).all()
    assert np.isfinite(ours["radius_m"]).all()
    assert (ours["bounding_radius_m"] > 0.0).all()
    assert set(ours["body_source"].tolist()) == {"gcat"}
