"""Glue for leak searches: where the caller stands.

    exit, __lsan_do_leak_check, ...   machine code: keep stack pointer and registers of the caller
                                      (runtime/records/memory/leak_records.py), then go on in
                                      LLVM text (templates/program/leaks.ll, program.ll)

The block is written before any prologue, so what counts as the caller's stack holds no word of
ours, and a register that the caller keeps a pointer in is where the caller left it.
"""

from __future__ import annotations

from irsan.runtime.records.memory import leak_records as lr


def leak_glue() -> str:
    """LLVM text of the entries."""
    return "\n".join(
        [
            _entry("__interceptor_exit", lr.AT_EXIT_CALLER, "__irsan_exit"),
            _entry("__lsan_do_leak_check", lr.ON_DEMAND_CALLER, "__irsan_search_or_end"),
            _entry(
                "__lsan_do_recoverable_leak_check",
                lr.ON_DEMAND_CALLER,
                "__irsan_search_and_go_on",
            ),
        ]
    )


def _entry(name: str, block: int, target: str) -> str:
    """A function that fills a caller's block and goes on as `target`."""
    stores = [
        f"movq %{register}, {8 * index}(%r11)"
        for index, register in enumerate(lr.CALLER_REGISTERS, start=1)
    ]
    lines = [
        ".text", ".p2align 4", f".globl {name}", f".type {name}, @function", f"{name}:",
        f"movabsq ${block}, %r11", "leaq 8(%rsp), %r10", "movq %r10, (%r11)", *stores,
        f"jmp {target}", f".size {name}, .-{name}",
    ]  # fmt: skip
    return "\n".join(f'module asm "{line}"' for line in lines)
