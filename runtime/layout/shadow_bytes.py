"""Values of shadow bytes that kernels, glue and host share; the rest: kernels/checks/shadow.py."""

from __future__ import annotations

from typing import Final

INTERNAL: Final = 0xFE  # no object's: gaps of the arena, irsan's own memory
OUTER_BYTES: Final = 32 << 10  # of shadow outside the arena that the fault handler fills at once
