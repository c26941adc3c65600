"""Fit the constants of the error law to differences of real element sets, and show what its regions hold.

    .venv/bin/python tests/benchmarks/fit_errors.py [LAW ...]

Objects are halved by their numbers: each law of `screening/risk/objects/error_law.py` is fitted to one half
of its objects and held against the other. Sigmas are fitted to medians, so that tails do not move them; tails
to the shares inside the regions called 95 % and 99.7 %. Sources count equally. For each law: its constants,
then by source and age the measured sigma over the law's, and what both regions hold, radially, in-track,
cross-track.
"""

import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from scipy.optimize import least_squares

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from screening.orbits.timegrid import FloatArray  # noqa: E402
from screening.risk.objects.error_law import LAWS, RADIAL_SHARE, ErrorLaw  # noqa: E402
from tests.validation.risk.coverage import BINS_DAYS, Sample, held, quantiles, samples  # noqa: E402
from tests.validation.risk.real_differences import all_differences  # noqa: E402

DATA = REPOSITORY.parent / "shared" / "data"

# What is fitted of each law beside its tails: the rest is of precise orbits, or not needed.
FITTED = {
    "leo": (),
    "fragment": ("growth_m_day", "drag_share"),
    "meo": ("growth_m_day",),
    "geo": ("bend_m_day2",),
    "gto": ("growth_m_day", "drag_share"),
    "heo": ("growth_m_day", "drag_share"),
    "starlink": ("growth_m_day",),
    "oneweb": ("growth_m_day",),
    "geostationary": ("growth_m_day", "bend_m_day2"),
}
SHARES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
SCALES = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 14.0, 20.0)
FEWEST = 40  # of a source and an age
LEAST = 1e-2  # of a number to be fitted, whose logarithm is
ROUNDS = 3


class Groups(NamedTuple):
    """The fitted half of a law's differences, by source and age."""

    parts: Sequence[Sample]
    weights: FloatArray  # (groups,), each source's adding up to 1

    @classmethod
    def of(cls, sample: Sample) -> Self:
        fitted = sample.of(sample.is_fitted)
        ages = np.digitize(fitted.age_days, BINS_DAYS)
        parts, weights = [], []
        for source in np.unique(fitted.source):
            here = [fitted.of((fitted.source == source) & (ages == age)) for age in np.unique(ages)]
            here = [part for part in here if len(part.age_days) > FEWEST]
            parts += here
            weights += [len(part.age_days) / sum(len(p.age_days) for p in here) for part in here]
        return cls(parts, np.array(weights))


def sigma_m(law: ErrorLaw, sample: Sample, axis: int) -> FloatArray:
    """Return the law's 1-sigma differences (k,) on one axis."""
    age, at_epoch_m = sample.age_days, law.at_epoch_m[axis]
    by_drag_m = law.drag_share * sample.drag_m * (RADIAL_SHARE, 1.0, 0.0)[axis]
    grown = (law.growth_m_day[axis] * age) ** 2 + (law.bend_m_day2[axis] * age**2) ** 2 + by_drag_m**2
    return np.sqrt(2.0 * at_epoch_m**2 + grown)


def changed(law: ErrorLaw, names: Sequence[str], axis: int, logarithms: FloatArray) -> ErrorLaw:
    """Return a law with other numbers on one axis."""
    values = dict(zip(names, np.exp(logarithms), strict=True))
    for name in set(values) - {"drag_share"}:
        values[name] = tuple(np.where(np.arange(3) == axis, values[name], getattr(law, name)))
    return law._replace(**values)


