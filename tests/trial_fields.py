"""Find trial fields in everything that a store gives; `test_one_declaration.py` declares them and runs it.

Run as `python -m tests.trial_fields CATALOGUE STORE`; it prints what it found as JSON.
"""

import csv
import io
import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet as pq

from docs.page_types import page_types
from docs.schema import document
from flows.sources.catalogues import read_file
from tests.api.conftest import serving
from tests.runs import make_run

NAMES = ("trial_m", "primary_trial_deg", "secondary_trial_deg")


def found(catalogue: Path, store: Path) -> dict[str, object]:
    """Make a run and return all that is said of the fields, of the first event of the list."""
    make_run(read_file(catalogue), store)
    with serving(store) as client:
        event = client.get("/conjunctions").json()["conjunctions"][0]
        csv_wanted, page_wanted = (client.headers | {"Accept": f"text/{form}"} for form in ("csv", "html"))
        texts = client.get("/conjunctions", headers=csv_wanted).text
        properties = client.get("/openapi.json").json()["components"]["schemas"]["Conjunction"]["properties"]
        report = client.get(f"/conjunctions/{event['id']}/report", headers=page_wanted).text
    (row,) = (one for one in csv.DictReader(io.StringIO(texts)) if one["id"] == str(event["id"]))
    return {
        "miss_distance_m": event["miss_distance_m"],
        "json": [event[name] for name in NAMES],
        "csv": [float(row[name]) for name in NAMES],
        "openapi": [properties[name] for name in NAMES],
        "parquet": _in_parquet(store, event["id"]),
        "duckdb": _comments(store),
        "listing": _listed(store, event["id"]),
        "report": [
            [unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line)]
            for line in re.findall(r"<tr>(?:(?!</tr>).)*Trial(?:(?!</tr>).)*</tr>", report)
        ],
        "schema": [line for line in document().splitlines() if "trial" in line],
        "page": [line.strip() for line in page_types().splitlines() if "trial" in line],
    }


def _in_parquet(store: Path, event_id: int) -> list[float]:
    (rows,) = (
        table.filter(pc.equal(table["event_id"], event_id)).to_pylist()
        for table in map(pq.read_table, store.rglob("conjunctions*.parquet"))
        if table.num_rows
    )
    return [rows[0][name] for name in NAMES]


def _comments(store: Path) -> list[str]:
    with duckdb.connect(store / "skysieve.duckdb", read_only=True) as connection:
        return [
            comment
            for name in NAMES
            for (comment,) in connection.execute(
                "SELECT comment FROM duckdb_columns() WHERE table_name = 'conjunctions' AND column_name = ?",
                [name],
            ).fetchall()
        ]


def _listed(store: Path, event_id: int) -> float:
    command = (sys.executable, "-m", "skysieve", "events", "--store", str(store))
    head, *rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    names = head.split("\t")
    (row,) = (line.split("\t") for line in rows if line.startswith(f"{event_id}\t"))
    assert names[-1] == "trial_m", "a new column comes last"
    return float(row[-1])


if __name__ == "__main__":
    sys.stdout.write(json.dumps(found(Path(sys.argv[1]), Path(sys.argv[2]))))
