"""What `objects show --errors` prints."""

from storage.reading.object_errors import ObjectErrors
from storage.shell import output
from storage.times import time_text


def print_errors(found: ObjectErrors, *, as_json: bool) -> None:
    """Print how far off an object's element set may be, and what that rests on."""
    if as_json:
        record = found._asdict()
        for name in ("errors", "measured"):
            record[name] = [each._asdict() for each in record[name]]
        record["class"] = record.pop("error_class")
        output.print_json({name: record[name] for name in _JSON})
        return
    for label, text in _lines(found):
        print(f"{label:<14}{text}")  # noqa: T201 - this is what was asked for
    print(f"{'Sigma (m)':<14}{'radial':>10}{'in-track':>12}{'cross-track':>13}")  # noqa: T201
    for age_days, *sigmas_m in found.errors:
        radial, in_track, cross_track = (f"{sigma_m:,.0f}" for sigma_m in sigmas_m)
        print(f"{f'{age_days:g} d':<14}{radial:>10}{in_track:>12}{cross_track:>13}")  # noqa: T201
    for row in found.measured:
        label = f"{row.from_days:g} to {row.to_days:g} d"
        radial, in_track, cross_track = (f"{sigma_m:,.0f}" for sigma_m in row[3:])
        own = f"measured, {row.pairs:,} pairs of its sets"
        print(f"{label:<14}{radial:>10}{in_track:>12}{cross_track:>13}  {own}")  # noqa: T201


_JSON = (
    "norad_id",
    "name",
    "regime",
    "class",
    "manoeuvring",
    "element_epoch",
    "hard_body_radius_m",
    "hard_body_source",
    "errors",
    "tail_share",
    "tail_scale_rtn",
    "burns_per_day",
    "burn_dv_m_s",
    "measured",
)


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
