"""A run that cannot fit is refused before any work, with the numbers and with what would fit."""

import math
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from flows.runs.forecast import (
    DoesNotFit,
    Forecast,
    Machine,
    forecast,
    problems,
    refuse_what_does_not_fit,
    what_would_fit,
)
from flows.runs.planning import available_memory_bytes, free_disk_bytes
from flows.sources.catalogues import read_file
from screening.search.all_pairs.chosen_plan import Workers, at_full_speed
from screening.search.all_pairs.population import Population
from tests.screening.search.all_pairs.test_population import crowd_of

ANY_NUMBER = 10**12
GB = 1e9


@pytest.fixture(scope="module")
def today(shared_file: Callable[[str], Path]) -> Population:
    return crowd_of(read_file(shared_file("gp_onorbit_20241101.csv")).content.elements)


def of_a_million(today: Population) -> Population:
    return today._replace(objects=1_000_000, curves=today.curves._replace(objects=1_000_000))


def told(
    crowd: Population, machine: Machine, hours: float = 24.0, threshold_km: float = 10.0, threads: int = 2
) -> Forecast:
    return forecast(crowd, hours, threshold_km, at_full_speed(threads), machine)


def test_the_real_day_fits_a_small_machine(today: Population) -> None:
    machine = Machine(2 * GB, 1 * GB)
    assert problems(told(today, machine), machine, 5_000_000) == []


@pytest.mark.slow
def test_a_million_objects_on_four_gigabytes_are_done_in_smaller_steps(today: Population) -> None:
    machine = Machine(3.5 * GB, 100 * GB)
    small = told(of_a_million(today), machine, hours=2.0, threshold_km=1.0)
    roomy = told(of_a_million(today), Machine(), hours=2.0, threshold_km=1.0)
    assert problems(small, machine, 5_000_000) == []
    assert small.process_bytes <= machine.memory_bytes
    assert small.planned.plan.blocks > roomy.planned.plan.blocks


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("machine", "max_events", "named"),
    [
        (Machine(), 1_000_000, "SKYSIEVE_MAX_EVENTS allows 1,000,000"),
        (Machine(memory_bytes=20 * GB), ANY_NUMBER, "20.0 GB are available"),
        (Machine(disk_bytes=20 * GB), ANY_NUMBER, "20.0 GB are free"),
        (Machine(memory_bytes=20 * GB, remote=True), ANY_NUMBER, "20.0 GB are available"),
    ],
)
def test_what_is_said_to_fit_fits(today: Population, machine: Machine, max_events: int, named: str) -> None:
    crowd = of_a_million(today)
    with pytest.raises(DoesNotFit, match=re.escape(named)) as refused:
        refuse_what_does_not_fit(told(crowd, machine), machine, max_events)
    advised = re.search(r"--threshold-km (\S+), or --hours (\S+),", str(refused.value))
    assert advised is not None
    threshold_km, hours = float(advised[1]), float(advised[2])
    assert 0.1 < threshold_km < 10.0
    assert 0.0 < hours < 24.0
    for fitting in (told(crowd, machine, threshold_km=threshold_km), told(crowd, machine, hours=hours)):
        assert problems(fitting, machine, max_events) == []


@pytest.mark.slow
def test_a_catalogue_too_large_for_the_machine_is_said_to_be(today: Population) -> None:
    machine = Machine(memory_bytes=1 * GB)
    forecasted = told(of_a_million(today), machine, hours=0.1, threshold_km=0.1)
    assert "The catalogue alone, 1,000,000 objects" in what_would_fit(forecasted, machine, ANY_NUMBER)
    assert problems(forecasted, machine, ANY_NUMBER)


@pytest.mark.slow
def test_workers_with_too_little_memory_are_named(today: Population) -> None:
    machine = Machine(remote=True)
    told_of_small = forecast(of_a_million(today), 6.0, 1.0, Workers((1.0,) * 4, 1e6), machine)
    with pytest.raises(DoesNotFit, match="less for each of 4 threads") as refused:
        refuse_what_does_not_fit(told_of_small, machine, ANY_NUMBER)
    assert "workers with more memory for each thread" in str(refused.value)


@pytest.mark.slow
def test_more_workers_shorten_the_search_and_not_what_one_process_does(today: Population) -> None:
    crowd = of_a_million(today)
    by_workers = [told(crowd, Machine(remote=True), threshold_km=1.0, threads=n) for n in (2, 16, 64, 256)]
    times_s = [one.published_s for one in by_workers]
    # To many workers the elements take longer.
    assert all(later < 1.02 * earlier for earlier, later in pairwise(times_s))
    assert times_s[-1] < 0.5 * times_s[0]
    assert by_workers[0].limit == "search"
    assert by_workers[-1].limit != "search"
    assert by_workers[-1].published_s > by_workers[-1].alone_s
    assert math.isclose(by_workers[0].events, by_workers[-1].events, rel_tol=0.01)


def test_memory_is_what_the_tightest_group_leaves(tmp_path: Path) -> None:
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 8000 kB\n")
    assert available_memory_bytes(proc, groups) == 8000 * 1024
    (proc / "self" / "cgroup").write_text("0::/system.slice/skysieve.service\n")
    service = groups / "system.slice" / "skysieve.service"
    service.mkdir(parents=True)
    (service / "memory.max").write_text("max\n")
    (service / "memory.current").write_text("1000\n")
    assert available_memory_bytes(proc, groups) == 8000 * 1024
    (service.parent / "memory.max").write_text("500000\n")
    (service.parent / "memory.current").write_text("400000\n")
    (service.parent / "memory.stat").write_text("anon 1\ninactive_file 30000\n")
    assert available_memory_bytes(proc, groups) == 500000 - 400000 + 30000


def test_memory_in_a_container_with_the_first_version_of_groups(tmp_path: Path) -> None:
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "self" / "cgroup").write_text("9:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n")
    (groups / "memory").mkdir(parents=True)
    (groups / "memory" / "memory.limit_in_bytes").write_text("2000\n")
    (groups / "memory" / "memory.usage_in_bytes").write_text("500\n")
    assert available_memory_bytes(proc, groups) == 1500


def test_the_disk_of_a_store_that_is_not_there_yet(tmp_path: Path) -> None:
    assert free_disk_bytes(tmp_path / "a" / "b") == pytest.approx(free_disk_bytes(tmp_path), rel=0.05)
