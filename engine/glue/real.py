"""Glue for interceptors that check, and leave the work to the host's own function.

    then_real    again:  ctx.routine = number; go = kernel(first arguments); act, maybe again
                 done:   ctx.routine = 0; go ? __irsan_real_<name>(arguments) : zero
                 (a kernel of type i64: v = kernel(...); v == REAL_ANSWERS ? ... : v)

    before       ask:    ctx.routine = number; kernel(first arguments); act, maybe ask again
                 a handler has ended the wait ?  return -1  :  what real_first does

    counted      n = kernel(descriptor, bytes asked for): what the host's function is asked for

    real_first   ctx.routine = number; value = __irsan_real_<name>(arguments)
                 again:  ctx.routine = number; kernel(value, first arguments); act, maybe again
                 done:   ctx.routine = 0; return value

    instead      move:   ctx.routine = number; value = kernel(arguments); act, maybe move again
                 in the place of the host's function, in real_first

A kernel takes as many of the arguments as it has, or those that the export names, and then the
export's constants, so one kernel serves many functions.  A va_list that the real function uses up
is a copy of the one that the kernel walks.  In the
first shape no routine is in progress while the real function runs, because it may call back into
the guest (qsort); in the second one is, so that a native fault in strlen says so.
"""

from __future__ import annotations

from typing import Any

from irsan.engine.glue.call_costs import cost_lines
from irsan.engine.glue.text import (
    LIKELY,
    LLVM_TYPES,
    VA_LISTS,
    as_kernel_argument,
    context_field,
    open_va_list,
    parameter_list,
)
from irsan.engine.glue.unsafe_calls import unsafe_lines
from irsan.engine.glue.weak_hooks import told_lines
from irsan.errors import InternalError
from irsan.interceptors.registry import REAL_ANSWERS, Export

_ZEROS = {"ptr": "null", "f32": "0.0", "f64": "0.0", "f80": "0xK00000000000000000000"}
_COUNT = 2  # the argument that says how many bytes are asked for
_NO_WORD = ("void", "f32", "f64", "f80")


def then_real_export(export: Export, number: int, kernel: Any) -> str:
    """`__interceptor_<name>` that asks the kernel, then calls the host's function."""
    lines, operands = kernel_operands(export, kernel, first=0)
    value = "" if export.result == "void" else "%real = "
    asked, test, answer = "i8", "icmp eq i8 %v, 0", _ZEROS.get(export.result, "0")
    if kernel.return_type == "i64":
        asked, test, answer = "i64", f"icmp ne i64 %v, {REAL_ANSWERS}", "%v"
    return "\n".join(
        [
            *_head(export, number), *lines, "br label %again",
            *_asked(number, f"%v = call {asked} @k.{export.kernel}({operands})"),
            f"%refused = {test}",
            "br i1 %refused, label %refuse, label %go",
            "go:", f"{value}{_real_call(export)}", *told_lines(export, "%real"),
            _return(export.result, "%real"),
            "refuse:", _return(export.result, answer), "}",
        ]
    )  # fmt: skip


def real_first_export(
    export: Export, number: int, kernel: Any, before: Any = None, instead: Any = None
) -> str:
    """`__interceptor_<name>` that calls the host's function, then shows the kernel its result.

    before: the kernel that waits until the host's function would not block, if there is one.
    instead: the kernel that stands for the host's function, if there is one.
    """
    has_word = export.result not in _NO_WORD
    lines, operands = kernel_operands(export, kernel, first=int(has_word))
    if has_word:
        wanted = next(kind for kind in kernel.argument_types if kind != "ctx")
        more, operand = _as_wanted(export, export.result, wanted, "%real", "%word")
        lines, operands = lines + more, ", ".join([operand, *([operands] if operands else [])])
    value = "" if export.result == "void" else "%real = "
    return "\n".join(
        [
            *_head(export, number), *_copied_va_lists(export),
            *_asked_before(export, number, before),
            *_ended_before(export, before),
            *_counted(export), *_moved(export, number, value, instead), *lines,
            "br label %again",
            *_asked(number, f"call void @k.{export.kernel}({operands})"),
            _return(export.result, "%real"), "}",
        ]
    )  # fmt: skip


def _counted(export: Export) -> list[str]:
    """How many bytes the host's function is asked for, in place of the third argument."""
    if not export.counted:
        return []
    return [f"%count = call i64 @k.{export.counted}(i32 %a0, i64 %a{_COUNT})"]


def _moved(export: Export, number: int, value: str, instead: Any) -> list[str]:
    """The work itself, by the host's function or by the kernel that stands for it."""
    if instead is None:
        return [_enter(number), f"{value}{_real_call(export, '%c')}"]
    lines, operands = kernel_operands(export, instead, first=0, prefix="%m")
    return [
        *lines, "br label %move", "move:", _enter(number),
        f"{value}call {LLVM_TYPES[export.result]} @k.{export.instead}({operands})",
        f"%move.act = load i32, {context_field('action')}",
        "%move.quiet = icmp eq i32 %move.act, 0",
        f"br i1 %move.quiet, label %moved, label %moving, !prof {LIKELY}",
        "moving:", "%move.verdict = call i32 @__irsan_act()",
        "%move.again = icmp eq i32 %move.verdict, 1",
        "br i1 %move.again, label %move, label %moved",
        "moved:",
    ]  # fmt: skip


