"""Facts about objects: kept in the store, and joined with the element sets of a run."""

import csv
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from screening.errors import InputError, UsageError
from screening.orbits.texts.catalogue import parse_catalogue
from screening.risk.conjunctions import HARD_BODY_SOURCES
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.hard_body import DEFAULT_RADIUS_M
from screening.vocabulary import OBJECT_TYPES
from storage.bodies.table import shipped_bodies
from storage.state import tables
from storage.state.database import SERVICE_STATE, begin_attempt, newest_attempts
from storage.state.fact_files import FactFile, parse_facts
from storage.state.object_facts import (
    StoredFacts,
    clear_override,
    import_facts,
    import_file,
    is_newest_import,
    override_radius,
    read_facts,
    stored_facts,
)
from storage.state.records import RadiusFact
from storage.state.tables import ServiceStateError
from storage.writing.objects_table import named, objects_of, types_from_names

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)


def radii(*records: str) -> bytes:
    return "\n".join(["ObjectID,HBR,HBRSource", *records, ""]).encode()


def satcat(*records: str) -> bytes:
    return "\n".join(["NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE", *records, ""]).encode()


def satcat_with_rcs(*records: str) -> bytes:
    return "\n".join(["NORAD_CAT_ID,OBJECT_TYPE,OPS_STATUS_CODE,RCS", *records, ""]).encode()


def told(objects: np.ndarray) -> list[tuple[str, str, float, str]]:
    """Return type, status, radius and its source of each object, in words."""
    return [
        (OBJECT_TYPES[o["object_type"]], str(o["status"]), float(o["hard_body_radius_m"]), source)
        for o, source in zip(
            objects, (HARD_BODY_SOURCES[c] for c in objects["hard_body_source"]), strict=True
        )
    ]


def import_of_cara(shared_file) -> dict[int, float]:
    text = shared_file("hbr/HBR_Mass_Estimates_20260601.csv").read_bytes()
    return {fact.norad_id: fact.radius_m for fact in parse_facts(text, "hbr.csv").facts}


@pytest.mark.slow
def test_the_radii_of_cara_reach_the_objects_of_the_real_catalogue(shared_file, store: Path) -> None:
    path = shared_file("hbr/HBR_Mass_Estimates_20260601.csv")
    catalogue = shared_file("gp_onorbit_20241101.csv")
    elements = parse_catalogue(catalogue.read_bytes(), source_name="gp.csv").elements
    import_file(store, path, NOW)
    objects = objects_of(elements, read_facts(store))
    with path.open(newline="") as file:
        table = {
            int(r["ObjectID"]): float(r["HBR"])
            for r in csv.DictReader(file)
            if r["HBR"] and r["HBRSource"] != "Default"
        }
    from_table = objects["hard_body_source"] == HARD_BODY_SOURCES.index("table")
    expected = {int(n): table[n] for n in elements["norad_id"] if table.get(n, 250.0) != 250.0}
    by_body = objects["hard_body_source"] == HARD_BODY_SOURCES.index("body")
    for number in objects["norad_id"][by_body].tolist():  # of series whose dimensions are published
        expected.pop(number, None)
    assert from_table.sum() == len(expected) > 10_700
    known = objects[from_table]
    assert (
        dict(zip(known["norad_id"].tolist(), known["hard_body_radius_m"].tolist(), strict=True)) == expected
    )
    others = Counter(HARD_BODY_SOURCES[code] for code in objects["hard_body_source"][~from_table])
    assert others.keys() == {"body", "stage", "class", "type"}


def test_the_known_radii_of_a_type_are_about_its_default(shared_file) -> None:
    table = import_of_cara(shared_file)
    elements = parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_bytes()).elements
    types = types_from_names(elements["name"])
    known_m = np.array([table.get(number, np.nan) for number in elements["norad_id"].tolist()])
    for word in ("debris", "unknown", "rocket_body", "payload"):
        found = known_m[(types == OBJECT_TYPES.index(word)) & np.isfinite(known_m)]
        lower, upper = np.quantile(found, [0.25, 0.95])
        assert lower < DEFAULT_RADIUS_M[word] < upper, word


