"""Linker-made code and tables: counting jump stubs and GOT slots.

    stub (16 bytes)   inc qword [rip + counter]; jmp [rip + target]
    slot (16 bytes)   target: u64, counter: u64

Native functions live near 0x7f..., out of reach of a 32-bit field; a stub inside the arena takes
the call there and counts it, so that `--stats` can list what ran natively.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from irsan.engine.linker.elf import Array

STUB_BYTES: Final = 16
SLOT_BYTES: Final = 16
GOT_HEADER_BYTES: Final = 16  # also the address of __dso_handle

_TEMPLATE: Final = np.frombuffer(
    bytes.fromhex("48ff0500000000 ff2500000000 cccccc"), dtype=np.uint8
)
_INC_FIELD, _INC_END = 3, 7
_JMP_FIELD, _JMP_END = 9, 13


@dataclass(frozen=True, slots=True)
class StubTable:
    """Stubs of one link, in one row of code and one row of slots."""

    names: list[str]
    stubs_lo: int
    slots_lo: int

    def stub_addr(self, index: int) -> int:
        return self.stubs_lo + index * STUB_BYTES

    def slot_addr(self, index: int) -> int:
        return self.slots_lo + index * SLOT_BYTES

    def code(self) -> Array:
        """uint8[n * STUB_BYTES]: machine code of all stubs."""
        n = len(self.names)
        code = np.tile(_TEMPLATE, (n, 1))
        stubs = self.stubs_lo + np.arange(n, dtype=np.int64) * STUB_BYTES
        slots = self.slots_lo + np.arange(n, dtype=np.int64) * SLOT_BYTES
        for field, end, target in (
            (_INC_FIELD, _INC_END, slots + 8),
            (_JMP_FIELD, _JMP_END, slots),
        ):
            distance = (target - (stubs + end)).astype(np.int32)
            code[:, field : field + 4] = distance.view(np.uint8).reshape(n, 4)
        return code.reshape(-1)
