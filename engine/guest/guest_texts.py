"""Texts that a program asks for and may keep: each is put into its heap once and never freed."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from irsan.runtime.leaks.leak_check import never_a_leak
from irsan.runtime.records.memory.heap_records import MALLOC

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine


class GuestTexts:
    """The texts that one run has given out."""

    def __init__(self) -> None:
        self._addresses: dict[str, int] = {}

    def address(self, machine: Machine, text: str) -> int:
        """Where `text` and its final zero lie in the program's heap; it is no leak."""
        found = self._addresses.get(text)
        if found is None:
            raw = text.encode() + b"\0"
            found = machine.runtime.kernel("heap_allocate", len(raw), 0, MALLOC)
            machine.runtime.kernel("race_forget", found, len(raw))
            ctypes.memmove(found, raw, len(raw))
            never_a_leak(machine.ctx, found)
            self._addresses[text] = found
        return found
