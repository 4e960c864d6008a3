"""Glue for interceptors: each exported C symbol calls its kernel or asks the host.

    again:  ctx.routine = number of the export
            value = kernel(arguments)
            ctx.action == NONE ?  ->  done
            __irsan_act(): report, let others run, or ask the host; 1 = again, 2 = host's value
    done:   ctx.routine = 0; return value
            (throws: no value -> __irsan_refused_new(), which throws or lets try again;
            operator new(nothrow): __irsan_refused_nothrow_new(), which lets try again or not)

`then_real` and `real_first` exports call the host's own function as well: real.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from irsan.engine.glue.call_costs import cost_lines
from irsan.engine.glue.real import real_first_export, then_real_export
from irsan.engine.glue.text import (
    LIKELY,
    LLVM_TYPES,
    UNLIKELY,
    as_kernel_argument,
    context_field,
    open_va_list,
    parameter_list,
    return_value,
)
from irsan.engine.glue.unsafe_calls import unsafe_lines
from irsan.engine.glue.weak_hooks import RETURN_ADDRESS, begun_lines, told_lines
from irsan.interceptors.registry import Export
from irsan.runtime.layout.events import ERRNO_WORD, HOST_CALL

_HOST_ARGUMENT_LIMIT = ERRNO_WORD


def export_glue(exports: Iterable[Export], kernels: Mapping[str, Any]) -> str:
    """LLVM text defining `__interceptor_<name>` for every export; numbers count from 1."""
    parts = ["declare void @llvm.va_start.p0(ptr)", "declare void @llvm.va_copy.p0(ptr, ptr)"]
    parts.append(RETURN_ADDRESS)
    for number, export in enumerate(exports, start=1):
        if export.then_real:
            parts.append(then_real_export(export, number, kernels[export.kernel]))
        elif export.real_first:
            around = kernels.get(export.before), kernels.get(export.instead)
            parts.append(real_first_export(export, number, kernels[export.kernel], *around))
        elif export.kernel:
            parts.append(_kernel_export(export, number, kernels[export.kernel]))
        else:
            parts.append(_host_export(export, number))
    return "\n".join(parts)


def _signature(export: Export) -> str:
    result = LLVM_TYPES[export.result]
    return f"define {result} @__interceptor_{export.name}({parameter_list(export.arguments)})"


def _kernel_export(export: Export, number: int, kernel: Any) -> str:
    lines, operands = open_va_list(export.arguments), []
    for i, kind in enumerate(export.arguments):
        more, operand = as_kernel_argument(kind, f"%a{i}", f"%k{i}")
        lines += more
        operands.append(operand)
    operands += _constant_operands(export, kernel)
    kernel_result = LLVM_TYPES[kernel.return_type]
    call = f"call {kernel_result} @k.{export.kernel}({', '.join(operands)})"
    value = "" if kernel_result == "void" else "%v"
    body = [f"{value} = {call}" if value else call]
    if export.quick:
        tail = return_value(export.result, kernel.return_type, value)
        body = [*lines, *_enter(export, number), *body, *_leave(), *tail]
        return "\n".join([_signature(export) + " {", *body, "}"])
    final = value if export.result == "void" else "%final"
    done = [] if export.result == "void" else _merge(kernel.return_type, value)
    text = [
        _signature(export) + " {",
        "entry:", *lines, *cost_lines(export), *begun_lines(export),
        *unsafe_lines(export, number), "br label %again",
        "again:", *_enter(export, number), *body, *_test_action(),
        *_act_blocks(kernel.return_type),
        "done:", *done, *_leave(), *_refused(export),
        *told_lines(export, final), *return_value(export.result, kernel.return_type, final), "}",
    ]  # fmt: skip
    return "\n".join(text)


def _refused(export: Export) -> list[str]:
    if "RKSt9nothrow_t" in export.name and export.result == "ptr":
        return [
            "%is.refused = icmp eq i64 %final, 0",
            f"br i1 %is.refused, label %refused, label %granted, !prof {UNLIKELY}",
            "refused:", "%once.more = call i1 @__irsan_refused_nothrow_new()",
            "br i1 %once.more, label %again, label %granted",
            "granted:",
        ]  # fmt: skip
    if not export.throws:
        return []
    return [
        "%is.refused = icmp eq i64 %final, 0",
        f"br i1 %is.refused, label %refused, label %granted, !prof {UNLIKELY}",
        "refused:", "call void @__irsan_refused_new()", "br label %again",
        "granted:",
    ]  # fmt: skip


def _merge(kernel_return: str, value: str) -> list[str]:
    kind = LLVM_TYPES[kernel_return]
    return [f"%final = phi {kind} [ {value}, %again ], [ {value}, %acted ], [ %host.value, %host ]"]


def _constant_operands(export: Export, kernel: Any) -> list[str]:
    """The export's constants, in the types of the kernel's last parameters."""
    if not export.constants:
        return []
    kinds = kernel.argument_types[-len(export.constants) :]
    return [
        f"{LLVM_TYPES[kind]} {value}" for kind, value in zip(kinds, export.constants, strict=True)
    ]


def _enter(export: Export, number: int) -> list[str]:
    if export.is_hook:
        return []
    return [f"store i32 {number}, {context_field('routine')}"]


def _leave() -> list[str]:
    return [f"store i32 0, {context_field('routine')}"]


def _test_action() -> list[str]:
    return [
        f"%act = load i32, {context_field('action')}",
        "%quiet = icmp eq i32 %act, 0",
        f"br i1 %quiet, label %done, label %acting, !prof {LIKELY}",
    ]


def _act_blocks(kernel_return: str) -> list[str]:
    return [
        "acting:",
        "%verdict = call i32 @__irsan_act()",
        "%is.again = icmp eq i32 %verdict, 1",
        "br i1 %is.again, label %again, label %acted",
        "acted:",
        "%is.host = icmp eq i32 %verdict, 2",
        "br i1 %is.host, label %host, label %done",
        "host:",
        f"%host.word = load i64, {context_field('event.result')}",
        *_host_value(kernel_return),
        "br label %done",
    ]


def _host_value(kernel_return: str) -> list[str]:
    kind = LLVM_TYPES[kernel_return]
    if kind == "void":
        return []
    if kind == "i64":
        return ["%host.value = add i64 %host.word, 0"]
    return [f"%host.value = trunc i64 %host.word to {kind}"]


def _host_export(export: Export, number: int) -> str:
    if len(export.arguments) > _HOST_ARGUMENT_LIMIT:
        raise ValueError(f"{export.name}: more than {_HOST_ARGUMENT_LIMIT} arguments")
    store = []
    for i, kind in enumerate(export.arguments):
        store += _store_event_argument(i, kind)
    result = return_value(export.result, "u64", "%v")
    return "\n".join(
        [
            _signature(export) + " {",
            "entry:", *_unless_told(export),
            "again:", *_enter(export, number), *store,
            f"store i64 {HOST_CALL}, {context_field('event.number')}",
            f"store i64 {number}, {context_field('event.routine')}",
            f"store i64 0, {context_field('event.args', ERRNO_WORD)}",
            "call void @__irsan_to_host()",
            "call void @__irsan_leave_errno()",
            f"%v = load i64, {context_field('event.result')}",
            *_test_action(),
            "acting:",
            "%verdict = call i32 @__irsan_act()",
            "%is.again = icmp eq i32 %verdict, 1",
            "br i1 %is.again, label %again, label %done",
            "done:", *_leave(), *result, "}",
        ]
    )  # fmt: skip


def _unless_told(export: Export) -> list[str]:
    """Lines up to the label `again`: the host is not asked when the place says that it was
    reported.
    """
    if not export.told_at:
        return ["br label %again"]
    argument, offset = export.told_at
    return [
        f"%told.at = getelementptr i8, ptr %a{argument}, i64 {offset}",
        "%told = load i32, ptr %told.at, align 4",
        "%is.told = icmp eq i32 %told, -1",
        "br i1 %is.told, label %known, label %again",
        "known:", "ret void",
    ]  # fmt: skip


def _store_event_argument(index: int, kind: str) -> list[str]:
    target = context_field("event.args", index)
    register, llvm_type = f"%a{index}", LLVM_TYPES[kind]
    if kind in ("ptr", "u64", "i64", "f64"):
        return [f"store {llvm_type} {register}, {target}"]
    extend = "sext" if kind == "i32" else "zext"
    return [
        f"%e{index} = {extend} {llvm_type} {register} to i64",
        f"store i64 %e{index}, {target}",
    ]
