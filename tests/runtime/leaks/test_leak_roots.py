"""Where a leak search starts: which ranges count for which thread, by which flag."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.thread_states import BLOCKED, FINISHED, FREE, RUNNABLE
from irsan.runtime.leaks import leak_roots
from irsan.runtime.leaks.leak_roots import RootOptions, root_ranges
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.records.memory import leak_records as lr
from irsan.runtime.records.threads import exit_records
from irsan.runtime.views import native_roots
from irsan.runtime.views.mappings import READABLE, Mapping

STACK_LO, STACK_HI = memory_map.STACK_SLOTS_LO + (8 << 20), memory_map.STACK_SLOTS_LO + (15 << 20)
NOTHING = RootOptions(
    use_globals=False, use_stacks=False, use_registers=False, use_tls=False, use_root_regions=False
)


@pytest.fixture
def ctx(guest: Any) -> Any:
    thread = guest.main
    thread["state"], thread["stack"]["lo"], thread["stack"]["hi"] = RUNNABLE, STACK_LO, STACK_HI
    thread["sp"], thread["tls"] = STACK_HI - 4096, STACK_HI
    thread["stack"]["room_hi"] = memory_map.STACK_SLOTS_LO + memory_map.STACK_SLOT_BYTES
    return guest.ctx


def ranges(ctx: Any, caller: int = 0, mappings: list[Mapping] | None = None, **used: bool) -> Any:
    options = RootOptions(**{**dict.fromkeys(NOTHING.__slots__, False), **used})
    return set(root_ranges(ctx, options, [(1, 2)], lambda: mappings or [], caller)) - {(0, 0)}


def field(at: int, name: str) -> tuple[int, int]:
    start = at + field_offset(THREAD_DTYPE, name)
    return start, start + 8


def set_caller(sp: int) -> int:
    arena.view_words(lr.AT_EXIT_CALLER, 1)[0] = sp
    return lr.AT_EXIT_CALLER


def test_without_any_flag_only_results_count(ctx: Any) -> None:
    assert ranges(ctx) == {field(memory_map.THREADS, "result")}


def test_a_stack_begins_above_the_saved_registers(ctx: Any) -> None:
    sp = STACK_HI - 4096
    assert (sp + 64, STACK_HI) in ranges(ctx, use_stacks=True)
    assert (sp + 8, sp + 64) in ranges(ctx, use_registers=True)
    assert (STACK_LO, STACK_HI) in ranges(ctx, use_stacks=True, use_dead_stack=True)


def test_the_callers_frames_are_those_above_its_call(ctx: Any) -> None:
    caller = set_caller(STACK_HI - 128)
    found = ranges(ctx, caller, use_stacks=True, use_registers=True)
    assert {(STACK_HI - 128, STACK_HI), (caller + 8, caller + 56)} <= found


def test_nothing_of_a_main_that_has_returned_counts(ctx: Any) -> None:
    caller = set_caller(lr.FRAMES_ARE_GONE)
    found = ranges(ctx, caller, use_stacks=True, use_registers=True)
    assert found == {field(memory_map.THREADS, "result")}
    assert (STACK_LO, STACK_HI) in ranges(ctx, caller, use_stacks=True, use_dead_stack=True)


def test_a_stack_pointer_elsewhere_makes_the_whole_stack_count(ctx: Any, guest: Any) -> None:
    guest.main["sp"] = memory_map.HEAP_LO + 4096  # a stack of the program's own
    assert (STACK_LO, STACK_HI) in ranges(ctx, use_stacks=True)


def test_an_argument_counts_until_its_thread_begins(ctx: Any, guest: Any) -> None:
    thread = guest.new_thread(1)
    at = memory_map.THREADS + memory_map.THREAD_STRIDE
    lo = memory_map.STACK_SLOTS_LO + memory_map.STACK_SLOT_BYTES
    thread["state"], thread["stack"]["lo"], thread["stack"]["hi"] = BLOCKED, lo, lo + 4096
    thread["sp"] = lo + 4096 - 80
    assert field(at, "argument") in ranges(ctx)
    thread["sp"] = lo + 4096 - 96
    assert field(at, "argument") not in ranges(ctx)


@pytest.mark.parametrize(("state", "is_detached", "counts"), [
    (FINISHED, 0, True), (FINISHED, 1, False), (FREE, 0, False),
])  # fmt: skip
def test_a_result_counts_until_it_is_fetched(
    ctx: Any, guest: Any, state: int, is_detached: int, counts: bool
) -> None:
    thread = guest.new_thread(1)
    at = memory_map.THREADS + memory_map.THREAD_STRIDE
    thread["state"], thread["detached"] = state, is_detached
    assert (field(at, "result") in ranges(ctx, use_stacks=True, use_tls=True)) == counts


def test_thread_locals_and_values_of_keys(ctx: Any) -> None:
    found = ranges(ctx, use_tls=True)
    assert (STACK_HI, memory_map.STACK_SLOTS_LO + memory_map.STACK_SLOT_BYTES) in found
    assert (memory_map.KEY_VALUES, memory_map.KEY_VALUES + 8 * memory_map.N_KEYS) in found


def test_regions_are_cut_to_what_can_be_read(ctx: Any) -> None:
    region = (0x7000_0000_0000, 0x7000_0000_3000)
    arena.view_words(lr.REGIONS, 2)[:] = region
    ctx["leaks"]["n_regions"] = 1
    mappings = [Mapping(region[0] - 4096, region[0] + 4096, READABLE)]
    assert (region[0], region[0] + 4096) in ranges(ctx, 0, mappings, use_root_regions=True)
    assert ranges(ctx, 0, mappings) == {field(memory_map.THREADS, "result")}


def test_globals_bring_the_program_and_its_arguments(ctx: Any) -> None:
    program = ctx["program"]
    program["argv"], program["words_end"] = memory_map.START_LO, memory_map.START_LO + 24
    found = ranges(ctx, use_globals=True)
    assert {(1, 2), (memory_map.START_LO, memory_map.START_LO + 24)} <= found
    assert set(native_roots.library_data()) <= found


def test_arguments_of_functions_that_run_at_exit(ctx: Any) -> None:
    nodes = exit_records.NODES
    arena.view_words(nodes, 6)[:] = (1, 2, nodes + 24, 3, 4, 0)
    ctx["exits"]["at_exit"] = nodes
    found = ranges(ctx, use_globals=True)
    assert {(nodes + 8, nodes + 16), (nodes + 32, nodes + 40)} <= found


def test_libraries_of_the_host_are_left_out() -> None:
    ranges = native_roots.library_data()
    # Not `environ`: an executable of Python that is linked statically has libc's in itself.
    of_libc = ctypes.c_uint.in_dll(ctypes.CDLL(None), "error_message_count")
    assert any(lo <= ctypes.addressof(of_libc) < hi for lo, hi in ranges)
    none_of_python = ctypes.addressof(ctypes.c_int.in_dll(ctypes.pythonapi, "Py_VerboseFlag"))
    assert not any(lo <= none_of_python < hi for lo, hi in ranges)


def test_streams_and_the_environment_are_found() -> None:
    libc = ctypes.CDLL(None)
    ranges = native_roots.c_library_ranges()
    stdout = ctypes.c_uint64.in_dll(libc, "stdout").value
    environ = ctypes.c_uint64.in_dll(libc, "environ").value
    starts = [lo for lo, _ in ranges]
    assert stdout in starts
    assert environ in starts


def test_guard_pages_of_the_pool_bar_nothing() -> None:
    lo = memory_map.HEAP_LO + 65536
    text = f"{lo:x}-{lo + 4096:x} ---p 0 00:00 0\n"
    assert leak_roots.unreadable_ranges(text, lo + 8192) == [(lo, lo + 4096)]
    assert leak_roots.unreadable_ranges(text, lo + 8192, (lo, lo + 8192)) == []
