"""Machine code that changes stacks: text for the runtime object, and first stacks made in Python.

A stack that is not running is one number, its stack pointer, above which lies

    sp + 0   mxcsr u32, x87 control word u16     + 8   r15    + 16  r14    + 24  r13
    sp + 32  r12        + 40  rbx                + 48  rbp    + 56  return address

A fresh stack returns into `irsan_first_frame`, which calls `rbx(r12)`; its unwind information says
that there is no caller, so that an uncaught exception ends in `std::terminate`.

Source: the System V ABI for x86-64, section 3.2 (registers a callee saves, stack alignment).
"""

from __future__ import annotations

import ctypes
from typing import Final

SAVED_BYTES: Final = 64
SAVED_BP_OFFSET: Final = 48
DEFAULT_MXCSR: Final = 0x1F80
DEFAULT_X87_CONTROL: Final = 0x037F
_FIRST_FLAGS: Final = DEFAULT_X87_CONTROL << 32 | DEFAULT_MXCSR

_SAVED_REGISTERS: Final = ("rbp", "rbx", "r12", "r13", "r14", "r15")
# Cleared, so that a register dump in a report never shows what the host left in them.
_CLEARED_REGISTERS: Final = ("eax", "ecx", "edx", "esi", "edi", "r8d", "r9d", "r10d", "r11d")


def switch_text() -> str:
    """LLVM text of `irsan_switch`, `irsan_switch_restore`, `irsan_prepare_stack`.

    void irsan_switch(ptr slot, i64 sp): save this stack's pointer in *slot, go on where `sp` left.
    irsan_switch_restore: its second half; entered with rsp = a saved stack pointer.
    i64 irsan_prepare_stack(i64 hi, ptr entry, ptr argument): a stack that will call
    entry(argument); `hi` is its end (16-aligned, exclusive); the result is its stack pointer.
    """
    lines = "\n".join(f'module asm "{line}"' for line in _switch_assembly())
    stores = "\n".join(_prepare_lines())
    return f"""
{lines}
declare void @irsan_first_frame()
define i64 @irsan_prepare_stack(i64 %hi, ptr %entry, ptr %argument) {{
  %top = sub i64 %hi, 16
  %sp = sub i64 %top, {SAVED_BYTES}
  %base = inttoptr i64 %sp to ptr
{stores}
  ret i64 %sp
}}
"""


def prepare_stack(first_frame: int, hi: int, entry: int, argument: int = 0) -> int:
    """The same as `irsan_prepare_stack`, from Python; `first_frame` = address of that symbol."""
    if hi % 16:
        raise ValueError(f"the end of a stack must be 16-aligned, not {hi:#x}")
    sp = hi - 16 - SAVED_BYTES
    words = (ctypes.c_uint64 * 10).from_address(sp)
    words[:] = [_FIRST_FLAGS, 0, 0, 0, argument, entry, 0, first_frame, 0, 0]
    return sp


def _switch_assembly() -> list[str]:
    offsets = {"rbp": -16, "rbx": -24, "r12": -32, "r13": -40, "r14": -48, "r15": -56}
    saved = [f".cfi_offset %{name}, {offset}" for name, offset in offsets.items()]
    pushes = [
        line
        for depth, name in enumerate(_SAVED_REGISTERS, 2)
        for line in (f"pushq %{name}", f".cfi_def_cfa_offset {8 * depth}", saved[depth - 2])
    ]
    pops = [
        line
        for depth, name in zip(range(7, 1, -1), _SAVED_REGISTERS[::-1], strict=True)
        for line in (f"popq %{name}", f".cfi_def_cfa_offset {8 * (depth - 1)}")
    ]
    return [
        ".text",
        *_function("irsan_switch"),
        *pushes,
        "subq $8, %rsp",
        ".cfi_def_cfa_offset 64",
        "stmxcsr (%rsp)",
        "fnstcw 4(%rsp)",
        "movq %rsp, (%rdi)",
        "movl (%rsp), %eax",
        "movzwl 4(%rsp), %ecx",
        "movq %rsi, %rsp",
        "cmpl (%rsp), %eax",  # loading control words is slow, and they hardly ever differ
        "jne irsan_switch_restore",
        "cmpw 4(%rsp), %cx",
        "je .Lirsan_switch_pop",
        ".globl irsan_switch_restore",
        "irsan_switch_restore:",
        "ldmxcsr (%rsp)",
        "fldcw 4(%rsp)",
        ".Lirsan_switch_pop:",
        "addq $8, %rsp",
        ".cfi_def_cfa_offset 56",
        *pops,
        *[f"xorl %{name}, %{name}" for name in _CLEARED_REGISTERS],
        "ret",
        *_end("irsan_switch"),
        *_function("irsan_first_frame"),
        ".cfi_undefined rip",
        "movq %r12, %rdi",
        "xorl %ebp, %ebp",
        "callq *%rbx",
        "ud2",
        *_end("irsan_first_frame"),
    ]


def _function(name: str) -> list[str]:
    return [
        ".p2align 4",
        f".globl {name}",
        f".type {name}, @function",
        f"{name}:",
        ".cfi_startproc",
    ]


def _end(name: str) -> list[str]:
    return [".cfi_endproc", f".size {name}, .-{name}"]


def _prepare_lines() -> list[str]:
    words = [
        f"i64 {_FIRST_FLAGS}", "i64 0", "i64 0", "i64 0", "ptr %argument", "ptr %entry", "i64 0",
        "ptr @irsan_first_frame", "i64 0", "i64 0",
    ]  # fmt: skip
    lines = []
    for index, word in enumerate(words):
        lines.append(f"  %at{index} = getelementptr i64, ptr %base, i64 {index}")
        lines.append(f"  store {word}, ptr %at{index}")
    return lines
