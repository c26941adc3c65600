"""What `objects show --errors` prints."""

from dataclasses import fields

from screening.risk.views.object_errors import ErrorsAtAge, Measured, ObjectErrors
from storage.shell import output
from storage.times import time_text


def print_errors(found: ObjectErrors, *, as_json: bool) -> None:
    """Print how far off an object's element set may be, and what that rests on."""
    if as_json:
        names = (one.name for one in fields(found))
        output.print_json({_IN_JSON.get(name, name): getattr(found, name) for name in names})
        return
    for label, text in _lines(found):
        print(f"{label:<14}{text}")  # noqa: T201 - this is what was asked for
    print(f"{'Sigma (m)':<14}{'radial':>10}{'in-track':>12}{'cross-track':>13}")  # noqa: T201
    for one in found.errors:
        print(f"{f'{one.age_days:g} d':<14}{_sigmas(one)}")  # noqa: T201
    for row in found.measured:
        label = f"{row.from_days:g} to {row.to_days:g} d"
        print(f"{label:<14}{_sigmas(row)}  measured, {row.pairs:,} pairs of its sets")  # noqa: T201
    print(found.words)  # noqa: T201


_IN_JSON = {"error_class": "class"}


def _sigmas(one: ErrorsAtAge | Measured) -> str:
    return f"{one.sigma_r_m:>10,.0f}{one.sigma_t_m:>12,.0f}{one.sigma_n_m:>13,.0f}"


def _lines(found: ObjectErrors) -> list[tuple[str, str]]:
    radius = "not known"
    if found.hard_body_radius_m is not None:
        radius = f"{found.hard_body_radius_m:g} m ({found.hard_body_source})"
    thrusts = "yes: its element set may be tens of kilometres off" if found.manoeuvring else "no"
    lines = [
        ("Object", f"{found.norad_id} {found.name}"),
        ("Regime", found.regime),
        ("Class", found.error_class),
        ("Manoeuvring", thrusts),
        ("Epoch", time_text(found.element_epoch, "seconds")),
        ("Radius", radius),
        ("Errors from", found.source),
    ]
    scales = ", ".join(f"{scale:g}" for scale in found.tail_scale_rtn)
    lines.append(("Tail", f"{found.tail_share:.0%} of such sets err {scales} times as much"))
    if found.burns_per_day:
        lines.append(("Burns", f"{found.burns_per_day:.3g} a day, usually of {found.burn_dv_m_s:.2g} m/s"))
    if found.factors_rtn:
        radial, in_track, cross_track = (f"{factor:.2g}" for factor in found.factors_rtn)
        text = f"times {radial}, {in_track}, {cross_track} (radial, in-track, cross-track): its own history"
        lines.append(("", text))
    return lines
