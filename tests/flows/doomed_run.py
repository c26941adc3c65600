"""A whole run, to be killed. This module loads no kernels, so that they are kept where all others are."""

from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path


def make_run(store: Path, url: str, stages_told: Connection) -> None:
    """Fetch, screen, publish, let all earlier runs expire; tell of each stage as it begins, and the end."""
    from flows.runs.run import Request, Stages, run_catalogue
    from flows.settings import FlowSettings
    from flows.sources.catalogues import fetch_catalogue
    from tests.runs import SILENT, START

    settings = FlowSettings(store=store, source=url, workers=1, retention_days=0, element_retention_days=0)
    stages = Stages(stages_told.send)
    with stages("fetch"):
        source = fetch_catalogue(url, settings, datetime.now(UTC))
    run_catalogue(source, Request(START, 0.5, 50.0), settings, stages, SILENT)
    stages_told.send("")
