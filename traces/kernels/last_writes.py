"""LW_x: the clock of the last write of a variable, for orders that follow what reads read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.clock_rows import Clocks
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.operations import NONE


@table("lastwrites")
class LastWrites(NamedTuple):
    """Clocks of last writes: LW_x is the one at `row[x]`, NONE before the first write of x.

    count  rows in use
    """

    clocks: Any = part(Clocks, rows="written")
    row: Any = column("i32", "variables", fill=NONE)
    count: Any = column("i64", 1)


@kernel("i64(lastwrites,i64)", inlined=True)
def written_row(writes: Any, x: Any) -> Any:
    """The row for a write of x, the next free one when it has none yet."""
    if writes.row[x] == NONE:
        writes.row[x] = writes.count[0]
        writes.count[0] += 1
    return np.int64(writes.row[x])
