"""A guest with a heap and the intercepted C library."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from irsan.runtime.records.memory import heap_records as hr
from tests.support.library_calls import Library, all_exports

if TYPE_CHECKING:
    from tests.support.green import GreenGuest


@dataclass(frozen=True, slots=True)
class Shelf:
    """Places objects of exact sizes in the guest's heap."""

    ctx: Any
    library: Library
    allocate: Callable[..., int]

    def place(self, raw: bytes, filler: int = 0) -> int:
        """Address of a new object that holds exactly `raw`; `filler` bytes follow it in memory."""
        addr = int(self.allocate(self.ctx, len(raw), 0, hr.MALLOC))
        ctypes.memset(addr, filler, len(raw) + 128)
        ctypes.memmove(addr, raw, len(raw))
        return addr

    def finding(self) -> list[int] | None:
        """The words of the finding that the last call left, or None; takes it away."""
        from irsan.runtime.kernels import actions

        action = self.ctx["action"]
        self.ctx["action"] = actions.NONE
        return [int(word) for word in self.ctx["fault"]] if action == actions.REPORT else None


@pytest.fixture
def shelf(guest: Any) -> Iterator[Shelf]:
    """Address checks on, one thread, default options."""
    from irsan.runtime.kernels.heap.heap import heap_allocate, heap_init
    from irsan.runtime.layout import options
    from irsan.runtime.views import mappings

    options.set_default_options(guest.ctx)
    guest.ctx["sanitize_address"], guest.ctx["sanitize_thread"] = 1, 0
    heap_init(guest.ctx)
    mappings.refresh_mappings(guest.ctx)
    yield Shelf(guest.ctx, Library(guest.ctx, all_exports()), heap_allocate)


@pytest.fixture
def green(guest: Any) -> Iterator[GreenGuest]:
    """Threads whose bodies are Python, on the kernels' scheduler."""
    from tests.support.green import GreenGuest

    found = GreenGuest(guest.ctx)
    yield found
    found.close()
