"""What flags say before a program starts: the layout of its memory, and pauses for a debugger.

    verbosity=1           the ranges of the arena, the sizes that shape the heap, the shadow mapping
    sleep_before_init     says so and waits; so does sleep_after_init

Source: LLVM's asan_rtl.cpp (PrintAddressSpaceLayout) for the words.
Deviation: the thread-local quarantine is printed only as what was asked for: one quarantine serves
all threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from irsan.runtime.flags.flags import Flags
from irsan.runtime.layout import memory_map, options

_GRANULE_BITS: Final = 3


def memory_layout(flags: Flags, words: Mapping[int, int]) -> list[str]:
    """Lines about the run's memory; `words` are the options that kernels read."""
    local_kib = flags.asan.get_int("thread_local_quarantine_size_kb")
    asked = f"thread_local_quarantine_size_kb={local_kib}K (one quarantine serves all threads)"
    return [
        *(_range(name, lo, size) for name, lo, size in _RANGES),
        f"redzone={words[options.MIN_REDZONE_BYTES]}",
        f"max_redzone={words[options.MAX_REDZONE_BYTES]}",
        f"quarantine_size_mb={words[options.QUARANTINE_BYTES] >> 20}M",
        *([asked] if local_kib >= 0 else []),
        f"malloc_context_size={words[options.MALLOC_CONTEXT_SIZE]}",
        f"SHADOW_SCALE: {_GRANULE_BITS}",
        f"SHADOW_GRANULARITY: {1 << _GRANULE_BITS}",
        f"SHADOW_OFFSET: {memory_map.SHADOW_OFFSET:#x}",
    ]


_RANGES: Final = (
    ("program", memory_map.ARENA_LO, memory_map.GLOBALS_HI - memory_map.ARENA_LO),
    ("stacks", memory_map.STACKS_LO, memory_map.STACKS_HI - memory_map.STACKS_LO),
    ("heap", memory_map.HEAP_LO, memory_map.HEAP_HI - memory_map.HEAP_LO),
    ("shadow", memory_map.ASAN_SHADOW, memory_map.ASAN_SHADOW_SIZE),
    ("tables", memory_map.TABLES, memory_map.TABLES_SIZE),
    ("call stacks", memory_map.CALL_STACKS, memory_map.CALL_STACKS_SIZE),
)


def _range(name: str, lo: int, size_bytes: int) -> str:
    return f"|| `[{lo:#014x}, {lo + size_bytes - 1:#014x}]` || {name:<7} ||"
