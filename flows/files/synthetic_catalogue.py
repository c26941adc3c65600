"""A synthetic catalogue as a file, like one that was downloaded."""

from pathlib import Path

import numpy as np

from screening.errors import InputError, UsageError
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from screening.synthetic.catalogue import synthetic_catalogue
from screening.synthetic.planted import PlantedArray
from storage.disk.whole_files import as_text, staged_beside, synced


def write_synthetic_file(path: Path, objects: int, seed: int, epoch: np.datetime64) -> PlantedArray:
    """Write a synthetic catalogue as OMM CSV, replacing the file; return its planted encounters.

    The file appears whole or not at all. Raises UsageError if a number is out of range or the folder does
    not exist, InputError if the file cannot be written.
    """
    target = path.absolute()
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist: create it, or name another.")
    elements, planted = synthetic_catalogue(objects, seed, epoch)
    try:
        with staged_beside(target) as staged, synced(staged) as stream, as_text(stream) as text:
            write_omm_csv(elements, text)
    except OSError as error:
        raise InputError(
            f"The synthetic catalogue {target} cannot be written ({error.strerror}). Name a file in a folder "
            "that you may write to."
        ) from error
    return planted