def _asked_before(export: Export, number: int, kernel: Any) -> list[str]:
    if kernel is None:
        return []
    lines, operands = kernel_operands(export, kernel, first=0, prefix="%b")
    return [
        *lines, "br label %ask", "ask:", _enter(number),
        f"call void @k.{export.before}({operands})",
        f"%ask.act = load i32, {context_field('action')}",
        "%ask.quiet = icmp eq i32 %ask.act, 0",
        f"br i1 %ask.quiet, label %go, label %asking, !prof {LIKELY}",
        "asking:", "%ask.verdict = call i32 @__irsan_act()",
        "%ask.again = icmp eq i32 %ask.verdict, 1",
        "br i1 %ask.again, label %ask, label %go",
        "go:",
    ]  # fmt: skip


def _ended_before(export: Export, kernel: Any) -> list[str]:
    """A handler has ended the wait: -1, and errno is EINTR already (kernels/threads/waiting.py)."""
    if kernel is None or export.result not in ("i32", "i64"):
        return []
    return [
        f"%ends = load i64, {context_field('outside.call_ends')}",
        "%goes = icmp eq i64 %ends, 0",
        f"br i1 %goes, label %call, label %ended, !prof {LIKELY}",
        "ended:", f"store i64 0, {context_field('outside.call_ends')}",
        f"store i32 0, {context_field('routine')}", _return(export.result, "-1"), "call:",
    ]  # fmt: skip


def kernel_operands(
    export: Export, kernel: Any, first: int, prefix: str = "%k"
) -> tuple[list[str], str]:
    """Lines and operands that pass the C arguments to a kernel's parameters from `first` on."""
    wanted = [kind for kind in kernel.argument_types if kind != "ctx"][first:]
    constants = export.constants if kernel.name == export.kernel else ()
    takes = export.takes if kernel.name == export.kernel else ()
    n_arguments = len(wanted) - len(constants)
    lines: list[str] = []
    operands: list[str] = []
    numbers = takes or range(n_arguments)
    for name, number in zip(wanted[:n_arguments], numbers, strict=True):
        kind = export.arguments[number]
        more, operand = _as_wanted(export, kind, name, f"%a{number}", f"{prefix}{number}")
        lines += more
        operands.append(operand)
    kinds = wanted[n_arguments:]
    operands += [f"{LLVM_TYPES[k]} {c}" for k, c in zip(kinds, constants, strict=True)]
    return lines, ", ".join(operands)


def _as_wanted(
    export: Export, kind: str, wanted: str, register: str, name: str
) -> tuple[list[str], str]:
    """A C argument as a kernel's parameter; an int may become a word."""
    if kind == "i32" and LLVM_TYPES[wanted] == "i64":
        return [f"{name} = sext i32 {register} to i64"], f"i64 {name}"
    lines, operand = as_kernel_argument(kind, register, name)
    if not operand.startswith(LLVM_TYPES[wanted] + " "):
        raise InternalError(f"{export.name}: {export.kernel} takes {wanted}, not {kind}")
    return lines, operand


def _real_name(export: Export) -> str:
    if export.real.startswith("irsan_"):
        return f"@{export.real}"
    return f"@__irsan_real_{export.real or export.name}"


def _head(export: Export, number: int) -> list[str]:
    result = LLVM_TYPES[export.result]
    kinds = ", ".join(LLVM_TYPES[kind] for kind in export.arguments)
    declared = [f"declare extern_weak {result} {_real_name(export)}({kinds})"]
    declared = [] if export.real else declared
    return [
        *declared,
        f"define {result} @__interceptor_{export.name}({parameter_list(export.arguments)}) {{",
        "entry:",
        *open_va_list(export.arguments),
        *cost_lines(export),
        *unsafe_lines(export, number),
    ]


def _asked(number: int, call: str) -> list[str]:
    return [
        "again:",
        _enter(number),
        call,
        f"%act = load i32, {context_field('action')}",
        "%quiet = icmp eq i32 %act, 0",
        f"br i1 %quiet, label %done, label %acting, !prof {LIKELY}",
        "acting:",
        "%verdict = call i32 @__irsan_act()",
        "%is.again = icmp eq i32 %verdict, 1",
        "br i1 %is.again, label %again, label %done",
        "done:",
        f"store i32 0, {context_field('routine')}",
    ]


def _real_call(export: Export, register: str = "%a") -> str:
    names = [
        f"{register if kind in VA_LISTS else '%a'}{i}" for i, kind in enumerate(export.arguments)
    ]
    if export.counted:
        names[_COUNT] = "%count"
    passed = ", ".join(
        f"{LLVM_TYPES[kind]} {name}" for kind, name in zip(export.arguments, names, strict=True)
    )
    return f"call {LLVM_TYPES[export.result]} {_real_name(export)}({passed})"


def _copied_va_lists(export: Export) -> list[str]:
    """Lines that make registers %c<i>: the va_lists that the real function may use up."""
    lines = []
    for i, kind in enumerate(export.arguments):
        if kind in VA_LISTS:
            lines += [
                f"%c{i} = alloca [24 x i8], align 16",
                f"call void @llvm.va_copy.p0(ptr %c{i}, ptr %a{i})",
            ]
    return lines


def _enter(number: int) -> str:
    return f"store i32 {number}, {context_field('routine')}"


def _return(result: str, value: str) -> str:
    return "ret void" if result == "void" else f"ret {LLVM_TYPES[result]} {value}"
