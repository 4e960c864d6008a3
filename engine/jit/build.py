"""Build the runtime once: every kernel and the glue, as one object file and one inlining module.

    runtime.o     all hooks, interceptors, control functions and host-callable kernels
    hot.ll        the hot hooks as available_externally: linked into programs so LLVM can inline
    names.json    routine numbers -> interceptor names, and how each export is served

The three live in the cache under a hash of all kernel sources, so a warm run imports no numba.
"""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irsan.engine.cache import Cache
from irsan.engine.jit.source_hash import portable_hash, runtime_sources_hash
from irsan.engine.packaged import RUNTIME, packaged

_ALIAS_SCOPES = re.compile(r", !(?:noalias|alias\.scope) !\d+")
_SCOPE_NODE = re.compile(r"!\d+ = (?:distinct )?!\{!\d+[,}]")
TRIPLE = "x86_64-unknown-linux-gnu"

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
    "heap_init",
    "guarded_recover",
    "leak_begin",
    "leak_scan",
    "leak_flood",
    "leak_indirect",
)


_LENGTH_BYTES = 8
_BUILDING = "building the runtime (once per version)"


@dataclass(frozen=True, slots=True)
class RuntimeImage:
    """The built runtime: object bytes, hot module text, and the export table in routine order."""

    object_bytes: bytes
    hot_text: str
    routines: tuple[dict[str, Any], ...]

    def encoded(self) -> bytes:
        """All in one, for a wheel."""
        head = json.dumps([self.hot_text, self.routines]).encode()
        return len(head).to_bytes(_LENGTH_BYTES, "little") + head + self.object_bytes

    @classmethod
    def decoded(cls, raw: bytes) -> RuntimeImage:
        """What `encoded` wrote."""
        end = _LENGTH_BYTES + int.from_bytes(raw[:_LENGTH_BYTES], "little")
        hot_text, routines = json.loads(raw[_LENGTH_BYTES:end])
        return cls(raw[end:], hot_text, tuple(routines))


def load_or_build_runtime(cache: Cache, progress: Callable[[str], None]) -> RuntimeImage:
    """The runtime from the cache, or built now (tens of seconds, announced through `progress`)."""
    key = runtime_sources_hash()
    found = _stored_runtime(cache, key)
    if found is not None:
        return found
    shipped = packaged(RUNTIME, portable_hash(RUNTIME))
    if shipped is not None:
        image = RuntimeImage.decoded(shipped)
        _store_runtime(cache, key, image)
        return image
    progress(_BUILDING)
    with alone_in(cache.folder("numba"), f"{key}.lock"):
        found = _stored_runtime(cache, key)
        if found is not None:  # another irsan was building it
            return found
        image = build_runtime(progress)
        _store_runtime(cache, key, image)
    return image


def _store_runtime(cache: Cache, key: str, image: RuntimeImage) -> None:
    cache.put("runtime", key + "0b", image.object_bytes)
    cache.put("runtime", key + "b1", image.hot_text.encode())
    cache.put("runtime", key + "c2", json.dumps(image.routines).encode())


