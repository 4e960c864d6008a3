"""Glue for other names of OpenMP's functions: each calls the function that does the work.

    ompc_set_num_threads(n)        what headers of LLVM's library call some functions of C
    omp_set_num_threads_(p)        Fortran without a module: numbers come by reference, *p
    __kmpc_set_lock(.., .., p)     calls that compilers make, with where they stand before the rest

Source: LLVM's kmp_ftn_entry.h and kmp.h for the names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from irsan.engine.glue.openmp_atomics import atomic_functions
from irsan.engine.glue.text import LLVM_TYPES, parameter_list
from irsan.interceptors.registry import Export

_C_NAMES: Final = (
    "set_num_threads", "set_dynamic", "set_nested", "set_max_active_levels", "set_schedule",
    "get_ancestor_thread_num", "get_team_size", "set_affinity_format", "get_affinity_format",
    "display_affinity", "capture_affinity",
)  # fmt: skip
_TEXTS: Final = ("affinity", "interop", "_alloc", "calloc", "realloc", "target", "mapped")
_BY_REFERENCE: Final = ("i32", "u32", "u64")
_LOCKS: Final = ("lock", "nest_lock")
#: prototype -> the function, and which arguments it gets
_CALLS: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "i32 __kmpc_bound_thread_num(ptr)": ("omp_get_thread_num", ()),
    "i32 __kmpc_bound_num_threads(ptr)": ("omp_get_num_threads", ()),
    "i32 __kmpc_in_parallel(ptr)": ("omp_in_parallel", ()),
    "i32 __kmpc_ok_to_fork(ptr)": ("omp_is_initial_device", ()),
    "i32 __kmpc_pause_resource(i32)": ("omp_pause_resource_all", (0,)),
    "ptr __kmpc_calloc(i32,u64,u64,u64)": ("omp_calloc", (1, 2, 3)),
    "ptr __kmpc_realloc(i32,ptr,u64,u64,u64)": ("omp_realloc", (1, 2, 3, 4)),
    "u64 __kmpc_get_default_allocator(i32)": ("omp_get_default_allocator", ()),
    "void __kmpc_set_default_allocator(i32,u64)": ("omp_set_default_allocator", (1,)),
    "void __kmpc_push_num_threads_strict(ptr,i32,i32,i32,ptr)":
        ("__kmpc_push_num_threads", (0, 1, 2)),
    "void __kmpc_set_thread_limit(ptr,i32,i32)": ("irsan_omp_limit_threads", (2,)),
    **{f"void __kmpc_{what}_{lock}(ptr,i32,ptr)": (f"omp_{what}_{lock}", (2,))
       for what in ("init", "destroy", "set", "unset") for lock in _LOCKS},
    **{f"i32 __kmpc_test_{lock}(ptr,i32,ptr)": (f"omp_test_{lock}", (2,)) for lock in _LOCKS},
    **{f"void __kmpc_init_{lock}_with_hint(ptr,i32,ptr,u64)": (f"omp_init_{lock}", (2,))
       for lock in _LOCKS},
}  # fmt: skip


def other_names(exports: Iterable[Export]) -> dict[str, str]:
    """The names, and the LLVM text that defines each."""
    known = {export.name: export for export in exports}
    made = {**atomic_functions(), **dict(_compilers(known))}
    for name in _C_NAMES:
        made[f"ompc_{name}"] = _forward(f"ompc_{name}", known[f"omp_{name}"])
    for name, export in known.items():
        if name.startswith("omp_") and not any(part in name for part in _TEXTS):
            made[f"{name}_"] = _fortran(export)
    return made


def _compilers(known: dict[str, Export]) -> Iterator[tuple[str, str]]:
    for prototype, (name, taken) in _CALLS.items():
        export = Export(prototype)
        values = ", ".join(
            f"{LLVM_TYPES[kind]} %a{i}"
            for i, kind in zip(taken, known[name].arguments, strict=True)
        )
        yield export.name, _definition(export, known[name], values, [])


def _forward(name: str, export: Export) -> str:
    values = ", ".join(f"{LLVM_TYPES[kind]} %a{i}" for i, kind in enumerate(export.arguments))
    same = Export(export.prototype.replace(f" {export.name}(", f" {name}("))
    return _definition(same, export, values, [])


def _fortran(export: Export) -> str:
    """Numbers by reference; addresses are what Fortran passes anyway."""
    loads, values, kinds = [], [], []
    for i, kind in enumerate(export.arguments):
        if kind in _BY_REFERENCE:
            loads.append(f"  %v{i} = load {LLVM_TYPES[kind]}, ptr %a{i}, align 4")
            values.append(f"{LLVM_TYPES[kind]} %v{i}")
        else:
            values.append(f"{LLVM_TYPES[kind]} %a{i}")
        kinds.append("ptr")
    named = Export(f"{export.result} {export.name}_({','.join(kinds)})")
    return _definition(named, export, ", ".join(values), loads)


def _definition(new: Export, old: Export, values: str, loads: list[str]) -> str:
    result = LLVM_TYPES[new.result]
    call = f"call {LLVM_TYPES[old.result]} @__interceptor_{old.name}({values})"
    body = [f"  {call}", "  ret void"] if result == "void" else [
        f"  %r = {call}", f"  ret {result} %r",
    ]  # fmt: skip
    head = f"define {result} @__interceptor_{new.name}({parameter_list(new.arguments)}) uwtable {{"
    return "\n".join([head, *loads, *body, "}"])
