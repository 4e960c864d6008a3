"""What keeps chunks alive without being a chunk: the ranges where a leak search starts.

    globals    writable segments of the program, data of libraries loaded for it, of the C library
    host       data of libraries that the host has loaded: only the address of a block's beginning
               counts, as plain numbers of theirs would point into any block that is large enough
    stacks     of each living thread, from its stack pointer up; its fake frames
    registers  callee-saved ones, which a switch keeps on the stack; the caller's, kept in a block
    TLS        thread-local blocks, values of keys, what libraries keep per thread
    regions    __lsan_register_root_region
    fibers     stacks outside the arena on which fibers have begun (context_stacks.py)
    the rest   arguments of threads that have not begun, results that no join has fetched, arguments
               of functions that run at exit

The stack below a stack pointer is dead, and so are main's frames once it has returned: a pointer
that a function left there hides no leak.  `use_dead_stack` counts whole stacks.

Source: LeakSanitizer's lsan_common.cpp (ProcessGlobalRegions, ProcessThreads, ProcessRootRegions).
Deviations: no other process stops the threads, since their stacks are ours; memory from mmap is no
root, as in the original, and is not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.thread_states import FINISHED, FREE
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.records.memory import leak_records as lr
from irsan.runtime.records.race.fiber_records import FIBER
from irsan.runtime.views.context_stacks import fiber_bounds, fiber_stacks
from irsan.runtime.views.fake_frames import live_fake_frames
from irsan.runtime.views.heap_view import heap_top
from irsan.runtime.views.mappings import READABLE, Mapping, joined_areas
from irsan.runtime.views.native_roots import c_library_ranges, library_data
from irsan.runtime.views.native_tls import library_blocks

Range = tuple[int, int]

SAVED_REGISTERS_OFFSET: Final = 8  # of a stack that is not running: see engine/glue/switch.py
SAVED_BYTES: Final = 64
FIRST_FRAME_BYTES: Final = 80  # of a thread that has not begun
_NODE_ARGUMENT, _NODE_NEXT = 8, 16  # of the lists of exit handlers


@dataclass(frozen=True, slots=True)
class RootOptions:
    """The use_* flags."""

    use_globals: bool = True
    use_stacks: bool = True
    use_registers: bool = True
    use_tls: bool = True
    use_root_regions: bool = True
    use_dead_stack: bool = False


def root_ranges(
    ctx: Any,
    options: RootOptions,
    segments: Sequence[Range],
    mappings: Callable[[], Sequence[Mapping]],
    caller: int,
    host: Collection[str] = (),
) -> Iterator[Range]:
    """Every range [lo, hi) in which a pointer keeps its chunk alive.

    segments  writable segments of the program;  mappings  gives those of this process, fresh
    caller    address of the block that says where the running thread stands (leak_records.py)
    host      paths of libraries whose data are left out
    """
    if options.use_globals:
        yield from segments
        yield _arguments(ctx)
        yield from library_data(host)
        yield from c_library_ranges()
        yield from _exit_arguments(int(ctx["exits"]["at_exit"]))
        yield from _exit_arguments(int(ctx["exits"]["at_quick_exit"]))
        strtok = memory_map.CONTEXT_ADDR + field_offset(ctx.dtype, "c_library.strtok")
        yield (strtok, strtok + 8)
    if options.use_stacks:
        yield from _readable(ctx, list(fiber_stacks()), mappings)
    if options.use_root_regions:
        yield from _readable(ctx, list(_registered_regions(ctx)), mappings)
    for slot in range(int(ctx["schedule"]["n_threads"])):
        yield from _thread_ranges(ctx, options, slot, caller)


def unreadable_ranges(maps_text: str, top: int, pool: Range = (0, 0)) -> list[Range]:
    """Pages of globals and heap (below `top`) that are unreadable, gaps between them included.

    pool: of guarded slots, whose guard pages hold no chunk.
    """
    found = []
    for lo_text, hi_text, permissions, _ in joined_areas(maps_text):
        if permissions[0] == "r":
            continue
        lo, hi = int(lo_text, 16), int(hi_text, 16)
        if hi <= memory_map.GLOBALS_LO or lo >= top:
            continue
        is_guard = pool[0] <= lo and hi <= pool[1]
        if not is_guard and (lo < memory_map.STACKS_LO or hi > memory_map.HEAP_LO):
            found.append((lo, hi))
    return found


def _thread_ranges(ctx: Any, options: RootOptions, slot: int, caller: int) -> Iterator[Range]:
    at = memory_map.slot_to_thread(slot)
    thread = arena.view_record(at, THREAD_DTYPE)
    state = int(thread["state"])
    if state in (FREE, FIBER):
        return
    if not int(thread["detached"]):
        yield _field(at, "result")
    if state == FINISHED:
        return
    is_running = at == int(ctx["thread"])
    yield from _stack_ranges(thread, options, caller if is_running else 0)
    yield from _exit_arguments(int(thread["cleanup"]))
    if int(thread["sp"]) == _first_sp(thread):
        yield _field(at, "argument")
    if options.use_tls:
        yield (int(thread["tls"]), int(thread["stack"]["room_hi"]))
        table = memory_map.KEY_VALUES + slot * memory_map.N_KEYS * 8
        yield (table, table + memory_map.N_KEYS * 8)
        yield from _library_tls(ctx, at, is_running=is_running)
        yield from library_blocks(ctx, slot, is_running=is_running)


def _field(at: int, name: str) -> Range:
    start = at + field_offset(THREAD_DTYPE, name)
    return start, start + THREAD_DTYPE[name].itemsize


def _first_sp(thread: Any) -> int:
    return (int(thread["stack"]["hi"]) - FIRST_FRAME_BYTES) // 16 * 16


def _library_tls(ctx: Any, at: int, *, is_running: bool) -> Iterator[Range]:
    """What native libraries keep per thread: in place for the running one, else a copy."""
    if not is_running:
        yield _field(at, "host_tls")
        return
    for index in range(int(ctx["thread_locals"]["n_ranges"])):
        lo = int(ctx["thread_locals"]["ranges"][2 * index])
        yield (lo, lo + int(ctx["thread_locals"]["ranges"][2 * index + 1]))


def _stack_ranges(thread: Any, options: RootOptions, caller: int) -> Iterator[Range]:
    """Stack, saved registers and fake frames of a living thread; `caller` is 0 or its block."""
    sp, lo, hi = int(thread["sp"]), int(thread["stack"]["lo"]), int(thread["stack"]["hi"])
    is_on_stack = lo <= sp < hi
    registers = (sp + SAVED_REGISTERS_OFFSET, sp + SAVED_BYTES) if is_on_stack else (0, 0)
    if caller:
        sp = int(arena.view_words(caller, 1)[0])
        registers = (caller + 8, caller + 8 * (1 + len(lr.CALLER_REGISTERS)))
    is_gone = caller != 0 and sp == lr.FRAMES_ARE_GONE
    # At a call into the runtime they hold variables of the caller: what a flag says of its stack.
    if options.use_registers and not is_gone and (not caller or options.use_stacks):
        yield registers
    if not options.use_stacks:
        return
    has_fiber = fiber_bounds(thread)[1] != 0
    if options.use_dead_stack or has_fiber or not (is_gone or lo <= sp <= hi):
        yield (lo, hi)  # a fiber's stack may be an array in it, above frames that live
    elif not is_gone:
        yield (sp if caller else sp + SAVED_BYTES, hi)
    if not is_gone:
        yield from live_fake_frames(thread)


def _exit_arguments(node: int) -> Iterator[Range]:
    """Arguments of a list of functions still to run: see
    runtime/kernels/combined/exit_handlers.py."""
    while node:
        yield (node + _NODE_ARGUMENT, node + _NODE_NEXT)
        node = int(arena.view_words(node + _NODE_NEXT, 1)[0])


def _arguments(ctx: Any) -> Range:
    """The arrays argv and environ; the strings hold no pointers."""
    return int(ctx["program"]["argv"]), int(ctx["program"]["words_end"])


def _registered_regions(ctx: Any) -> Iterator[Range]:
    n_words = 2 * int(ctx["leaks"]["n_regions"])
    words = arena.view_words(lr.REGIONS, n_words).tolist()
    yield from zip(words[::2], words[1::2], strict=True)


def _readable(
    ctx: Any, ranges: Sequence[Range], mappings: Callable[[], Sequence[Mapping]]
) -> Iterator[Range]:
    """What can be read of ranges that the program has named; hardly any program does."""
    if not ranges:
        return
    readable = [(m.lo, m.hi) for m in mappings() if m.kind & READABLE]
    readable += [
        (memory_map.GLOBALS_LO, memory_map.GLOBALS_HI),
        (memory_map.HEAP_LO, heap_top(ctx)),
    ]
    for lo, hi in ranges:
        yield from _overlaps(lo, hi, readable)


def _overlaps(lo: int, hi: int, ranges: Iterable[Range]) -> Iterator[Range]:
    for first, last in ranges:
        if max(lo, first) < min(hi, last):
            yield (max(lo, first), min(hi, last))
