"""What flags add around a report: statistics, the module map, the system log, a pause.

    print_stats, atexit   counts of the allocator, after a report and at the end
    print_module_map      the files mapped with code: 1 at the end, 2 after each report
    log_to_syslog         the text of each report goes to the system log, too
    sleep_*               seconds to wait, so that a debugger can be attached

Source: LLVM's asan_stats.cpp and sanitizer_linux_libcdep.cpp for the words.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, Final

from irsan.runtime.flags.flags import Flags
from irsan.runtime.layout import memory_map
from irsan.runtime.process_files import read_maps
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.views.heap_view import live_chunks

_MIB: Final = 1 << 20
_CODE_PERMISSIONS: Final = "x"


def allocator_statistics(ctx: Any) -> list[str]:
    """Lines that count allocations, frees, and the mappings."""
    heap = ctx["heap"]
    n_allocated, n_freed = int(heap["sequence"]), int(heap["n_freed"])
    held = int(heap["quarantine_used_bytes"])
    mapped = int(heap["units"]) << hr.UNIT_BITS
    live = int(heap["live_bytes"])
    return [
        f"Stats: {n_allocated} calls of malloc, {n_freed} calls of free",
        f"Stats: {live >> 20}M ({live} bytes) live in {int(heap['n_live'])} blocks, "
        f"at most {int(heap['peak_bytes']) >> 20}M",
        f"Stats: {held >> 20}M ({held} bytes) in quarantine",
        f"Stats: {mapped >> 20}M mapped for the heap; {int(heap['n_refused'])} requests refused",
    ]


def module_map(program: str) -> list[str]:
    """Lines of the files that are mapped with code, the program first."""
    lines = [
        "Process module map follows:",
        f"\t{memory_map.PROGRAM_CODE_LO:#014x}-{memory_map.PROGRAM_CODE_HI:#014x}\t{program}",
    ]
    for row in read_maps().splitlines():
        place, permissions, *rest = row.split(maxsplit=5)
        if _CODE_PERMISSIONS in permissions and len(rest) == 4 and rest[3].startswith("/"):
            lo, hi = (int(word, 16) for word in place.split("-"))
            lines.append(f"\t{lo:#014x}-{hi:#014x}\t{rest[3]}")
    return [*lines, "End of module map."]


def memory_profile(ctx: Any, top_percent: int, max_contexts: int) -> list[tuple[str, int]]:
    """(headline, stack id) of the allocation stacks that hold the most live bytes, largest first.

    The first entry is the total, with no stack.  As many as make `top_percent` of the bytes, at
    most `max_contexts`.
    """
    held: dict[int, tuple[int, int]] = {}
    for chunk in live_chunks(ctx):
        n_bytes, n_blocks = held.get(chunk.alloc_stack, (0, 0))
        held[chunk.alloc_stack] = (n_bytes + chunk.size_bytes, n_blocks + 1)
    total = sum(n_bytes for n_bytes, _ in held.values())
    n_chunks = sum(n_blocks for _, n_blocks in held.values())
    found = [
        (
            f"Live Heap Allocations: {total} bytes in {n_chunks} chunks; showing top {top_percent}%"
            f" (at most {max_contexts} unique contexts)",
            0,
        )
    ]
    shown = 0
    ordered = sorted(held.items(), key=lambda item: (-item[1][0], item[0]))
    for stack_id, (n_bytes, n_blocks) in ordered[:max_contexts]:
        if shown * 100 >= total * top_percent:
            break
        shown += n_bytes
        share = n_bytes * 100 // max(total, 1)
        found.append((f"{n_bytes} byte(s) ({share}%) in {n_blocks} allocation(s)", stack_id))
    return found


def log_to_system(text: str) -> None:
    """Put a report into the system log, a line each."""
    import syslog  # only a run with log_to_syslog=1 needs it

    for line in text.splitlines():
        if line:
            syslog.syslog(syslog.LOG_INFO, line)


def sleep_for(flags: Flags, name: str, write: Callable[[str], None]) -> None:
    """Say so and wait as many seconds as the flag says."""
    seconds = flags.asan.get_int(name)
    if seconds > 0:
        when = name.removeprefix("sleep_").replace("_", " ")
        write(f"=={os.getpid()}==Sleeping for {seconds} second(s) {when}\n")
        time.sleep(seconds)
