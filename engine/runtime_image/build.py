"""Build the runtime once: every kernel and the glue, as one object file and one inlining module.

What comes out: image.py.  It runs in a process of its own (runtime_maker.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.target import TRIPLE, optimise, target_machine
from irsan.runtime.layout.memory_map import CONTEXT_ADDR, CONTEXT_SIZE, CONTEXT_SYMBOL

_ALIAS_SCOPES = re.compile(r", !(?:noalias|alias\.scope) !\d+")
_SCOPE_NODE = re.compile(r"!\d+ = (?:distinct )?!\{!\d+[,}]")

# Kernels that Python calls on the host's stack, through `irsan_k_<name>`.
HOST_KERNELS = (
    "heap_allocate",
    "heap_free",
    "make_runnable",
    "wake_thread",
    "child_begun",
    "hold_back",
    "catch_up",
    "wake_expired",
    "is_shared_memory",
    "read",
    "leave_runnable",
    "schedule_next",
    "post_signal",
    "switch_threads",
    "load_thread",
    "save_thread",
    "callstack_init",
    "current_stack_id",
    "frame_stack_id",
    "depot_put",
    "poison_range",
    "unpoison_range",
    "add_exit_handler",
    "race_range",
    "race_forget",
    "race_start",
    "thread_join_edge",
    "new_thread",
    "prepare_first_frame",
    "begin_exploring",
    "heap_init",
    "guarded_recover",
    "leak_begin",
    "leak_scan",
    "leak_flood",
    "leak_indirect",
    "stop_asking",
)


def link_runtime(kernels: dict[str, Any], progress: Callable[[str], None]) -> RuntimeImage:
    """Link kernels that are texts with the glue, optimise, emit."""
    from irsan.interceptors.registry import host_exports, kernel_exports

    exports = [*kernel_exports(), *host_exports()]
    machine = target_machine()
    progress("linking and optimising")
    module = _whole_module(kernels, exports, machine)
    hot = _hot_module(kernels, machine)
    routines = tuple(
        {
            "number": n,
            "name": e.name,
            "kernel": e.kernel,
            "host": e.host,
            "arguments": [*e.arguments],
        }
        for n, e in enumerate(exports, start=1)
    )
    progress("generating machine code")
    return RuntimeImage(machine.emit_object(module), hot, routines)


def _whole_module(kernels: dict[str, Any], exports: list[Any], machine: Any) -> Any:
    from irsan.engine.glue import exports as glue_exports
    from irsan.engine.glue import gomp, leaks, native_threads, openmp, soft_floats
    from irsan.engine.glue.checks import atomics, compact, hooks, outlined
    from irsan.engine.glue.templates import INLINED, join, names, template
    from irsan.engine.runtime_image.kernel_link import kernel_wrappers

    parts = [
        kernel_wrappers(kernels),
        hooks.hot_hooks(),
        hooks.access_hooks(),
        outlined.outlined_hooks(),
        compact.compact_routines(),
        atomics.atomic_hooks(),
        leaks.leak_glue(),
        native_threads.native_thread_glue(),
        openmp.openmp_glue(exports),
        gomp.gomp_glue(),
        glue_exports.export_glue(exports, kernels),
        _host_kernel_wrappers(kernels),
        soft_floats.soft_float_glue(),
        *(template(name) for name in names() if not name.startswith(INLINED)),
    ]
    # What compact checks call may use no vector registers, so it may call nothing that does.
    return _linked(join(parts), kernels, machine, inlined=compact.kernels_of_routines())


def _hot_module(kernels: dict[str, Any], machine: Any) -> str:
    from irsan.engine.glue.checks import checks, compact, hooks
    from irsan.engine.glue.templates import join
    from irsan.engine.runtime_image.kernel_link import kernel_wrappers

    parts = [
        kernel_wrappers(kernels),
        hooks.hot_hooks(),
        compact.compact_hooks(),
        checks.mixed_checks(),
        hooks.hot_declarations(),
    ]
    module = _linked(join(parts), kernels, machine, inlined=hooks.hot_kernel_names())
    return _as_available_externally(str(module), hooks.hot_hook_names())


def _linked(
    text: str, kernels: dict[str, Any], machine: Any, inlined: frozenset[str] = frozenset()
) -> Any:
    import llvmlite.binding as llvm

    from irsan.engine.glue.text import PROFILE_METADATA
    from irsan.engine.runtime_image.kernel_link import link_kernels
    from irsan.runtime.kernels.kernel import kernel_symbol

    header = f'target triple = "{TRIPLE}"\n'
    module = llvm.parse_assembly(header + text + PROFILE_METADATA)
    link_kernels(kernels, module)
    for symbol in called_from(module, {kernel_symbol(name) for name in inlined}):
        module.get_function(symbol).add_function_attribute("alwaysinline")
    module.verify()
    optimise(module, machine, level=2)
    return module


def called_from(module: Any, symbols: set[str]) -> set[str]:
    """Functions of an llvmlite module, and all kernels that they call, directly or not.

    A function copied without its callees must have them all inlined: LLVM's cost model may think
    that a call is cheaper, depending on the order in which numba's modules were linked.
    """
    from irsan.runtime.kernels.kernel import KERNEL_PREFIX

    defined = {one.name for one in module.functions if not one.is_declaration}
    reached, todo = set(symbols), list(symbols)
    while todo:
        for block in module.get_function(todo.pop()).blocks:
            for instruction in block.instructions:
                if instruction.opcode != "call":
                    continue
                callee = list(instruction.operands)[-1].name
                if callee.startswith(KERNEL_PREFIX) and callee in defined and callee not in reached:
                    reached.add(callee)
                    todo.append(callee)
    return reached


def _host_kernel_wrappers(kernels: dict[str, Any]) -> str:
    from irsan.engine.glue.text import LLVM_TYPES, llvm_type

    parts = []
    for name in HOST_KERNELS:
        kernel = kernels[name]
        types = [llvm_type(kind) for kind in kernel.argument_types if kind != "ctx"]
        arguments = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(types))
        result = LLVM_TYPES[kernel.return_type]
        value, end = ("", "ret void") if result == "void" else ("%v = ", f"ret {result} %v")
        parts.append(
            f"define {result} @irsan_k_{name}({arguments}) {{\n"
            f"{value}call {result} @k.{name}({arguments})\n{end}\n}}"
        )
    return "\n".join(parts)


_CONTEXT_WORD = re.compile(r"inttoptr \(i64 (\d+) to ptr\)")


def _as_available_externally(text: str, names: list[str]) -> str:
    """Keep only the hot hooks: their definitions become available_externally.

    Alias scopes are dropped: they only speak of numba's return slots, which are gone.
    """
    wanted = set(names)
    kept, keeping = [], True
    for line in _ALIAS_SCOPES.sub("", text).splitlines():
        if _SCOPE_NODE.match(line):
            continue
        if line.startswith("define "):
            match = re.search(r"@([\w.$]+)\(", line)
            keeping = match is not None and match.group(1) in wanted
            line = line.replace("define ", "define available_externally ", 1)
        if keeping and not line.startswith(("@", "$", "module asm")):
            kept.append(line)
        if line == "}":
            keeping = True
    return _with_context_symbol("\n".join(kept) + "\n")


def _with_context_symbol(text: str) -> str:
    """Programs reach the Context by its symbol: FastISel folds that into an instruction's address,
    while a constant takes a register, and an instruction, at each use.
    """

    def named(found: re.Match[str]) -> str:
        addr = int(found[1])
        if not 0 <= addr - CONTEXT_ADDR < CONTEXT_SIZE:
            return found[0]
        return f"getelementptr (i8, ptr @{CONTEXT_SYMBOL}, i64 {addr - CONTEXT_ADDR})"

    return f"{_CONTEXT_WORD.sub(named, text)}@{CONTEXT_SYMBOL} = external dso_local global i8\n"
