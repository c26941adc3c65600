"""Blocks of 32 objects, which the compiled SGP4 kernels propagate together in vector instructions.

A block is one flat array, row after row of 32 lanes: row `r` of lane `k` is at `r * LANES + k`. Inputs and
outputs are in the same array at offsets that the compiler knows, so that it can tell them apart.
"""

import numpy as np
import numpy.typing as npt

from screening.kernels import inlined_lanes_kernel, kernel
from screening.orbits.timegrid import FloatArray

LANES = 32
# A grid goes through its instants with so many blocks, whose 256 states are written in a row. With one block
# writing took nearly as long as SGP4; sixteen are no faster.
BLOCKS_TOGETHER = 8
# Rows that a kernel appends to a block: position, velocity, and whether the state is doubtful.
OUT_R, OUT_V, OUT_DOUBT = 0, 3, 6
OUTPUTS = 7
# A state is doubtful if drag moves its mean anomaly by this fraction faster or slower than its semi-major
# axis implies.
OUT_OF_PACE = 0.2

_up = np.uintp


def in_blocks(constants: FloatArray) -> FloatArray:
    """Arrange constants (rows, n) in blocks (b, rows, 32); copies of the last object fill the last block."""
    rows, count = constants.shape
    blocks = -(-count // LANES)
    lanes = np.minimum(np.arange(blocks * LANES), max(count - 1, 0))
    return np.ascontiguousarray(constants[:, lanes].reshape(rows, blocks, LANES).transpose(1, 0, 2))


def out_of_blocks(blocks: FloatArray, places: npt.NDArray[np.integer]) -> FloatArray:
    """Return the constants (rows, k) of the objects at some places of blocks (b, rows, 32)."""
    constants: FloatArray = blocks[places // LANES, :, places % LANES].T
    return constants


@inlined_lanes_kernel
def value(block, row, lane):  # type: ignore[no-untyped-def]
    """Return one value of the flat block; unsigned indices keep the loop over lanes free of branches."""
    return block[_up(row * LANES) + lane]


@kernel
def put_grid_states(
    block: FloatArray,
    outputs: int,
    k: int,
    columns: npt.NDArray[np.uintp],
    r_km: FloatArray,
    v_km_s: FloatArray,
    doubtful: npt.NDArray[np.bool_],
) -> None:
    """Copy the states of a block's first lanes to instant `k` and their `columns` of (m, 3, n) arrays."""
    r, v = _up((outputs + OUT_R) * LANES), _up((outputs + OUT_V) * LANES)
    doubt, row = _up((outputs + OUT_DOUBT) * LANES), _up(LANES)
    for i in range(columns.shape[0]):
        lane, column = _up(i), columns[i]
        r_km[k, 0, column] = block[r + lane]
        r_km[k, 1, column] = block[r + row + lane]
        r_km[k, 2, column] = block[r + row + row + lane]
        v_km_s[k, 0, column] = block[v + lane]
        v_km_s[k, 1, column] = block[v + row + lane]
        v_km_s[k, 2, column] = block[v + row + row + lane]
        doubtful[k, column] = block[doubt + lane] != 0.0


@kernel
def put_point_states(
    block: FloatArray,
    outputs: int,
    first: int,
    used: int,
    r_km: FloatArray,
    v_km_s: FloatArray,
    doubtful: npt.NDArray[np.bool_],
) -> None:
    """Copy the states of a block's `used` lanes to rows from `first` on of (m, 3) arrays."""
    for lane in range(used):
        for axis in range(3):
            r_km[first + lane, axis] = block[(outputs + OUT_R + axis) * LANES + lane]
            v_km_s[first + lane, axis] = block[(outputs + OUT_V + axis) * LANES + lane]
        doubtful[first + lane] = block[(outputs + OUT_DOUBT) * LANES + lane] != 0.0