def with_sigmas(law: ErrorLaw, names: Sequence[str], groups: Groups) -> ErrorLaw:
    """Fit the named numbers to the medians, axis by axis."""
    for axis in range(3):
        free = [name for name in names if name != "drag_share" or axis == 1]
        half = quantiles(law.tail_share, law.tail_scale_rtn[axis])[0]

        def off(
            x: FloatArray,
            law: ErrorLaw = law,
            free: Sequence[str] = free,
            axis: int = axis,
            half: float = half,
        ) -> FloatArray:
            one = changed(law, free, axis, x)
            medians = [np.median(np.abs(p.rtn_m[:, axis]) / sigma_m(one, p, axis)) for p in groups.parts]
            return np.sqrt(groups.weights) * np.log(np.array(medians) / half)

        start = [law.drag_share if name == "drag_share" else getattr(law, name)[axis] for name in free]
        if free:
            x0 = np.log(np.maximum(start, LEAST))
            fit = least_squares(off, x0, diff_step=0.01, loss="soft_l1", f_scale=0.5, bounds=(-6.0, 14.0))
            law = changed(law, free, axis, fit.x)
    return law


def with_tails(law: ErrorLaw, groups: Groups) -> ErrorLaw:
    """Choose the share and the scales of the tail, a small share if all hold as much."""
    weights = groups.weights / groups.weights.sum()
    inside = [
        [np.abs(part.rtn_m[:, axis]) / sigma_m(law, part, axis) for part in groups.parts] for axis in range(3)
    ]

    def cost(share: float, scale: float, axis: int) -> float:
        _, most, nearly_all = quantiles(share, scale)
        held_95, held_997 = (
            sum(w * (sigmas < edge).mean() for w, sigmas in zip(weights, inside[axis], strict=True))
            for edge in (most, nearly_all)
        )
        far = min(held_997 - 0.985, 0.0) / 0.006
        return float(((held_95 - 0.95) / 0.02) ** 2 + far**2 + 0.01 * np.log(scale) ** 2)

    best = {
        share: [min((cost(share, scale, axis), scale) for scale in SCALES) for axis in range(3)]
        for share in SHARES
    }
    share = min(SHARES, key=lambda one: sum(c for c, _ in best[one]) + 0.5 * one)
    return law._replace(tail_share=share, tail_scale_rtn=tuple(scale for _, scale in best[share]))


def fitted(law: ErrorLaw, names: Sequence[str], groups: Groups) -> ErrorLaw:
    """Fit sigmas and tails in turn."""
    for _ in range(ROUNDS):
        law = with_tails(with_sigmas(law, names, groups), groups)
    return law


def show(title: str, law: ErrorLaw, sample: Sample) -> None:
    """Print what a law holds of differences."""
    sigmas = np.stack([sigma_m(law, sample, axis) for axis in range(3)], axis=1)
    ratio, regions = held(sample.rtn_m, sigmas, law.tail_share, np.array(law.tail_scale_rtn))
    columns = [" ".join(f"{v:6.2f}" for v in ratio), *(" ".join(f"{v:6.3f}" for v in row) for row in regions)]
    objects = len(np.unique(sample.norad_id))
    print(f"  {title:<30}{objects:>7} objects {len(sample.age_days):>7} pairs   {'   '.join(columns)}")


def main() -> None:
    """Fit and print the laws named, or all."""
    every = samples(all_differences(DATA))
    for name in sys.argv[1:] or FITTED:
        sample = every[name]
        law = fitted(LAWS[name], FITTED[name], Groups.of(sample))
        print(name)
        for what, value in law._asdict().items():
            print(f"  {what:<16}", np.round(value, 3))
        other = sample.of(~sample.is_fitted)
        show("other half, fitted", law, other)
        show("other half, as the law has it", LAWS[name], other)
        ages = np.digitize(other.age_days, BINS_DAYS)
        for source, age in product(np.unique(other.source), np.unique(ages)):
            here = other.of((other.source == source) & (ages == age))
            if len(here.age_days) > FEWEST:
                show(f"{source}, {BINS_DAYS[age - 1]:g} to {BINS_DAYS[age]:g} d", LAWS[name], here)


if __name__ == "__main__":
    main()