def test_types_of_the_real_catalogue_come_from_its_names(shared_file) -> None:
    catalogue = shared_file("gp_onorbit_20241101.csv")
    elements = parse_catalogue(catalogue.read_bytes(), source_name="gp.csv").elements
    with catalogue.open(newline="") as file:
        names = [record["OBJECT_NAME"] for record in csv.DictReader(file)]
    expected = Counter(
        "debris"
        if " DEB" in name or " COOLANT" in name
        else "rocket_body"
        if " R/B" in name
        else "unknown"
        if name == "UNKNOWN"
        else "payload"
        for name in names
    )
    objects = objects_of(elements)
    assert Counter(OBJECT_TYPES[code] for code in objects["object_type"]) == expected
    assert min(expected.values()) == expected["unknown"] == 567
    of_types = np.array([DEFAULT_RADIUS_M[word] for word in OBJECT_TYPES])
    by_type = objects["hard_body_source"] == HARD_BODY_SOURCES.index("type")
    assert (objects["hard_body_radius_m"] == of_types[objects["object_type"]])[by_type].all()


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("UNKNOWN", "unknown"),
        ("TBA", "unknown"),
        ("TBA - TO BE ASSIGNED", "unknown"),
        ("OBJECT A", "payload"),  # a new launch
        ("OBJECT AB", "payload"),
        ("TBATSAT", "payload"),
        ("UNKNOWN DEB", "debris"),
        ("", "payload"),
    ],
)
def test_a_name_tells_the_type(name: str, word: str) -> None:
    assert [OBJECT_TYPES[code] for code in types_from_names(np.array([name]))] == [word]


def test_the_ladder_goes_down_rung_by_rung(make, store: Path) -> None:
    elements = make.elements(5)
    elements["name"] = ["OBJECT A", "OBJECT A", "OBJECT A", "STARLINK-1007", "OBJECT A"]
    first, second, third, *_ = elements["norad_id"].tolist()
    import_facts(store, radii(f"{first},9,a", f"{second},8,a", f"{third},7,Default"), "r.csv", NOW)
    import_facts(store, satcat_with_rcs(f"{second},PAY,+,28.2743", f"{third},PAY,+,28.2743"), "s.csv", NOW)
    override_radius(store, first, 66.0, NOW)
    assert [fact[2:] for fact in told(objects_of(elements, read_facts(store)))] == [
        (66.0, "override"),
        (8.0, "table"),
        (pytest.approx(3.0, abs=1e-5), "rcs"),
        (2.0, "body"),
        (2.0, "type"),
    ]


def test_a_station_has_its_size_and_not_that_of_its_cross_section(make, store: Path) -> None:
    elements = make.elements(1)
    elements["norad_id"] = 25544
    import_facts(store, satcat_with_rcs("25544,PAY,+,399.0524"), "s.csv", NOW)
    assert told(objects_of(elements, read_facts(store))) == [("payload", "active", 54.5, "body")]
    import_facts(store, radii("25544,66.1,CARA Protected Primary"), "r.csv", NOW)
    assert told(objects_of(elements, read_facts(store)))[0][2:] == (54.5, "body")


def test_the_table_of_bodies_goes_before_cara_and_names(make, store: Path) -> None:
    elements = make.elements(4)
    elements["norad_id"] = 5, 48274, 11001, 900_000_001  # Vanguard 1, Tianhe, no payload
    elements["name"] = ["VANGUARD 1", "CSS (TIANHE)", "SL-8 R/B", "COSMOS DEB"]
    import_facts(store, radii("5,9,a"), "r.csv", NOW)
    objects = objects_of(elements, read_facts(store)._replace(bodies=shipped_bodies()))
    assert [fact[2:] for fact in told(objects)] == [
        (pytest.approx(0.08, abs=0.03), "body"),
        (27.5, "body"),  # all of the station, not one module
        (pytest.approx(1.80, abs=0.005), "stage"),
        (0.15, "type"),
    ]
    assert objects["mass_kg"][[0, 2]].tolist() == [2.0, 1434.0]
    assert objects["body_source"].tolist() == ["gcat", "series", "stages", ""]
    assert objects["state"][0] == "US"
    assert objects["bounding_radius_m"][2] == pytest.approx(np.hypot(4.2, 2.4) / 2.0)
    assert 0.1 < objects["mass_kg"][3] < 10.0


