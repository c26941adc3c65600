"""The stories of deploy/prometheus/alerts_test.yaml: which rules fire when; by promtool too, where it is."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).resolve().parents[1] / "deploy" / "prometheus"
STORIES = yaml.safe_load((FOLDER / "alerts_test.yaml").read_text())["tests"]
RULES = {
    rule["alert"]: rule["expr"]
    for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
}
STEP_H = 6
_SERIES = r"(skysieve_\w+(?:\{[^}]*\})?)"
_RANGE = rf"(delta|min_over_time)\({_SERIES}\[(\d+)([hd])\]\)"


def values_of(text: str) -> list[float]:
    """Return the values of a series: numbers, or one with how often it is repeated."""
    value, repeated, times = text.partition("x")
    return [float(value)] * (int(times) + 1) if repeated else [float(one) for one in text.split()]


def fires(expression: str, series: dict[str, list[float]], hours: int) -> bool:
    """Tell whether an expression holds at a time, for the operations that these rules use."""
    now = hours // STEP_H

    def of_range(found: re.Match[str]) -> str:
        length = int(found[3]) * {"h": 1, "d": 24}[found[4]] // STEP_H
        within = series[found[2]][max(now - length, 0) : now + 1]
        return repr(min(within) if found[1] == "min_over_time" else within[-1] - within[0])

    text = re.sub(_RANGE, of_range, expression)
    text = re.sub(_SERIES, lambda found: repr(series[found[1]][now]), text)
    assert re.fullmatch(r"(round|and|[\d.\s()<>=*-])+", text), text
    return bool(eval(text, {"__builtins__": {}}, {"round": round}))


@pytest.mark.parametrize("story", STORIES, ids=["two days without a source", "a run turns historic"])
def test_rules_fire_as_the_stories_say(story: dict[str, Any]) -> None:
    """During two days without a source all ten rules were silent."""
    series = {one["series"]: values_of(one["values"]) for one in story["input_series"]}
    fired = []
    for case in story["alert_rule_test"]:
        hours = int(case["eval_time"].removesuffix("h"))
        expected = bool(case["exp_alerts"])
        assert fires(RULES[case["alertname"]], series, hours) == expected, case
        fired += [case["alertname"]] * expected
    assert fired


def test_promtool_agrees() -> None:
    if shutil.which("promtool") is None:
        pytest.skip("needs promtool")
    done = subprocess.run(["promtool", "test", "rules", "alerts_test.yaml"], cwd=FOLDER, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()
