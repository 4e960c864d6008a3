"""Where functions that run at exit were installed: a plain table beside their nodes, no numba.

    PLACES                        {site u32, form u32} per node of runtime/kernels/threads/
                                  exit_handlers.py: of the call that installed it, and which call

A stack of such a function holds INSTALLED_SITE + form between it and that site.

Source: the frames that ThreadSanitizer shows between a callback and who installed it.
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import memory_map

MAX_NODES: Final = 1 << 24
NODE_BYTES: Final = 24
NODES: Final = memory_map.table("exit functions", (MAX_NODES + 1) * NODE_BYTES)
PLACE_BYTES: Final = 8
PLACES: Final = memory_map.table("exit places", (MAX_NODES + 1) * PLACE_BYTES)

AT_EXIT: Final = 0
CXA_AT_EXIT: Final = 1
ON_EXIT: Final = 2

INSTALLED_ROUTINES: Final = 0x00F0_0000
FRAME_NAMES: Final = (
    "at_exit_callback_installed_at",
    "cxa_at_exit_callback_installed_at",
    "on_exit_callback_installed_at",
)


def routine_to_name(routine: int) -> str:
    """Name of the frame for a form of installing, "" for any other number of a routine."""
    form = routine - INSTALLED_ROUTINES
    return FRAME_NAMES[form] if 0 <= form < len(FRAME_NAMES) else ""
