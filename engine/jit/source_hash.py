"""The key of the built runtime: a hash of every source that shapes it, and of the versions."""

from __future__ import annotations

import hashlib
import os
import sys
from importlib.metadata import version
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent.parent
_RUNTIME = (
    "runtime/kernels",
    "runtime/layout.py",
    "runtime/records.py",
    "runtime/heap_records.py",
    "runtime/guarded_records.py",
    "runtime/count_records.py",
    "runtime/leak_records.py",
    "runtime/lock_records.py",
    "runtime/limit_records.py",
    "runtime/libc_layout.py",
    "runtime/faults.py",
    "runtime/events.py",
    "runtime/interface_words.py",
    "runtime/interface_notes.py",
    "runtime/external_sites.py",
    "runtime/java_records.py",
    "runtime/thread_records.py",
    "runtime/thread_words.py",
    "runtime/clock_records.py",
    "runtime/signal_records.py",
    "runtime/exit_records.py",
    "runtime/fiber_records.py",
    "runtime/uninit_layout.py",
    "runtime/provenance_records.py",
    "runtime/mapping_zone.py",
    "runtime/descriptor_records.py",
    "runtime/outside_words.py",
    "runtime/trace_records.py",
    "runtime/poison_records.py",
    "runtime/options.py",
    "runtime/thread_states.py",
    "runtime/tls_records.py",
    "runtime/fake_frames.py",
    "runtime/context_stacks.py",
    "interceptors",
    "instrument/hooks.py",
    "engine/jit/build.py",
    "engine/jit/kernel_link.py",
    "engine/jit/kernel_libraries.py",
    "engine/jit/switch.py",
    "engine/jit/crash.py",
    "engine/jit/glue_gaps.py",
    "engine/jit/glue_checks.py",
    "engine/jit/glue_bounds.py",
    "engine/jit/glue_uninit.py",
    "engine/jit/glue_provenance.py",
    "engine/jit/glue_objects.py",
    "engine/jit/glue_text.py",
    "engine/jit/glue_hooks.py",
    "engine/jit/glue_leaks.py",
    "engine/jit/glue_programs.py",
    "engine/jit/glue_outlined.py",
    "engine/jit/glue_atomics.py",
    "engine/jit/glue_control.py",
    "engine/jit/glue_signals.py",
    "engine/jit/glue_signal_sending.py",
    "engine/jit/glue_signal_delivery.py",
    "engine/jit/glue_alternate_stacks.py",
    "runtime/timer_records.py",
    "runtime/file_time_records.py",
    "engine/jit/glue_abort.py",
    "engine/jit/glue_signal_settings.py",
    "engine/jit/glue_signal_waits.py",
    "engine/jit/glue_soft_floats.py",
    "engine/jit/glue_exports.py",
    "engine/jit/glue_unsafe_calls.py",
    "engine/jit/glue_real.py",
    "engine/jit/glue_calls.py",
    "engine/jit/glue_contexts.py",
    "engine/jit/glue_unwinding.py",
    "engine/jit/glue_sorting.py",
    "engine/jit/glue_variables.py",
    "engine/jit/glue_cpu.py",
    "engine/jit/glue_weak_hooks.py",
    "runtime/hook_words.py",
    "runtime/registered_globals.py",
)
_INSTRUMENT = (
    "instrument",
    "ir",
    "engine/jit/program.py",
    "engine/jit/unit_image.py",
    "engine/jit/link_plan.py",
    "engine/jit/derived_operators.py",
    "engine/jit/codegen.py",
    "engine/jit/code_workers.py",
    "engine/jit/codegen_apart.py",
    "engine/module_limits.py",
)


_INTERP = (
    "engine/interp",
    "runtime/kernels/memory.py",
    "engine/jit/build.py",
)


def runtime_sources_hash() -> str:
    """Hex digest over kernels, glue, hook table, layout shift and compiler versions."""
    digest = _sources_digest(_RUNTIME)
    shift = os.environ.get("IRSAN_LAYOUT_SHIFT", "0")
    for word in (sys.version, version("numba"), version("llvmlite"), version("numpy"), shift):
        digest.update(word.encode() + b"\0")
    return digest.hexdigest()[:40]


def portable_hash(kind: str) -> str:
    """Of the sources of the runtime, or of the interpreter's machine, whatever builds them."""
    digest = _sources_digest(_RUNTIME if kind == "runtime" else _INTERP)
    digest.update(os.environ.get("IRSAN_LAYOUT_SHIFT", "0").encode())
    return digest.hexdigest()[:40]


def instrument_sources_hash() -> str:
    """Hex digest over the passes, the IR model and the code generation settings."""
    return _sources_digest(_INSTRUMENT).hexdigest()[:40]


def interp_sources_hash() -> str:
    """Hex digest over the virtual machine and the lowering, and of what compiles them."""
    digest = _sources_digest(_INTERP)
    for word in (sys.version, version("numba"), version("llvmlite")):
        digest.update(word.encode() + b"\0")
    return digest.hexdigest()[:40]


def _sources_digest(places: tuple[str, ...]) -> hashlib._Hash:
    digest = hashlib.sha256()
    for place in places:
        path = _ROOT / place
        for source in [path] if path.is_file() else sorted(path.rglob("*.py")):
            digest.update(source.relative_to(_ROOT).as_posix().encode())
            digest.update(source.read_bytes())
    return digest
