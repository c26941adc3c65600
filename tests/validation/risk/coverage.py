"""What regions of the error law hold of the differences between real element sets."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.error_classes import KnownOf
from screening.risk.objects.error_law import ERROR_LAWS, METRES_PER_KM, laws_of
from screening.risk.objects.refit.class_factors import mixture_quantiles
from storage.writing.objects_table import types_from_names
from tests.validation.risk.real_differences import RealDifferences

BINS_DAYS = (0.0, 0.4, 0.8, 1.5, 2.5, 3.5, 4.5, 6.5, 14.0, 60.0)
REGIONS = (0.95, 0.997)


class Sample(NamedTuple):
    """Differences of the objects of one law."""

    norad_id: npt.NDArray[np.int64]  # (k,)
    source: npt.NDArray[np.str_]  # (k,)
    age_days: FloatArray  # (k,)
    drag_m: FloatArray  # (k,), how far drag moved it
    rtn_m: FloatArray  # (k, 3)
    law_m: FloatArray  # (k, 3), 1-sigma of the difference

    def of(self, rows: npt.NDArray[np.bool_]) -> "Sample":
        """Return some of the differences."""
        return Sample._make(column[rows] for column in self)

    @property
    def is_fitted(self) -> npt.NDArray[np.bool_]:
        """Whether the object (k,) is of the half of the law's objects that its constants are fitted to."""
        _, place = np.unique(self.norad_id, return_inverse=True)
        even: npt.NDArray[np.bool_] = place % 2 == 0
        return even


class Held(NamedTuple):
    """How differences compare with a law, each (3,): radial, in-track, cross-track."""

    ratio: FloatArray  # their median over the law's
    regions: FloatArray  # (2, 3), the share of them inside REGIONS


def samples(differences: Iterable[RealDifferences]) -> Mapping[str, Sample]:
    """Return the differences of several sources by law, as a catalogue without facts tells them apart."""
    parts: dict[str, list[Sample]] = {name: [] for name in ERROR_LAWS}
    for one in differences:
        found, types = one.found, types_from_names(one.sets["name"])
        laws = laws_of(one.sets, KnownOf.without_history(types, np.full(len(types), "unknown")))
        older, age_days = found.older, found.age_days
        drag_m = laws.lag.seconds(older, age_days) * laws.mean_speed_km_s[older] * METRES_PER_KM
        law_m = np.hypot(laws.at_epoch_m[older], laws.sigma_rtn_m(older, age_days))
        every = Sample(
            one.sets["norad_id"][older],
            np.full(len(older), one.source),
            age_days,
            np.minimum(drag_m, laws.largest_m[older]),
            found.rtn_m,
            law_m,
        )
        for code, name in enumerate(ERROR_LAWS):
            parts[name].append(every.of(laws.codes[older] == code))
    joined = {name: Sample._make(map(np.concatenate, zip(*own, strict=True))) for name, own in parts.items()}
    return {name: sample for name, sample in joined.items() if len(sample.age_days)}


def quantiles(tail_share: float, tail_scale: float) -> FloatArray:
    """Return, in sigmas of the quiet part, half the width of a mixture's 50 % region and those of REGIONS."""
    return mixture_quantiles(tail_share, tail_scale, (0.5, *REGIONS))


def held(rtn_m: FloatArray, sigma_m: FloatArray, tail_share: float, tail_scale_rtn: FloatArray) -> Held:
    """Compare differences (k, 3) with quiet sigmas (k, 3) and their tails."""
    sigmas = np.abs(rtn_m) / sigma_m
    half, *regions = np.array([quantiles(tail_share, scale) for scale in tail_scale_rtn]).T
    return Held(np.median(sigmas, axis=0) / half, np.array([(sigmas < one).mean(axis=0) for one in regions]))
