"""The symbol under which programs call the virtual machine."""

from __future__ import annotations

from typing import Final

SYMBOL: Final = "irsan_interpret"
