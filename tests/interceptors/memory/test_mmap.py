"""mmap while races are looked for: private memory has race shadow, is new, and is foreign."""

from __future__ import annotations

import ctypes
import mmap
from pathlib import Path
from typing import Any

import pytest

from irsan.interceptors.memory import mmap as mapping_calls
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks.foreign import foreign_allows, is_arena
from irsan.runtime.kernels.race import access
from irsan.runtime.kernels.race.thread_clocks import thread_fork
from irsan.runtime.layout import mapping_zone as mz
from irsan.runtime.layout import memory_map
from irsan.runtime.views import mappings
from tests.conftest import thread_addr

PAGE = 4096
READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
READABLE_AND_WRITABLE = 3
MAY_MOVE = 1
ERRNO = ctypes.c_int()


@pytest.fixture(autouse=True)
def errno_place(guest: Any) -> None:
    guest.ctx["c_library"]["errno_addr"] = ctypes.addressof(ERRNO)


def place(ctx: Any, n_bytes: int, flags: int = PRIVATE, protection: int = READ_WRITE) -> int:
    return int(mapping_calls.i_mmap(ctx, 0, n_bytes, protection, flags, -1, 0))


def in_zone(addr: int) -> bool:
    return mz.ZONE_LO <= addr < mz.ZONE_LO + mz.ZONE_BYTES


def races(ctx: Any, addr: int) -> bool:
    ctx["race"]["dedupe"] = 0
    access.race_access_slow(ctx, addr, 4, 1)
    found = bool(ctx["action"] == actions.REPORT)
    ctx["action"] = actions.NONE
    return found


def unmap(ctx: Any, addr: int, n_bytes: int) -> None:
    assert not mapping_calls.check_unmapping(ctx, addr, n_bytes)  # the host is not to do it


def test_mappings_lie_side_by_side_and_are_raced_on(guest: Any) -> None:
    ctx = guest.ctx
    first, second = place(ctx, PAGE + 1), place(ctx, PAGE)
    assert (first, second) == (mz.ZONE_LO, mz.ZONE_LO + 2 * PAGE)
    assert mz.zone_range() == (first, second + PAGE)
    other = guest.new_thread(1)
    assert thread_fork(ctx, thread_addr(other))
    assert not races(ctx, second)
    guest.switch_to(other)
    assert races(ctx, second)


def test_what_is_unmapped_has_no_past_and_its_place_comes_again_only_at_the_end(guest: Any) -> None:
    ctx = guest.ctx
    first, second = place(ctx, PAGE), place(ctx, PAGE)
    other = guest.new_thread(1)
    assert thread_fork(ctx, thread_addr(other))
    for addr in (first, second):
        ctypes.c_uint32.from_address(addr).value = 7
        assert not races(ctx, addr)
    unmap(ctx, first, PAGE)
    unmap(ctx, second, PAGE)
    guest.switch_to(other)
    again = place(ctx, PAGE)
    assert again == second
    assert ctypes.c_uint32.from_address(again).value == 0
    assert not races(ctx, again)


def test_the_zone_is_foreign_to_the_checks_of_addresses(guest: Any) -> None:
    addr = place(guest.ctx, PAGE)
    assert not is_arena(addr)
    mappings.refresh_mappings(guest.ctx)
    assert foreign_allows(guest.ctx, addr, PAGE, READABLE_AND_WRITABLE)
    assert not foreign_allows(guest.ctx, addr, 2 * PAGE, READABLE_AND_WRITABLE)


@pytest.mark.parametrize(
    ("flags", "protection"),
    [
        (PRIVATE, READ_WRITE | mmap.PROT_EXEC),
        (PRIVATE | 0x40, READ_WRITE),  # MAP_32BIT
    ],
)
def test_other_mappings_are_the_systems(guest: Any, flags: int, protection: int) -> None:
    addr = place(guest.ctx, PAGE, flags, protection)
    assert addr > 0
    assert not in_zone(addr)
    assert mapping_calls.check_unmapping(guest.ctx, addr, PAGE)


def test_low_mappings_have_room_below_the_arena(guest: Any) -> None:
    ctx, low = guest.ctx, PRIVATE | 0x40  # MAP_32BIT
    places = [place(ctx, 2 * PAGE, low) for _ in range(3)]
    assert len(set(places)) == 3
    for addr in places:
        assert 0 < addr < addr + 2 * PAGE <= memory_map.ARENA_LO
        ctypes.c_uint32.from_address(addr + 2 * PAGE - 4).value = 7
        mappings.refresh_mappings(ctx)  # a neighbour of the arena is the program's, too
        assert foreign_allows(ctx, addr, 2 * PAGE, READABLE_AND_WRITABLE)
    assert place(ctx, 1 << 31, low) == mapping_calls.FAILED
    assert place(ctx, 0, low) == mapping_calls.FAILED


def two_threads(guest: Any) -> Any:
    """The second thread, which the main one has started."""
    other = guest.new_thread(1)
    assert thread_fork(guest.ctx, thread_addr(other))
    return other


