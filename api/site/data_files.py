"""The data of the run as Parquet and CSV, and how to cite them."""

import json
from typing import Any

from api.site.contents import Contents
from api.site.folder import Folder
from api.site.object_pages import COARSE, ELEMENTS, FACTS
from storage.in_memory.object_fields import rows_with
from storage.reading.events_file import write_gzipped_csv, write_parquet
from storage.rows.danger import MOST_DANGEROUS_FIRST
from storage.rows.words.numbers import minute

TABLES = {
    "events": "Every approach: time, miss, probability, level, both objects; as Parquet also their errors",
    "objects": "Every object: name, kind, owner, size, orbit to 1 km and 0.1°",
    "elements": "The element set of every object",
}
# A state at TCA says as much as an element set: only with these.
_STATES = tuple(
    f"{side}_{name}"
    for side in ("primary", "secondary")
    for name in ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")
)
_EVENTS = (
    "event_id", "tca", "primary_norad_id", "primary_name", "secondary_norad_id", "secondary_name",
    "miss_distance_m", "relative_speed_m_s", "encounter", "probability_best", "probability_method",
    "probability_level", "near_level",
)  # fmt: skip
# Only in Parquet, numbers to seven digits.
_DETAILS = (
    "miss_radial_m", "miss_in_track_m", "miss_cross_track_m", "probability_2d", "probability_max",
    "probability_flag", "hard_body_radius_m", "catastrophic", "fragments_10cm",
    *(
        f"{side}_{name}"
        for side in ("primary", "secondary")
        for name in ("age_days", "sigma_r_m", "sigma_t_m", "sigma_n_m", "covariance_source")
    ),
)  # fmt: skip
_NUMBERS = ("_m", "_2d", "_max", "_days", "_10cm")  # ends of names of numbers


def file_names(table: str) -> tuple[str, str]:
    """Return the names of a table's files."""
    return f"{table}.parquet", f"{table}.csv.gz"


def write_data(contents: Contents, folder: Folder) -> None:
    """Write the tables and their citation. Raises StoreError, OSError."""
    sets = contents.wishes.with_element_sets
    tables = {
        "events": _events(contents, (*_EVENTS, *_DETAILS, *(_STATES if sets else ()))),
        "objects": _objects(),
    }
    if sets:
        tables["elements"] = f"SELECT norad_id, name, {', '.join(ELEMENTS)} FROM elements ORDER BY norad_id"  # noqa: S608
    for table, sql in tables.items():
        rows = contents.snapshot.arrow(sql)
        parquet, csv = file_names(table)
        with folder.staged(f"data/{parquet}") as path:
            write_parquet(rows, path)
        with folder.staged(f"data/{csv}") as path:
            write_gzipped_csv(rows.select([one for one in rows.column_names if one not in _DETAILS]), path)
    folder.put("data/CITATION.cff", _cff(citation(contents)))


def _events(contents: Contents, columns: tuple[str, ...]) -> str:
    values = [
        f"{name}::FLOAT AS {name}" if name in _DETAILS and name.endswith(_NUMBERS) else name
        for name in columns
    ]
    return f"SELECT {', '.join(values)} FROM {contents.events} ORDER BY {MOST_DANGEROUS_FIRST}"  # noqa: S608


def _objects() -> str:
    values = [f"round({name}, {COARSE[name]}) AS {name}" if name in COARSE else name for name in FACTS]
    return f"SELECT norad_id, {', '.join(values)} FROM {rows_with(FACTS)} ORDER BY norad_id"  # noqa: S608


def citation(contents: Contents) -> dict[str, Any]:
    """Return how to cite the data, the fields of CITATION.cff."""
    run = contents.run
    said = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below, and the sources of sizes and "
        "element sets.",
        "type": "dataset",
        "title": f"Close approaches in orbit, run {run.run_id}",
        "abstract": (
            "All close approaches between the objects of the public satellite catalogue, with collision "
            f"probabilities, from {minute(run.window_start)} UTC on, by skysieve {contents.version}."
        ),
        "authors": [{"name": "The skysieve developers"}],
        "version": run.run_id,
        "date-released": f"{run.finished:%Y-%m-%d}",
        "keywords": ["conjunction", "satellite", "collision probability", "space situational awareness"],
    }
    return said | ({"url": contents.wishes.base_url} if contents.wishes.base_url else {})


def _cff(said: dict[str, Any]) -> str:
    """Return the fields as YAML, of which JSON is a part: every text is quoted."""
    return "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in said.items())
