"""LW_x: the clock of the last write of a variable, for orders that follow what reads read."""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Vector, i32, i64
from irsan.traces.kernels.clock_rows import Clocks
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.operations import NONE


@table
class LastWrites(NamedTuple):
    """Clocks of last writes: LW_x is the one at `row[x]`, NONE before the first write of x.

    count  rows in use
    """

    clocks: Clocks = part(Clocks, rows="written")
    row: Vector[i32] = column("i32", "variables", fill=NONE)
    count: Vector[i64] = column("i64", 1)  # type: ignore[assignment]


@kernel(inlined=True)
def written_row(writes: LastWrites, x: i64) -> i64:
    """The row for a write of x, the next free one when it has none yet."""
    if writes.row[x] == NONE:
        writes.row[x] = writes.count[0]
        writes.count[0] += 1
    return i64(writes.row[x])
