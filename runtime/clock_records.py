"""Where tree clocks and Lamport times lie; numbers only, the host reads some.

    TREES      nodes of the clocks of threads: a clock's are as far from TREES as it is from CLOCKS
    WALK       u64 each: nodes whose children a walk over a tree has yet to see
    LAMPORTS   u32 per epoch: Lamport time of its thread then, if somebody asked for it
"""

from __future__ import annotations

from typing import Final

from irsan.runtime import layout

TREES: Final = layout.EXTRA + 200 * layout.GIB
WALK: Final = layout.EXTRA + 201 * layout.GIB
LAMPORTS: Final = layout.EXTRA + 208 * layout.GIB  # 16 GiB
