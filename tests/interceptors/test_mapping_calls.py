"""mmap while races are looked for: private memory has race shadow, is new, and is foreign."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import pytest

from irsan.interceptors import mapping_calls
from irsan.runtime import mapping_zone as mz
from irsan.runtime import mappings
from irsan.runtime.kernels.checks.foreign import foreign_allows, is_arena
from irsan.runtime.kernels.race import fasttrack
from irsan.runtime.kernels.race import race_words as words
from irsan.runtime.kernels.race.race_threads import thread_fork
from irsan.runtime.kernels.threads import actions
from tests.conftest import thread_addr

PAGE = 4096
READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
READABLE_AND_WRITABLE = 3


def place(ctx: Any, n_bytes: int, flags: int = PRIVATE, protection: int = READ_WRITE) -> int:
    return int(mapping_calls.i_mmap(ctx, 0, n_bytes, protection, flags, -1, 0))


def in_zone(addr: int) -> bool:
    return mz.ZONE_LO <= addr < mz.ZONE_LO + mz.ZONE_BYTES


def races(ctx: Any, addr: int) -> bool:
    ctx["race"][words.DEDUPE] = 0
    fasttrack.race_access_slow(ctx, addr, 4, 1)
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
        (mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, READ_WRITE),
        (PRIVATE, READ_WRITE | mmap.PROT_EXEC),
        (PRIVATE | 0x40, READ_WRITE),  # MAP_32BIT
    ],
)
def test_other_mappings_are_the_systems(guest: Any, flags: int, protection: int) -> None:
    addr = place(guest.ctx, PAGE, flags, protection)
    assert addr > 0
    assert not in_zone(addr)
    assert mapping_calls.check_unmapping(guest.ctx, addr, PAGE)


def test_without_the_race_detector_nothing_changes(guest: Any) -> None:
    guest.ctx["sanitize_thread"] = 0
    assert not in_zone(place(guest.ctx, PAGE))