def test_what_a_catalogue_does_not_name_has_the_error_law_of_its_published_name(shared_file) -> None:
    elements = parse_catalogue(shared_file("gp_onorbit_20241101.csv").read_bytes()).elements
    bodies = shipped_bodies()
    facts = read_facts(Path("nowhere"))._replace(bodies=bodies)
    of_its_name = objects_of(elements, facts)["error_class"]
    nameless = elements.copy()
    nameless["name"] = ""
    known = np.isin(elements["norad_id"], bodies["norad_id"])
    for constellation in ("starlink", "oneweb"):
        code = ERROR_CLASSES.index(constellation)
        of_it = (of_its_name == code) & known
        assert of_it.sum() > 500
        assert (objects_of(named(nameless, bodies), facts)["error_class"][of_it] == code).mean() > 0.95


def test_a_geostationary_payload_is_larger_than_others(make) -> None:
    elements = make.elements(3)  # payload, debris, rocket body
    elements["mean_motion_rev_day"], elements["eccentricity"] = 1.0027, 1e-4
    assert [fact[2:] for fact in told(objects_of(elements))] == [
        (8.9, "class"),
        (0.15, "type"),
        (3.5, "type"),
    ]


def test_an_override_goes_before_a_table_and_a_table_before_the_type(make, store: Path) -> None:
    elements = make.elements(6)  # by their names: payload, debris, rocket body, and again
    first, second, third, fourth, fifth, last = elements["norad_id"].tolist()
    import_facts(store, radii(f"{first},9,a", f"{second},0.3,b", "4,7,not in the catalogue"), "r.csv", NOW)
    rows = (f"{second},PAY,+", f"{third},R/B,D", f"{fourth},UNK,?", f"{fifth},R/B,-", f"{last},DEB,P")
    import_facts(store, satcat(*rows), "s.csv", NOW)
    override_radius(store, first, 66.0, NOW)
    override_radius(store, last, 0.01, NOW)
    assert told(objects_of(elements, read_facts(store))) == [
        ("payload", "unknown", 66.0, "override"),
        ("payload", "active", 0.3, "table"),
        ("rocket_body", "inactive", 3.5, "type"),
        ("payload", "unknown", 2.0, "type"),
        ("rocket_body", "inactive", 3.5, "type"),
        ("debris", "inactive", 0.01, "override"),
    ]
    backwards = told(objects_of(elements[::-1], read_facts(store)))
    assert backwards[::-1] == told(objects_of(elements, read_facts(store)))
    assert clear_override(store, first)
    assert not clear_override(store, first)
    assert told(objects_of(elements, read_facts(store)))[0] == ("payload", "unknown", 9.0, "table")


def test_a_store_without_facts_leaves_name_and_type(make, store: Path) -> None:
    elements = make.elements(3)
    assert told(objects_of(elements, read_facts(store))) == [
        ("payload", "unknown", 2.0, "type"),
        ("debris", "inactive", 0.15, "type"),
        ("rocket_body", "inactive", 3.5, "type"),
    ]
    assert not store.exists()
    assert len(objects_of(elements[:0], read_facts(store))) == 0


def test_an_import_said_twice_is_as_said_once(store: Path) -> None:
    text = radii("5,1,a", "6,2,b", "7,,c", "8,900,d")
    first = import_facts(store, text, "r.csv", NOW)
    facts = read_facts(store)
    again = import_facts(store, text, "r.csv", NOW + HOUR)
    assert again.file == first.file
    assert again.changes == (0, 0, [])
    assert all(np.array_equal(a, b) for a, b in zip(read_facts(store), facts, strict=True))
    with closing(sqlite3.connect(store / SERVICE_STATE)) as state:
        assert state.execute("SELECT count(*) FROM fact_imports").fetchone() == (1,)


