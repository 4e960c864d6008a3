"""Glue for checks of big units: one piece of assembly each, which costs the code generator little.

    __irsan_compact_read4_both(p, site):

        lea   p, r10
        test  3, r10b            jne  1f    badly aligned
        shr   3, r10
        cmp   0, [r10 + shadow]  jne  1f    not a whole granule
        cmp   0, [ignore_depth]  je   1f    races count
     2:                                     the access
        ...
     1: lea   p, r10                        behind all code of the section
        call  __irsan_asked_read4_both      the whole check
        test  site, eax                     never looked at but by what is called
        jmp   2b

For LLVM such a check is one instruction.  The same questions as IR are some twenty in five blocks:
sqlite3's code takes twice as long to generate with them, and is no faster.

The call is one that LLVM does not know of.  So the function may have no red zone (`outlining.py`
says so), the stack may be aligned to 8 bytes, and all registers but r10 and r11 are kept:

    __irsan_asked_..      uses no vector registers; what it does not know of races goes to
    __irsan_renewed_..    which uses none either, and takes a few steps; all that is left to
    __irsan_saved_..      which aligns the stack, and calls
    __irsan_kept_..       which saves xmm0 to xmm15 around the slow path

Wider registers would not be kept: functions that may use AVX have no compact checks.

Soundness: the same check as checks.py, which asks the same questions first.
"""

from __future__ import annotations

from irsan.engine.glue.checks.check_kernels import READ_RENEWED, WRITE_RENEWED
from irsan.engine.glue.checks.checks import (
    check_lines,
    kernels_of_checks,
    split_operation,
)
from irsan.engine.glue.checks.slow_paths import (
    exact_name,
    renewing_lines,
    slow_kinds,
    slow_name,
)
from irsan.instrument.hooks import HOOKS, SHADOW_OFFSET, Hook
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.memory_map import CONTEXT_SYMBOL
from irsan.runtime.records.context import CONTEXT_DTYPE

_GRANULE_BYTES = 8
_WORDS = ((8, "q"), (4, "l"), (2, "w"), (1, "b"))  # of shadow, by one instruction each
_OPCODE_BYTES = 1  # of `test imm32, eax`
_CLOBBERS = "~{r10},~{r11},~{dirflag},~{fpsr},~{flags}"


def compact_hooks() -> str:
    """Definitions for programs; only inlined they have a site that the assembly can name."""
    return "\n".join(_compact(hook) for hook in _rows())


def compact_routines() -> str:
    """What the assembly calls, in the runtime object."""
    parts = [_asked(hook) for hook in _rows()]
    renewed = [
        _renewed(is_write, size) for tool, is_write, size in slow_kinds() if tool == "thread"
    ]
    saved = (_saved(*kind) for kind in slow_kinds())
    return "\n".join([*parts, *renewed, *saved, "declare ptr @llvm.returnaddress(i32)"])


def kernels_of_routines() -> frozenset[str]:
    """Kernels that must disappear into them, as none of them may use vector registers."""
    renewed = (*READ_RENEWED.values(), *WRITE_RENEWED.values())
    return kernels_of_checks() | frozenset(renewed)


def _rows() -> list[Hook]:
    return [hook for hook in HOOKS.values() if hook.group == "compact"]


def _asked_name(hook: Hook) -> str:
    return hook.name.replace("_compact_", "_asked_")


def _renewed_name(saved_name: str) -> str:
    return saved_name.replace("_saved_", "_renewed_")


def _saved_name(tool: str, is_write: bool, size_bytes: int) -> str:
    return slow_name(tool, is_write, size_bytes).replace("_slow_", "_saved_")


def _compact(hook: Hook) -> str:
    lines = [
        *_questions(hook),
        "2:",
        ".subsection 1",
        "1:",
        "leaq $0, %r10",
        f"callq {_asked_name(hook)}",
        "testl $1, %eax",
        "jmp 2b",
        ".previous",
    ]
    operands = f'"*m,i,{_CLOBBERS}"(ptr elementtype(i8) %p, i32 %site)'
    return (
        f"define void @{hook.name}(ptr %p, i32 %site) alwaysinline nounwind {{\n"
        f"{_assembly(lines, operands)}\nret void\n}}"
    )


