"""Frozen memory: all that was in it is still there, can be changed, and is copied by no fork."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from irsan.engine.commands.forking import fork
from irsan.engine.glue.templates import join, template
from irsan.explore.playing import frozen_memory
from irsan.explore.playing.frozen_memory import freeze_memory, make_own, own_pages, system_calls
from irsan.runtime.views.mappings import LIBC_HEAP, read_mappings
from tests.support.jit import compile_text, linked

TEXT = join([template("system_calls")])
MANY = 100_000
PAGE = 4096


def in_frozen_process(act: Callable[[int], bool]) -> None:
    """`act`, given how many bytes were frozen, is true in a process whose memory is frozen."""
    with linked(compile_text(TEXT)) as linker:
        function = linker.symbols["irsan_system_calls"]
        child = fork(lambda: 0 if act(freeze_memory(system_calls(function))) else 1)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def own_bytes() -> int:
    lines = Path("/proc/self/smaps").read_text().splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))


def test_objects_survive_and_can_be_changed() -> None:
    before = [str(number) for number in range(MANY)]

    def act(n_bytes: int) -> bool:
        before.append("more")
        changed = {word: len(word) for word in before}
        return n_bytes > 1 << 20 and len(changed) == MANY + 1 and before[77] == "77"

    in_frozen_process(act)


def test_little_memory_is_the_process_own_afterwards() -> None:
    held = [bytearray(b"x" * 4096) for _ in range(4000)]
    before = own_bytes()
    in_frozen_process(lambda n_bytes: n_bytes > 8 << 20 and own_bytes() < before / 2 and bool(held))


def test_pages_that_were_written_to_are_named_and_can_be_made_own() -> None:
    room = bytearray(64 * 4096)
    at = ctypes.addressof(ctypes.c_char.from_buffer(room)) // 4096 * 4096 + 4096

    def act(_n_bytes: int) -> bool:
        untouched = at not in own_pages()
        make_own([at])
        return untouched and at in own_pages() and room == bytearray(64 * 4096)

    in_frozen_process(act)


def test_a_range_that_has_got_a_hole_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    room = mmap.mmap(-1, 48 * PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    lo = ctypes.addressof(ctypes.c_char.from_buffer(room))
    ctypes.memset(lo, 7, 48 * PAGE)
    own = list(frozen_memory._ranges())
    stale = [one for one in own if not one[0] <= lo < one[0] + one[1]]
    monkeypatch.setattr(frozen_memory, "_ranges", lambda: [*stale, (lo, 48 * PAGE, "stale")])
    assert libc.munmap(ctypes.c_void_p(lo + 16 * PAGE), 16 * PAGE) == 0

    def act(n_bytes: int) -> bool:
        parts = ctypes.string_at(lo, 16 * PAGE) + ctypes.string_at(lo + 32 * PAGE, 16 * PAGE)
        return parts == b"\7" * (32 * PAGE) and n_bytes > 1 << 20

    in_frozen_process(act)


def test_the_heap_of_the_c_library_is_still_known() -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_uint64
    block = libc.malloc(100)

    def act(_n_bytes: int) -> bool:
        heaps = [each for each in read_mappings() if each.kind & LIBC_HEAP]
        return any(each.lo <= block < each.hi for each in heaps)

    in_frozen_process(act)
