"""Glue in front of what OpenMP programs call and irsan does not do: refused by name.

    __tgt_*, GOMP_target*        code and memory of devices

Each ends the run with status 69 (interceptors/threads/native_threads.py).

Source: LLVM's omptarget.h and kmp.h for the names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from irsan.engine.glue.openmp_complex_atomics import complex_declarations
from irsan.engine.glue.openmp_names import other_names
from irsan.interceptors.registry import Export

_DEVICE_CALLS: Final = (
    "register_lib", "unregister_lib", "register_requires", "init_all_rtls", "target",
    "target_nowait", "target_teams", "target_teams_nowait", "target_mapper",
    "target_nowait_mapper", "target_teams_mapper", "target_teams_nowait_mapper", "target_kernel",
    "target_kernel_nowait", "target_data_begin", "target_data_end", "target_data_update",
    "target_data_begin_mapper", "target_data_end_mapper", "target_data_update_mapper",
    "target_data_begin_nowait_mapper", "target_data_end_nowait_mapper",
    "target_data_update_nowait_mapper", "mapper_num_components", "push_mapper_component",
    "interop_init", "interop_use", "interop_destroy",
)  # fmt: skip
_GOMP_DEVICE_CALLS: Final = (
    "target", "target_ext", "target_data", "target_data_ext", "target_end_data",
    "target_update", "target_update_ext", "target_enter_exit_data", "teams", "teams4",
)  # fmt: skip
_NO_DEVICE: Final = (
    "{0}: the program runs code on a device (OpenMP target); irsan checks the host only: "
    "leave out -fopenmp-targets, then such regions run on the host"
)
_LOOP_MEMORY: Final = (
    "GOMP_loop_start, GOMP_sections2_start: memory that the threads of a loop share, of "
    "lastprivate(conditional: ...) or a scan; leave these out, or compile with clang"
)
_NEWER: Final = "{0}: irsan does not have this call of gcc's OpenMP; compile with clang"
_NEWER_CALLS: Final = ("GOMP_scope_start", "GOMP_taskwait_depend_nowait")
_BIG_NEST: Final = (
    "__kmpc_doacross_init: a loop nest with ordered(n) has more iterations than there is room for"
)


def refused_calls() -> Iterator[tuple[str, str]]:
    """Each name that is refused, and what is said of it."""
    names = [f"__tgt_{name}" for name in _DEVICE_CALLS]
    names += [f"GOMP_{name}" for name in _GOMP_DEVICE_CALLS]
    yield from ((name, _NO_DEVICE.format(name)) for name in names)
    yield from ((name, _NEWER.format(name)) for name in _NEWER_CALLS)
    yield "irsan_big_doacross", _BIG_NEST
    yield "irsan_gomp_memory", _LOOP_MEMORY


def openmp_glue(exports: Iterable[Export]) -> str:
    """LLVM text of all of them, and of the other names that functions have."""
    refusals = (_refusal(name, text.encode()) for name, text in refused_calls())
    names = other_names(exports).values()
    return "\n".join([complex_declarations(), *refusals, *names])


def _refusal(name: str, text: bytes) -> str:
    return f"""
@irsan_text_{name} = private constant [{len(text) + 1} x i8] c"{text.decode()}\\00"
define i64 @__interceptor_{name}() {{
  call void @__interceptor_irsan_refuse_native_thread(ptr @irsan_text_{name})
  ret i64 0
}}"""
