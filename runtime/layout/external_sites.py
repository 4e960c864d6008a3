"""Sites that no table knows: places that the program names itself, as numbers of routines.

    routine TAG_ROUTINES + tag          an access of an external object with this tag
    routine CODE_ROUTINES + slot        code of a managed language, its place is in EXTERNAL_PCS
    routine PC_ROUTINES + offset        an access at PROGRAM_CODE_LO + offset of the program's code

A stack holds ROUTINE_SITE_BASE + routine for them (kernels/callstack.py), below the mark of locks.
"""

import ctypes
from typing import Final

from irsan.runtime.layout import memory_map

TAG_ROUTINES: Final = 0x0100_0000
MAX_TAGS: Final = 0x0010_0000
PC_ROUTINES: Final = 0x0200_0000
CODE_ROUTINES: Final = 0x0140_0000
CODE_SLOT_BITS: Final = 22
EXTERNAL_PC_BIT: Final = 60  # set in program counters that only the program itself understands
EXTERNAL_PCS: Final = memory_map.table("external code", 8 << CODE_SLOT_BITS)  # 0 = free
MAX_CODE_BYTES: Final = min(memory_map.PROGRAM_CODE_HI - memory_map.PROGRAM_CODE_LO, 0x7000_0000)


def routine_to_tag(routine: int) -> int:
    """Tag of a routine's number, 0 for none."""
    tag = routine - TAG_ROUTINES
    return tag if 0 < tag < MAX_TAGS else 0


def routine_to_external_pc(routine: int) -> int:
    """External program counter of a routine's number, bit 60 included; 0 for none."""
    slot = routine - CODE_ROUTINES
    if not 0 <= slot < 1 << CODE_SLOT_BITS:
        return 0
    return ctypes.c_uint64.from_address(EXTERNAL_PCS + 8 * slot).value


def routine_to_pc(routine: int) -> int:
    """Program counter of a routine's number, 0 for none."""
    offset = routine - PC_ROUTINES
    return memory_map.PROGRAM_CODE_LO + offset if 0 <= offset < MAX_CODE_BYTES else 0