def test_who_uses_what_another_thread_has_just_mapped_races(guest: Any) -> None:
    ctx = guest.ctx
    other = two_threads(guest)
    addr = place(ctx, 4 * PAGE)
    assert not races(ctx, addr + PAGE)
    guest.switch_to(other)
    assert races(ctx, addr)
    assert races(ctx, addr + 2 * PAGE + 8)
    assert not races(ctx, addr)  # it is this thread's own now
    assert races(ctx, addr + PAGE)


def test_who_uses_what_another_thread_unmaps_races(guest: Any) -> None:
    ctx = guest.ctx
    addr = place(ctx, 64 * PAGE)
    other = two_threads(guest)
    assert not races(ctx, addr + 33 * PAGE)
    guest.switch_to(other)
    ctx["race"]["dedupe"] = 0
    unmap(ctx, addr, 32 * PAGE)
    assert ctx["action"] == actions.NONE
    unmap(ctx, addr + 32 * PAGE, 32 * PAGE)
    assert ctx["action"] == actions.REPORT


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_file_that_may_be_written_has_race_shadow(
    guest: Any, tmp_path: Path, is_shared: bool
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old" + bytes(PAGE))
    kind = mmap.MAP_SHARED if is_shared else mmap.MAP_PRIVATE
    with path.open("r+b") as stream:
        number = stream.fileno()
        addr = int(mapping_calls.i_mmap(guest.ctx, 0, PAGE, READ_WRITE, kind, number, 0))
        read_only = int(mapping_calls.i_mmap(guest.ctx, 0, PAGE, 1, kind, number, 0))
    assert in_zone(addr) and not in_zone(read_only)
    assert ctypes.string_at(addr, 3) == b"old"
    ctypes.memmove(addr, b"new", 3)
    assert path.read_bytes()[:3] == (b"new" if is_shared else b"old")
    unmap(guest.ctx, addr, PAGE)
    again = place(guest.ctx, PAGE)
    assert again == addr and ctypes.string_at(again, 3) == bytes(3)
    assert path.read_bytes()[:3] == (b"new" if is_shared else b"old")


def test_a_mapping_that_fails_leaves_its_place_free(guest: Any) -> None:
    bad = mapping_calls.i_mmap(guest.ctx, 0, PAGE, READ_WRITE, mmap.MAP_SHARED, 9999, 0)
    assert int(bad) == 2**64 - 1
    addr = place(guest.ctx, PAGE)
    assert addr == mz.ZONE_LO
    ctypes.c_uint32.from_address(addr).value = 1


def test_what_grows_moves_with_its_contents_and_is_raced_on(guest: Any) -> None:
    ctx = guest.ctx
    old = place(ctx, PAGE)
    last = place(ctx, PAGE)
    other = two_threads(guest)
    ctypes.c_uint32.from_address(old).value = 7
    new = int(mapping_calls.i_mremap(ctx, old, PAGE, 3 * PAGE, MAY_MOVE, 0))
    assert new == last + PAGE and mz.zone_range()[1] == new + 3 * PAGE
    assert ctypes.c_uint32.from_address(new).value == 7
    ctypes.c_uint32.from_address(new + 2 * PAGE).value = 8
    assert not races(ctx, new)
    guest.switch_to(other)
    assert races(ctx, new + 2 * PAGE)
    ctx["race"]["dedupe"] = 0
    newest = int(mapping_calls.i_mremap(ctx, new, 3 * PAGE, 4 * PAGE, MAY_MOVE, 0))
    assert ctx["action"] == actions.REPORT  # with the main thread's write
    ctx["action"] = actions.NONE
    assert newest == new + 3 * PAGE and ctypes.c_uint32.from_address(newest).value == 7


def test_what_shrinks_stays_and_what_may_not_move_does_not_grow(guest: Any) -> None:
    ctx = guest.ctx
    addr = place(ctx, 3 * PAGE)
    assert mapping_calls.i_mremap(ctx, addr, 3 * PAGE, PAGE, 0, 0) == addr
    assert mz.zone_range() == (addr, addr + PAGE)
    assert int(mapping_calls.i_mremap(ctx, addr, PAGE, 2 * PAGE, 0, 0)) == 2**64 - 1
    assert place(ctx, PAGE) == addr + PAGE
    ctypes.c_uint32.from_address(addr + PAGE).value = 1


def test_memory_mapped_over_a_mapping_is_new(guest: Any) -> None:
    ctx = guest.ctx
    addr = place(ctx, 3 * PAGE)
    other = two_threads(guest)
    assert not races(ctx, addr)
    guest.switch_to(other)
    fixed = PRIVATE | 0x10
    assert mapping_calls.i_mmap(ctx, addr, PAGE, READ_WRITE, fixed, -1, 0) == addr
    assert not races(ctx, addr + 8)


def test_without_the_race_detector_nothing_changes(guest: Any) -> None:
    guest.ctx["sanitize_thread"] = 0
    assert not in_zone(place(guest.ctx, PAGE))