def test_a_later_import_replaces_what_it_names_and_keeps_the_rest(store: Path) -> None:
    import_facts(store, radii("5,1,old", "6,2,old", "7,3,old"), "old.csv", NOW)
    import_facts(store, satcat("5,PAY,+"), "s.csv", NOW)
    import_facts(store, radii("5,9,new", "6,,new"), "new.csv", NOW + HOUR)
    import_facts(store, satcat("5,PAY,-"), "t.csv", NOW + HOUR)
    assert read_facts(store).radii.tolist() == [(5, 9.0), (6, 2.0), (7, 3.0)]
    override_radius(store, 5, 4.0, NOW + 2 * HOUR)
    assert stored_facts(store, 5) == StoredFacts(
        "payload",
        "nonoperational",
        None,
        None,
        "t.csv",
        NOW + HOUR,
        9.0,
        "new",
        "new.csv",
        NOW + HOUR,
        4.0,
        NOW + 2 * HOUR,
    )
    assert stored_facts(store, 7)[6:10] == (3.0, "old", "old.csv", NOW)
    assert stored_facts(store, 4711) == StoredFacts()


def test_the_newest_import_of_each_kind_is_known(store: Path) -> None:
    texts = [radii("5,1,a"), satcat("5,PAY,+"), satcat("5,PAY,-")]
    assert not is_newest_import(store, texts[0])
    for text in texts:
        import_facts(store, text, "file", NOW)
        assert is_newest_import(store, text)
    assert [is_newest_import(store, text) for text in texts] == [True, False, True]


@pytest.mark.parametrize("radius_m", [0.0, 0.0099, 100.1, -1.0, float("nan"), float("inf")])
def test_a_radius_out_of_range_is_refused(store: Path, radius_m: float) -> None:
    with pytest.raises(UsageError, match=r"allowed are 0\.01 to 100 m"):
        override_radius(store, 5, radius_m, NOW)
    assert not store.exists()


def test_the_ends_of_the_range_are_allowed(store: Path) -> None:
    override_radius(store, 5, 0.01, NOW)
    override_radius(store, 6, 100.0, NOW)
    assert read_facts(store).overrides.tolist() == [(5, 0.01), (6, 100.0)]


@pytest.mark.parametrize("name", ["missing.csv", "."])
def test_a_file_that_cannot_be_read_is_a_clear_error(store: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be read") as unreadable:
        import_file(store, tmp_path / name, NOW)
    assert str(tmp_path / name) in str(unreadable.value)
    assert "SATCAT" in str(unreadable.value)
    assert not store.exists()


def parsed_with_a_null() -> FactFile:
    return FactFile("radii", [RadiusFact(6, 2.0, "b"), (5, None, "b")], 0, [])


def test_an_import_that_fails_leaves_the_facts_as_they_were(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_facts(store, radii("5,1,a"), "old.csv", NOW)
    monkeypatch.setattr("storage.state.object_facts.parse_facts", lambda *_: parsed_with_a_null())
    with pytest.raises(sqlite3.IntegrityError):
        import_facts(store, b"", "new.csv", NOW)
    assert read_facts(store).radii.tolist() == [(5, 1.0)]
    assert is_newest_import(store, radii("5,1,a"))


def test_a_damaged_state_is_a_clear_error(make, store: Path) -> None:
    import_facts(store, radii("5,1,a"), "r.csv", NOW)
    (store / SERVICE_STATE).write_bytes(b"not a database" * 1000)
    with pytest.raises(ServiceStateError, match="is damaged"):
        read_facts(store)


def test_a_store_of_the_first_schema_gets_the_tables(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as first_release:
        first_release.setattr(tables, "MIGRATIONS", tables.MIGRATIONS[:1])
        begin_attempt(store, NOW, "celestrak", "fetch")
    assert len(read_facts(store).radii) == 0
    import_facts(store, radii("5,1,a"), "r.csv", NOW)
    assert read_facts(store).radii.tolist() == [(5, 1.0)]
    assert len(newest_attempts(store, 10)) == 1
