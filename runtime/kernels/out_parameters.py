"""Fixed memory for out-parameters of real functions: words of `ctx.scratch`.

    [0..2] a va_list being walked    [3..5] its copy for a second pass    [6] an end pointer
    [7] a line's buffer              [8] its size                 [9] a pollfd, a timespec [9..10]
    [11] room that a caller has for a result of unknown size

Each holds for one call of one kernel: nothing else runs meanwhile.  STRTOK_PLACE lasts.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import CONTEXT_DTYPE


def _scratch(index: int) -> int:
    return memory_map.CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, "scratch", index)


SCRATCH_WALK: Final = _scratch(0)
SCRATCH_COPY: Final = _scratch(3)
SCRATCH_END: Final = _scratch(6)
SCRATCH_LINE: Final = _scratch(7)
SCRATCH_LINE_SIZE: Final = _scratch(8)
SCRATCH_POLL: Final = _scratch(9)
SCRATCH_ZERO_TIME: Final = _scratch(9)
SCRATCH_ROOM: Final = _scratch(11)
STRTOK_PLACE: Final = memory_map.CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, "c_library.strtok")
FD_SETS: Final = memory_map.CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, "outside.fd_sets")
