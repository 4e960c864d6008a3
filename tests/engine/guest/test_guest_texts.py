"""Texts for the program: written once, ended by a zero, and no leak."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

from irsan.engine.guest.guest_texts import GuestTexts
from irsan.runtime import arena
from irsan.runtime.kernels.heap import heap
from irsan.runtime.layout import options
from irsan.runtime.records.memory.heap_records import CHUNK_DTYPE
from irsan.runtime.records.memory.leak_records import IGNORED
from irsan.runtime.views.heap_view import addr_to_chunk


def test_a_text_is_put_into_the_heap_once(guest: Any) -> None:
    options.set_default_options(guest.ctx)
    heap.heap_init(guest.ctx)
    calls = []

    def kernel(name: str, *arguments: int) -> int:
        calls.append(name)
        if name == "race_forget":
            return 0
        return int(heap.heap_allocate(guest.ctx, *arguments))

    machine: Any = SimpleNamespace(ctx=guest.ctx, runtime=SimpleNamespace(kernel=kernel))
    texts = GuestTexts()
    first, second = texts.address(machine, "räce"), texts.address(machine, "")
    assert texts.address(machine, "räce") == first != second
    assert ctypes.string_at(first).decode() == "räce" and ctypes.string_at(second) == b""
    assert calls == ["heap_allocate", "race_forget"] * 2
    chunk = addr_to_chunk(guest.ctx, first)
    assert chunk is not None
    assert arena.view_record(chunk.record, CHUNK_DTYPE)["mark"] == IGNORED
