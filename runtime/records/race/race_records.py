"""What the race detector keeps of memory and of threads: no numba here.

CELL             16 bytes of shadow per 4 bytes of memory
EXPANDED         what a record of an expanded cell begins with; ENTRY records follow
TRANSITION       see kernels/race/cells/cell_transitions.py
FOUND_RACE       see kernels/race/cells/found_races.py
SID, JOURNAL     who has a sid, and who had which sid when: kernels/race/sids.py
"""

from __future__ import annotations

from typing import Final

import numpy as np

CELL_DTYPE: Final = np.dtype([("write", "u8"), ("read", "u8")])

EXPANDED_DTYPE: Final = np.dtype(
    {
        "names": ["n", "size_class", "flags", "next"],
        "formats": ["u2", "u1", "u1", "u4"],
        "offsets": [0, 2, 3, 4],  # `next` of one that is free: there are no entries then
    }
)

#: `half` is epoch and meta, packed like the half of a cell
ENTRY_DTYPE: Final = np.dtype(
    {
        "names": ["half", "epoch", "meta", "kind"],
        "formats": ["u8", "u4", "u4", "u4"],
        "offsets": [0, 0, 4, 8],
    }
)

TRANSITION_DTYPE: Final = np.dtype(
    [
        ("write", "u8"),  # the cell before
        ("state", "u8"),
        ("access", "u8"),
        ("kind", "u8"),
        ("write_after", "u8"),
        ("read_after", "u8"),
        ("stamp", "u8"),  # of the record before
        ("stamp_after", "u8"),
    ]
)

FOUND_RACE_DTYPE: Final = np.dtype(
    [
        ("address", "u8"),  # of the cell
        ("mask", "u4"),  # bytes of it that race
        ("kind", "u4"),  # of the previous access, as all that follows
        ("epoch", "u4"),
        ("stack", "u4"),
        ("old_mask", "u4"),  # bytes of the previous access
        ("spare", "u4"),
    ]
)

SID_DTYPE: Final = np.dtype(
    [
        ("state", "u4"),
        ("newest_epoch", "u4"),  # of one whose owner has ended
        ("finish_stamp", "u8"),
        ("owner_slot", "u8"),  # of one that is live
        ("spare", "u8"),
    ]
)

JOURNAL_DTYPE: Final = np.dtype(
    [
        ("first_epoch", "u4"),
        ("creation_stack", "u4"),
        ("tid", "u8"),
        ("parent_tid", "u8"),
        ("finished", "u8"),
        ("name", "S32"),
    ]
)