def _assembly(lines: list[str], operands: str) -> str:
    text = "\\0A".join(lines)
    return f'call void asm sideeffect "{text}", {operands}'


def _questions(hook: Hook) -> list[str]:
    tool, is_anywhere = split_operation(hook)
    lines = []
    if tool != "thread":
        lines += _address_questions(hook.size_bytes, is_anywhere=is_anywhere)
    if tool != "address":
        depth = field_offset(CONTEXT_DTYPE, "ignore_depth")
        lines += [f"cmpq $$0, {CONTEXT_SYMBOL}+{depth}(%rip)", "je 1f"]
    return lines


def _address_questions(size_bytes: int, *, is_anywhere: bool) -> list[str]:
    lines = ["leaq $0, %r10"]
    low_bits = min(size_bytes, _GRANULE_BYTES) - 1
    if low_bits and not is_anywhere:
        lines += [f"testb $${low_bits}, %r10b", "jne 1f"]
    lines.append("shrq $$3, %r10")
    # Behind the end of 16 bytes and more at a multiple of 8 is one that the whole check leaves out.
    left, offset = -(-size_bytes // _GRANULE_BYTES) + is_anywhere, 0
    while left:
        n_bytes, suffix = next(pair for pair in _WORDS if pair[0] <= left)
        lines += [f"cmp{suffix} $$0, {SHADOW_OFFSET + offset}(%r10)", "jne 1f"]
        left, offset = left - n_bytes, offset + n_bytes
    return lines


def _asked(hook: Hook) -> str:
    """`nest` is r10."""
    head = (
        f"define preserve_allcc void @{_asked_name(hook)}(ptr nest %p)"
        " noinline nounwind noimplicitfloat {"
    )
    return "\n".join([head, *check_lines(hook, _saved_call), "}"])


def _saved_call(tool: str, hook: Hook) -> list[str]:
    """It takes what this one was given, and returns to where this one would."""
    name = _saved_name(tool, hook.is_write, hook.size_bytes)
    call = _same_call(_renewed_name(name) if tool == "thread" else name)
    return [f"musttail call {call}", "ret void"]


def _same_call(name: str) -> str:
    return f"preserve_allcc void @{name}(ptr nest %p)"


def _renewed(is_write: bool, size_bytes: int) -> str:
    """What a cell takes in a few steps is done at once."""
    saved = _saved_name("thread", is_write, size_bytes)
    return "\n".join(
        [
            f"define {_same_call(_renewed_name(saved))} noinline nounwind noimplicitfloat {{",
            "%behind = call ptr @llvm.returnaddress(i32 0)",
            f"%operand = getelementptr i8, ptr %behind, i64 {_OPCODE_BYTES}",
            "%given = load i32, ptr %operand, align 1",
            "%a = ptrtoint ptr %p to i64",
            *renewing_lines(is_write, size_bytes, _same_call(saved)),
        ]
    )


def _saved(tool: str, is_write: bool, size_bytes: int) -> str:
    """The site is the operand of the instruction behind the call in the program."""
    exact = exact_name(tool, is_write, size_bytes)
    saved = _saved_name(tool, is_write, size_bytes)
    kept = saved.replace("_saved_", "_kept_")
    assembly = _assembly(_aligned_call(kept), '""()')
    return (
        f"define preserve_allcc void @{saved}(ptr nest %p) naked noinline cold nounwind {{\n"
        f"{assembly}\nunreachable\n}}\n"
        f"define preserve_allcc void @{kept}(i64 %a, i32 %site) noinline cold nounwind {{\n"
        f"call preserve_mostcc void @{exact}(i64 %a, i32 %site)\nret void\n}}"
    )


def _aligned_call(name: str) -> list[str]:
    return [
        "pushq %rbp",
        "movq %rsp, %rbp",
        "pushq %rdi",
        "pushq %rsi",
        "movq 8(%rbp), %rsi",
        f"movl {_OPCODE_BYTES}(%rsi), %esi",
        "movq %r10, %rdi",
        "andq $$-16, %rsp",
        f"callq {name}",
        "leaq -16(%rbp), %rsp",
        "popq %rsi",
        "popq %rdi",
        "popq %rbp",
        "retq",
    ]
