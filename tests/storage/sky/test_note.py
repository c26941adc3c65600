"""What runs note of their catalogues: against real ones, whole and cut, and against the published event."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from screening.encounters import PROXIMITY_DTYPE
from screening.errors import StoreError
from screening.orbits.elements import ElementArray
from storage.disk.layout import CATALOGUE_CHANGE_FILES, catalogue_change_file, fragmentation_file, run_folder
from storage.rows.over_runs.screened import is_suspect, screened
from storage.sky.catalogue import CatalogueChanges, catalogue_changes
from storage.sky.fragmentations import list_fragmentations, one_fragmentation
from storage.sky.note import note_changes
from tests.made_up_run import make_conjunctions, make_run, publish_anew
from tests.skies_of_2021 import DAYS, EVENT, LAUNCHES, PARENT, hours_between, note_sky, sky

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def skies(shared_file: Callable[[str], Path]) -> list[ElementArray]:
    """Fourteen launches in five catalogues."""
    return [sky(shared_file, day, LAUNCHES) for day in DAYS]


def changes(store: Path, elements: ElementArray, hours_later: float) -> CatalogueChanges:
    note_sky(store, elements, hours_later)
    return catalogue_changes(store)


def numbers(listed: list) -> set[int]:  # type: ignore[type-arg]
    return {one.norad_id for one in listed}


@pytest.fixture(scope="module")
def five(skies: list[ElementArray], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list]:  # type: ignore[type-arg]
    store = tmp_path_factory.mktemp("five") / "store"
    return store, [changes(store, elements, 6.0 * step) for step, elements in enumerate(skies)]


def test_one_break_up_and_no_other_in_five_catalogues(five: tuple[Path, list[CatalogueChanges]]) -> None:
    found = list_fragmentations(five[0]).fragmentations
    assert [one.parent_norad_id for one in found] == [PARENT]
    (event,) = found
    assert hours_between(event.at, EVENT) < 24
    # As the catalogues have them: 1982-092 without the satellite and its stage.
    assert [run.total for run in event.runs] == [606, 606 + 396, 606 + 396 + 128]
    assert event.altitude_km == pytest.approx(475, abs=15)  # 465 to 490 km, from its element sets before
    assert "COSMOS 1408 (13552) broke up at about 2021-11-1" in event.words


def test_launches_are_listed_as_launches(five: tuple[Path, list[CatalogueChanges]]) -> None:
    launches = [{one.launch: one.objects for one in step.launches} for step in five[1]]
    assert launches == [
        {},
        {"2021-102": 11, "2021-104": 57},
        {"2021-115": 55},
        {"2021-125": 56, "2021-132": 36},
        {"2022-001": 53, "2022-003": 8},
    ]
    assert [step.pieces for step in five[1]] == [0, 0, 606, 396, 128]


def test_pieces_have_the_orbits_of_a_gabbard_diagram(five: tuple[Path, list[CatalogueChanges]]) -> None:
    (event,) = list_fragmentations(five[0]).fragmentations
    found = one_fragmentation(five[0], event.id, {1: "ours"})
    assert found is not None
    assert len(found.orbits) == event.pieces
    # Of each, one apsis is about where it happened: the arms of the diagram meet there.
    nearest = [min(abs(one.perigee_km - 475), abs(one.apogee_km - 475)) for one in found.orbits]
    assert np.median(nearest) < 50
    assert all(one.perigee_km <= one.apogee_km for one in found.orbits)
    assert found.fleets[0].approaches_per_day == 0.0
    assert one_fragmentation(five[0], 1, {}) is None


def test_approaches_of_pieces_are_counted(store: Path, skies: list[ElementArray]) -> None:
    for step in (1, 2):
        note_sky(store, skies[step], 6.0 * step)
    (event,) = list_fragmentations(store).fragmentations
    found = one_fragmentation(store, event.id, {})
    assert found is not None
    pieces = {one.norad_id for one in found.orbits}
    made_up = make_run(0, hours_later=18, synthetic=False)
    sets, none = skies[2], np.zeros(0, PROXIMITY_DTYPE)
    run_id = publish_anew(
        store,
        made_up._replace(
            conjunctions=make_conjunctions(sets, 300), proximities=none, elements=sets, rejected=[]
        ),
    )
    rows = pq.read_table(run_folder(store, run_id) / "conjunctions.parquet").to_pylist()
    ours = {row["event_id"] for row in rows if {row["primary_norad_id"], row["secondary_norad_id"]} & pieces}
    assert 100 < len(ours) < 300
    again = one_fragmentation(store, event.id, {})
    assert again is not None
    assert again.approaches_per_day == len(ours), "of a window of one day"


def test_half_a_catalogue_is_marked_and_says_nothing_else(store: Path, skies: list[ElementArray]) -> None:
    changes(store, skies[3], 0)
    half = changes(store, skies[4][::2], 6)
    assert half.suspect
    left = np.isin(skies[3]["norad_id"], skies[4][::2]["norad_id"]).sum()
    assert half.words[0] == (
        f"{left:,} of {len(skies[3]):,} objects: the source was cut? Of no event is said that it is gone."
    )
    assert screened(store, half.run_id).tolist() == [], "so that events of objects that are left are not gone"
    whole = changes(store, skies[4], 12)
    assert not whole.suspect
    assert whole.base_run_id == catalogue_changes(store).runs[-1].run_id, (
        "compared with the last complete run"
    )
    assert whole.objects_before == len(skies[3])
    assert len(screened(store, whole.run_id)) == len(skies[4])
    assert [one.parent_norad_id for one in list_fragmentations(store).fragmentations] in ([], [PARENT])


def test_a_missing_constellation_is_named(store: Path, skies: list[ElementArray]) -> None:
    changes(store, skies[4], 0)
    is_oneweb = np.char.startswith(skies[4]["name"], "ONEWEB")
    assert 20 <= is_oneweb.sum() < 0.1 * len(is_oneweb), "fewer than a tenth"
    cut = changes(store, skies[4][~is_oneweb], 6)
    assert cut.suspect
    assert cut.missing_families == ["ONEWEB"]
    assert "ONEWEB is missing as a whole." in cut.words[0]
    assert cut.gone_total == is_oneweb.sum()


def test_doubled_objects_are_no_pieces(store: Path, skies: list[ElementArray]) -> None:
    changes(store, skies[2], 0)
    again = skies[2].copy()
    again["norad_id"] += 500_000
    twice = changes(store, np.concatenate([skies[2], again]), 6)
    assert twice.suspect
    assert twice.doubled == len(again)
    assert "come twice: the source is damaged?" in twice.words[0]
    assert (twice.new, twice.launches, twice.pieces) == ([], [], 0)
    assert list_fragmentations(store).total == 0
    repeated = note_sky(store, skies[2], 12, repeated=len(skies[2]))
    assert is_suspect(store, repeated)


def test_what_comes_back_or_gets_a_number_is_not_new(store: Path, skies: list[ElementArray]) -> None:
    sets = skies[0][:60].copy()
    changes(store, sets, 0)
    away = changes(store, sets[3:], 6)
    assert (away.gone_total, away.suspect) == (3, False)
    assert [one.name for one in away.gone] == sets["name"][:3].tolist()
    after = sets.copy()
    after["norad_id"][5], after["object_id"][5], after["epoch_jd"][5] = 900_001, "", after["epoch_jd"][5] + 1
    after["mean_anomaly_deg"][5] += 360 * (after["mean_motion_rev_day"][5] % 1)
    after["norad_id"][6] = 900_002
    found = changes(store, np.sort(after, order="norad_id"), 12)
    assert numbers(found.back) == set(sets["norad_id"][:3].tolist())
    pairs = {(one.was, one.norad_id) for one in found.renumbered}
    assert (int(sets["norad_id"][6]), 900_002) in pairs, "by its designator"
    assert found.gone_total == 2 - len(pairs)


def test_a_catalogue_that_stays_small_is_another_one(store: Path, skies: list[ElementArray]) -> None:
    changes(store, skies[0][:60], 0)
    found = [changes(store, skies[0][:60:2], 24.0 * day) for day in (6, 8)]
    assert [one.suspect for one in found] == [True, False]


def test_it_is_noted_once_and_a_store_without_it_is_empty(store: Path, skies: list[ElementArray]) -> None:
    assert catalogue_changes(store).runs == []
    assert list_fragmentations(store).total == 0
    run_id = note_sky(store, skies[0][:50], 0)
    written = catalogue_change_file(store, run_id).stat().st_mtime_ns
    note_changes(store, run_id, skies[0])
    assert catalogue_change_file(store, run_id).stat().st_mtime_ns == written
    catalogue_change_file(store, run_id).unlink()
    assert catalogue_changes(store).words == ["No run has compared its catalogue with an earlier one yet."]
    assert len(screened(store, run_id)) == 50


def test_a_damaged_file_is_named(store: Path, skies: list[ElementArray]) -> None:
    run_id = note_sky(store, skies[0][:50], 0)
    path = catalogue_change_file(store, run_id)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(StoreError, match=f"{run_id}.parquet"):
        catalogue_changes(store)


def test_whole_catalogues(shared_file: Callable[[str], Path], store: Path) -> None:
    """23,000 objects each: one event, no other; every new object of a launch of those weeks is one."""
    for step, day in enumerate(DAYS):
        note_sky(store, sky(shared_file, day), 6.0 * step)
        assert not catalogue_changes(store).suspect
    (event,) = list_fragmentations(store).fragmentations
    assert (event.parent_norad_id, [run.new for run in event.runs]) == (PARENT, [606, 396, 128])
    assert hours_between(event.at, EVENT) < 24
    assert len(list(store.glob(CATALOGUE_CHANGE_FILES))) == len(DAYS) + 1
    assert pq.read_table(fragmentation_file(store, event.runs[0].run_id)).num_rows == 1
