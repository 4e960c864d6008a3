"""Variables of the sanitizers' run-times that instrumented code reads.

__asan_option_detect_stack_use_after_return   1: ask for a fake frame; the answer may be 0
__asan_shadow_memory_dynamic_address          shadow = (address >> 3) + this, in the arena
__ubsan_vptr_type_cache                       hashes of vptr and type that are known to be right
"""

from __future__ import annotations

from irsan.runtime.layout import memory_map


def variable_glue() -> str:
    """LLVM text of the definitions."""
    bias = memory_map.ASAN_SHADOW - (memory_map.ARENA_LO >> 3)
    return "\n".join(
        [
            "@__asan_option_detect_stack_use_after_return = global i32 1",
            f"@__asan_shadow_memory_dynamic_address = global i64 {bias}",
            "@__ubsan_vptr_type_cache = global [128 x i64] zeroinitializer",
        ]
    )
