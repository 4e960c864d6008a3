"""Entries of the dtv of opened libraries are exchanged with the running thread, the host's stay."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime.kernels.threads import library_tls, switching
from irsan.runtime.views.native_tls import library_blocks
from tests.support.green import slot_to_addr

UNALLOCATED = 2**64 - 1
CAPACITY, FIRST, START = 6, 4, 10


class Dtv:
    """A dtv as glibc lays it out, and a thread pointer that leads to it."""

    def __init__(self, ctx: Any) -> None:
        self.words = (ctypes.c_uint64 * (2 * (CAPACITY + 2)))()
        self.words[0], self.words[2] = CAPACITY, START
        self.pointer = (ctypes.c_uint64 * 2)(0, ctypes.addressof(self.words) + 16)
        for module in range(1, CAPACITY + 1):
            self.set(module, UNALLOCATED, 0)
        self.set(1, 0x1111, 0)
        ctx["library_tls"]["thread_pointer"] = ctypes.addressof(self.pointer)
        ctx["library_tls"]["first"], ctx["library_tls"]["generation"] = FIRST, START

    def set(self, module: int, block: int, to_free: int) -> None:
        self.words[2 + 2 * module], self.words[3 + 2 * module] = block, to_free

    def block(self, module: int) -> int:
        return int(self.words[2 + 2 * module])

    @property
    def generation(self) -> int:
        return int(self.words[2])


@pytest.fixture
def dtv(guest: Any) -> Dtv:
    guest.new_thread(1)
    return Dtv(guest.ctx)


def test_each_thread_has_its_own_blocks(guest: Any, dtv: Dtv) -> None:
    switching.switch_threads(guest.ctx, slot_to_addr(1))
    switching.switch_threads(guest.ctx, slot_to_addr(0))
    assert dtv.generation == START  # nothing was opened
    dtv.words[2] = START + 1  # what glibc does when the first block is touched
    dtv.set(4, 0xAAA0, 0xAAA0)
    switching.switch_threads(guest.ctx, slot_to_addr(1))
    assert (dtv.generation, dtv.block(4), dtv.block(1)) == (START, UNALLOCATED, 0x1111)
    dtv.words[2] = START + 2
    dtv.set(4, 0xBBB0, 0xBBB0)
    dtv.set(6, 0xCCC0, 0xCCC0)
    switching.switch_threads(guest.ctx, slot_to_addr(0))
    assert (dtv.generation, dtv.block(4), dtv.block(6)) == (START + 1, 0xAAA0, UNALLOCATED)
    switching.switch_threads(guest.ctx, slot_to_addr(1))
    assert (dtv.generation, dtv.block(4), dtv.block(6)) == (START + 2, 0xBBB0, 0xCCC0)


def test_blocks_of_an_ended_thread_are_freed_and_forgotten(guest: Any, dtv: Dtv) -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_uint64
    block = int(libc.malloc(40))
    switching.switch_threads(guest.ctx, slot_to_addr(1))
    dtv.words[2] = START + 1
    dtv.set(5, block, block)
    (lo, hi), = library_blocks(guest.ctx, 1, is_running=True)
    assert lo == block and hi - lo >= 40
    switching.switch_threads(guest.ctx, slot_to_addr(0))
    assert [lo for lo, _ in library_blocks(guest.ctx, 1, is_running=False)] == [block]
    library_tls.forget_library_tls(guest.ctx, 1)
    assert not list(library_blocks(guest.ctx, 1, is_running=False))
    switching.switch_threads(guest.ctx, slot_to_addr(1))
    assert (dtv.generation, dtv.block(5)) == (START, UNALLOCATED)


def test_a_guest_without_a_thread_pointer_exchanges_nothing(guest: Any, dtv: Dtv) -> None:
    guest.ctx["library_tls"]["thread_pointer"] = 0
    dtv.words[2] = START + 1
    dtv.set(4, 0xAAA0, 0xAAA0)
    switching.switch_threads(guest.ctx, slot_to_addr(1))
    assert dtv.block(4) == 0xAAA0


def test_thread_locals_of_archives_lie_behind_the_programs_own(guest: Any) -> None:
    guest.ctx["tls"], guest.ctx["program"]["archive_tls"] = 0x5000, 0x200
    pair = (ctypes.c_uint64 * 2)(1, 0x18)
    assert library_tls.archive_tls_address(guest.ctx, ctypes.addressof(pair)) == 0x5218
    pair[:] = [0, 0x7FFF_0000_1234]
    assert library_tls.archive_tls_address(guest.ctx, ctypes.addressof(pair)) == 0x7FFF_0000_1234