@contextmanager
def alone_in(folder: Path, name: str) -> Iterator[None]:
    """One process at a time builds one runtime, which a file in a folder stands for.

    The second takes the first's.
    """
    with ExitStack() as held:
        with suppress(OSError):  # no lock where there is no room for one: every build for itself
            lock = held.enter_context((folder / name).open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _stored_runtime(cache: Cache, key: str) -> RuntimeImage | None:
    stored = [cache.get("runtime", key + kind) for kind in ("0b", "b1", "c2")]
    if any(part is None for part in stored):
        return None
    return _decode(stored[0] or b"", stored[1] or b"", stored[2] or b"")


def _decode(object_bytes: bytes, hot: bytes, names: bytes) -> RuntimeImage:
    return RuntimeImage(object_bytes, hot.decode(), tuple(json.loads(names)))


def build_runtime(progress: Callable[[str], None] = lambda _: None) -> RuntimeImage:
    """Compile all kernels with numba, generate the glue, link, optimise and emit.

    In a process of its own (runtime_maker.py): there kernels are only linked, here they may have
    been imported to be called.
    """
    from irsan.engine.jit.runtime_maker import made_elsewhere

    return RuntimeImage.decoded(made_elsewhere(lambda text: progress(f"{_BUILDING}: {text}")))


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


def target_machine() -> Any:
    """Generic x86-64, static relocations, small code model, so that objects are portable."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=2, reloc="static", codemodel="small")


def _whole_module(kernels: dict[str, Any], exports: list[Any], machine: Any) -> Any:
    from irsan.engine.jit import (
        glue_abort,
        glue_alternate_stacks,
        glue_atomics,
        glue_calls,
        glue_contexts,
        glue_control,
        glue_exports,
        glue_hooks,
        glue_leaks,
        glue_native_threads,
        glue_outlined,
        glue_programs,
        glue_signal_delivery,
        glue_signal_sending,
        glue_signal_settings,
        glue_signal_waits,
        glue_signals,
        glue_soft_floats,
        glue_sorting,
        glue_unwinding,
        glue_variables,
    )
    from irsan.engine.jit.crash import crash_text
    from irsan.engine.jit.glue_cpu import cpu_model_glue
    from irsan.engine.jit.kernel_link import kernel_wrappers
    from irsan.engine.jit.switch import switch_text

    parts = [
        kernel_wrappers(kernels),
        glue_hooks.hot_hooks(),
        glue_hooks.access_hooks(),
        glue_hooks.other_hooks(),
        glue_outlined.outlined_hooks(),
        glue_atomics.atomic_hooks(),
        glue_control.control_glue(),
        glue_calls.call_glue(),
        glue_contexts.context_glue(),
        glue_leaks.leak_glue(),
        glue_native_threads.native_thread_glue(),
        glue_programs.program_glue(),
        glue_unwinding.unwinding_glue(),
        glue_signals.signal_glue(),
        glue_signal_delivery.delivery_glue(),
        glue_alternate_stacks.alternate_stack_glue(),
        glue_signal_sending.signal_sending_glue(),
        glue_signal_waits.signal_wait_glue(),
        glue_abort.abort_glue(),
        glue_signal_settings.signal_settings_glue(),
        glue_exports.export_glue(exports, kernels),
        _host_kernel_wrappers(kernels),
        glue_variables.variable_glue(),
        cpu_model_glue(),
        glue_sorting.sorting_glue(),
        glue_soft_floats.soft_float_glue(),
        switch_text(),
        crash_text(),
    ]
    return _linked("\n".join(parts), kernels, machine)


def _hot_module(kernels: dict[str, Any], machine: Any) -> str:
    from irsan.engine.jit import glue_hooks
    from irsan.engine.jit.kernel_link import kernel_wrappers

    parts = [
        kernel_wrappers(kernels),
        glue_hooks.hot_hooks(),
        glue_hooks.hot_declarations(),
    ]
    module = _linked("\n".join(parts), kernels, machine, inlined=glue_hooks.hot_kernel_names())
    return _as_available_externally(str(module), glue_hooks.hot_hook_names())


def _linked(
    text: str, kernels: dict[str, Any], machine: Any, inlined: frozenset[str] = frozenset()
) -> Any:
    import llvmlite.binding as llvm

    from irsan.engine.jit.glue_text import PROFILE_METADATA
    from irsan.engine.jit.kernel_link import link_kernels
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

    What is copied without its callees must have them all inlined: LLVM's cost model may think that
    a call is cheaper, depending on the order in which numba's modules were linked.
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


def optimise(module: Any, machine: Any, level: int) -> None:
    """Run LLVM's module pipeline of an -O level over a module, in place."""
    import llvmlite.binding as llvm

    options = llvm.PipelineTuningOptions(speed_level=level)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _host_kernel_wrappers(kernels: dict[str, Any]) -> str:
    from irsan.engine.jit.kernel_link import LLVM_TYPES

    parts = []
    for name in HOST_KERNELS:
        kernel = kernels[name]
        types = [LLVM_TYPES.get(kind, "ptr") for kind in kernel.argument_types if kind != "ctx"]
        arguments = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(types))
        result = LLVM_TYPES[kernel.return_type]
        value, end = ("", "ret void") if result == "void" else ("%v = ", f"ret {result} %v")
        parts.append(
            f"define {result} @irsan_k_{name}({arguments}) {{\n"
            f"{value}call {result} @k.{name}({arguments})\n{end}\n}}"
        )
    return "\n".join(parts)


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
    return "\n".join(kept) + "\n"
