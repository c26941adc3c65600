"""The allocator gives back what is freed: counted in heaps, and in what stays resident."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.running import environment

pytestmark = pytest.mark.processes

# Eight threads allocate at once; then the heaps that the C library has made for them are counted.
HEAPS = """
import ctypes, sys, tempfile
from threading import Barrier, Thread
from storage.machine import allocator
if sys.argv[1] != "usual":
    getattr(allocator, sys.argv[1])()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
libc.malloc.restype = ctypes.c_void_p
libc.malloc_info.argtypes = (ctypes.c_int, ctypes.c_void_p)
libc.fclose.argtypes = (ctypes.c_void_p,)
together = Barrier(8)
def allocate():
    together.wait()
    for _ in range(1000):
        libc.malloc(3000)
    together.wait()
threads = [Thread(target=allocate) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
with tempfile.NamedTemporaryFile() as file:
    stream = libc.fopen(file.name.encode(), b"w")
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    print(open(file.name).read().count("<heap nr="))
"""

# 200 MB in small pieces are freed, but for one that lies above them all.
RESIDENT = """
import ctypes, resource
from storage.machine.allocator import give_back
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = (ctypes.c_void_p,)
def resident_mb():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
# The last, the highest, stays in use. A smaller one might fit into a hole far below.
*pieces, above = [libc.malloc(100_000) for _ in range(2001)]
for piece in pieces: ctypes.memset(piece, 1, 100_000)
full = resident_mb()
for piece in pieces: libc.free(piece)
freed = resident_mb()
give_back()
print(full - freed, full - resident_mb())
"""

# Arrays of 30 MB and small things are allocated in turn, and the arrays freed.
LARGE = """
import resource, sys
import numpy as np
from storage.machine import allocator
if sys.argv[1] != "usual":
    getattr(allocator, sys.argv[1])()
def resident_mb():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
np.ones(31_000_000, np.uint8)  # glibc learns from the first one that such arrays come and go
before = resident_mb()
kept = []
for _ in range(4):
    kept.append((np.ones(30_000_000, np.uint8), np.ones(100_000, np.uint8)))
kept = [small for _, small in kept]
print(resident_mb() - before)
"""

# 200 MB are held by a circle of which nobody knows any more.
IN_A_CIRCLE = """
import gc, resource
from storage.machine.allocator import give_back, keep_little
keep_little()
gc.disable()  # as long as few objects are made it does not look
def resident_mb():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
circle = [bytes(range(250)) * 400_000, bytes(range(250)) * 400_000]
circle.append(circle)
full = resident_mb()
del circle
forgotten = resident_mb()
give_back()
print(full - forgotten, full - resident_mb())
"""


def said(program: str, *arguments: str) -> list[float]:
    plain = {name: value for name, value in environment().items() if not name.startswith("MALLOC_")}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, env=plain, stdout=subprocess.PIPE, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_eight_threads_share_two_heaps_at_most() -> None:
    (usual,), (little,), (run,) = (
        said(HEAPS, how) for how in ("usual", "keep_little", "keep_little_of_runs")
    )
    assert usual > 2  # else this test shows nothing
    assert max(little, run) <= 2


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_a_run_gives_large_arrays_back_at_once() -> None:
    kept_mb, given_back_mb = (*said(LARGE, "usual"), *said(LARGE, "keep_little_of_runs"))
    assert kept_mb > 50  # else this test shows nothing
    assert given_back_mb < 5


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_what_lies_below_something_in_use_is_given_back_too() -> None:
    freed_mb, given_back_mb = said(RESIDENT)
    assert freed_mb < 50
    assert given_back_mb > 190


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_what_is_held_in_a_circle_is_given_back_too() -> None:
    forgotten_mb, given_back_mb = said(IN_A_CIRCLE)
    assert forgotten_mb < 50
    assert given_back_mb > 190


def test_arrow_allocates_by_the_c_library_too() -> None:
    program = """
from storage.machine.allocator import keep_little
keep_little()
import pyarrow as pa
print(float(pa.default_memory_pool().backend_name == "system"))
"""
    assert said(program) == [1.0]


def test_everything_that_runs_for_long_says_so(repository: Path) -> None:
    for unit in ("skysieve.service", "skysieve-scheduler.service", "skysieve-worker@.service"):
        text = (repository / "deploy" / "systemd" / unit).read_text()
        assert "Environment=MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=65536" in text
    dockerfile = (repository / "deploy" / "docker" / "Dockerfile").read_text()
    assert "MALLOC_ARENA_MAX=2" in dockerfile
    assert "MALLOC_TRIM_THRESHOLD_=65536" in dockerfile
