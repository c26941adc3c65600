"""Catalogues of element sets, from files and from DataFrames."""

import hashlib
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from flows.sources.files import Source, read_file
from screening.orbits.elements import Rejection
from screening.orbits.texts.catalogue import parse_catalogue

# pandas is imported where it is used: to read a file takes none.
if TYPE_CHECKING:
    import pandas as pd

_FRAME = "DataFrame"
_FRAME_IN_ERRORS = "the DataFrame (as CSV, where line 1 names its columns)"


class Catalogue:
    """Element sets, one of each object, sorted by catalogue number, as they were read and checked.

    `read_catalogue` reads a file, `Catalogue.from_dataframe` takes a table. It cannot be changed: make a
    DataFrame of it, change that, and make another one.

    >>> import skysieve
    >>> catalogue = skysieve.read_catalogue("catalogue.csv")
    >>> frame = catalogue.to_dataframe()
    >>> low = skysieve.Catalogue.from_dataframe(frame[frame["MEAN_MOTION"] > 11.25])
    >>> len(low) < len(catalogue)
    True
    """

    def __init__(self, source: Source) -> None:
        """Hold what was read from a text; use `read_catalogue` or `from_dataframe` instead."""
        self._source = source

    @classmethod
    def from_dataframe(cls, frame: "pd.DataFrame") -> "Catalogue":
        """Make a catalogue of a table with the columns of CelesTrak's CSV, one element set a row.

        Needed are NORAD_CAT_ID, EPOCH, MEAN_MOTION (rev/day), ECCENTRICITY, INCLINATION, RA_OF_ASC_NODE,
        ARG_OF_PERICENTER, MEAN_ANOMALY (deg) and BSTAR (1/Earth radius); OBJECT_NAME, OBJECT_ID,
        MEAN_MOTION_DOT (rev/day2) and others of an orbit mean-elements message are read if they are there,
        and all others ignored. Epochs are datetimes, naive ones UTC, or texts in ISO 8601, UTC. A row that
        cannot be used is among the `rejected` ones. If an object occurs twice, the newest epoch counts.

        Raises:
            InputError: a column is missing, or there twice; the message names columns that look like it. Or
                ten rows or more are plainly in radians.
            UnreadableCatalogue: no row can be used.
        """
        from skysieve.omm_frames import csv_of

        text = csv_of(frame)
        content = parse_catalogue(text, source_name=_FRAME_IN_ERRORS)
        in_rows = [rejection._replace(line=rejection.line - 1) for rejection in content.rejected]
        sha256 = hashlib.sha256(text.encode(errors="replace")).hexdigest()
        return cls(Source(_FRAME, sha256, content._replace(rejected=in_rows), "file"))

    def to_dataframe(self) -> "pd.DataFrame":
        """Return the element sets as a new table with the columns of CelesTrak's CSV.

        EPOCH is a UTC datetime, rounded to the microsecond; all other numbers are those of the file, to the
        last bit. `read_catalogue` also reads what `to_csv(path, index=False)` makes of it.
        """
        from skysieve.omm_frames import frame_of

        return frame_of(self._source.content.elements)

    @property
    def name(self) -> str:
        """Where the element sets are from: the file as it was named, or DataFrame."""
        return self._source.name

    @property
    def rejected(self) -> tuple[Rejection, ...]:
        """The first 10,000 records that cannot be used: `line`, `record` (its number or name), `reason`.

        Lines count from 1; of a DataFrame these are its rows.
        """
        return tuple(self._source.content.rejected)

    @property
    def rejected_count(self) -> int:
        """How many records cannot be used."""
        return self._source.content.rejected_count

    def __len__(self) -> int:
        """Return the number of objects."""
        return len(self._source.content.elements)

    def __repr__(self) -> str:
        return f"<Catalogue {self.name}: {len(self):,} objects, {self.rejected_count:,} records rejected>"


def read_catalogue(path: "str | PathLike[str]") -> Catalogue:
    """Read a file with element sets: OMM (CSV, JSON, XML, KVN) or TLE, also compressed with gzip.

    The format is recognised by the content. A record that cannot be used is among the `rejected` ones. If an
    object occurs twice, the newest epoch counts.

    >>> import skysieve
    >>> skysieve.read_catalogue("catalogue.csv")
    <Catalogue catalogue.csv: 200 objects, 0 records rejected>

    Raises:
        InputError: the file cannot be read.
        UnreadableCatalogue: it holds no element set that can be used.
    """
    return Catalogue(read_file(Path(path).expanduser()))


def source_of(catalogue: Catalogue) -> Source:
    """Return a catalogue as runs take it."""
    return catalogue._source
