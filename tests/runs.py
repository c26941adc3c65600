"""What tests need to make a run."""

import numpy as np

from flows.run import Reporter

START = np.datetime64("2024-11-01T00:00:00", "us")
SILENT = Reporter(stage=lambda _name: None, planned=lambda _plan: None, progress=lambda _done, _of: None)
