"""Messages that we write as XML: on events of a run, received ones shared, ephemerides."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np

from flows.runs.run import Reporter, Request, Stages, run_catalogue
from flows.settings import FlowSettings
from flows.sources.files import read_file
from screening.errors import InputError
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.interpolated import Interpolated, tracks_of
from screening.orbits.reference.celestial import FrameName
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.orbits.texts.ephemerides.write import write_oem
from screening.orbits.timegrid import window
from screening.risk.messages.read import ReadMessage, each_with_text
from screening.risk.messages.written.received import received
from screening.risk.messages.written.text import message_text
from screening.vocabulary import MessageFrame
from storage.in_memory.event_table import EventQuery
from storage.in_memory.messages import Wanted, messages_on
from storage.in_memory.snapshot import newest_snapshot
from tests.validation.files import bytes_of, catalogue_of

CATALOGUE = "gp_onorbit_20241101.csv"
START, HOURS, THRESHOLD_KM = np.datetime64("2024-11-01T00:00:00", "us"), 12.0, 10.0
ONE_IN = 16  # of the catalogue's objects: some hundred events
STATES = 60  # of each ephemeris
_SILENT = Reporter(stage=lambda _name: None, planned=lambda _plan: None, progress=lambda _done, _of: None)


def events_as_xml(data: Path) -> Iterator[str]:
    """Screen a part of the catalogue, and yield a message on each event in both frames."""
    elements = catalogue_of(data, CATALOGUE)
    with _temporary_folder() as folder:
        store = Path(folder) / "store"
        source = read_file(data / CATALOGUE)
        some = source.content._replace(elements=elements[::ONE_IN])
        request = Request(START, HOURS, THRESHOLD_KM)
        settings = FlowSettings(store=store, workers=1)
        run_catalogue(source._replace(content=some), request, settings, Stages(_SILENT.stage), _SILENT)
        snapshot = newest_snapshot(store)
        for frame in get_args(MessageFrame):
            for made in messages_on(snapshot, EventQuery(limit=None), Wanted("xml", frame)).files:
                yield made.text


def _temporary_folder() -> TemporaryDirectory[str]:
    try:
        return TemporaryDirectory(prefix="skysieve-validate-")
    except OSError as error:
        raise InputError(
            f"No folder for a small run can be made ({error}). The variable TMPDIR names another place."
        ) from error


def received_as_xml(data: Path, name: str) -> str:
    """Return a received message as it is shared; raises UnreadableMessage."""
    (found,) = each_with_text(bytes_of(data, name), source_name=name)
    if not isinstance(found, ReadMessage):
        raise found
    return message_text(received(found), "xml")


def ephemeris_as_xml(data: Path, name: str) -> Iterator[tuple[Ephemeris, str]]:
    """Yield the first states of an ephemeris as OEM in each frame, with what was written."""
    file = Path(name).name  # tells whose it is, if it is Starlink's
    ephemeris = chosen(read_ephemerides(bytes_of(data, name), file), file).ephemeris
    whole = ephemeris.segments[0]
    first = slice(0, STATES)
    segment = whole._replace(
        epochs=whole.epochs[first],
        r_teme_km=whole.r_teme_km[first],
        usable_to=min(whole.usable_to, whole.epochs[first][-1]),
        covariance_epochs=whole.covariance_epochs[first],
        covariance_rtn=whole.covariance_rtn[first],
    )
    span = window(segment.epochs[0], 24.0)
    times_s = (segment.epochs - segment.epochs[0]) / np.timedelta64(1, "us") / 1e6
    _, _, v = Interpolated(tracks_of([whole], span), span, np.zeros(1, np.int32)).on_grid(times_s)
    part = ephemeris._replace(segments=(segment,))
    for frame in get_args(FrameName):
        text = write_oem(part, [v[:, :, 0]], "xml", frame=frame, originator="SKYSIEVE", created=START)
        yield part, text
