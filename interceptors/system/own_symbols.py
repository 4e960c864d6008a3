"""The program's own functions and variables, for who asks the system's loader: dladdr, dlsym.

    dladdr(p, i)             the program's symbol at p; elsewhere what the loader says
    dlsym(0, "f")            the program's f, else irsan's, else the loader's; a library's own
                             symbol stays the library's
    dlsym(RTLD_NEXT, "f")    irsan's f, else the loader's
    dlvsym(h, "f", "V1")     as dlsym; of a library with IR the definition of that version
    dlerror()                what dlsym or the loader failed with
    irsan_*                  what dlopen and dlclose ask (engine/glue/templates/program/loader.ll)
    backtrace_symbols(p, n)  as glibc writes them

The work is done by `machine.own_symbols` (engine/guest/program_symbols.py).  Every global symbol of
the program is found, as if it had been linked with -rdynamic.

Sources: dladdr(3), dlsym(3), backtrace(3), getauxval(3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from irsan.interceptors.registry import Export

Routine = Callable[[Any, Sequence[int]], int]

EXPORTS = (
    Export("i32 dladdr(ptr,ptr)", host="dladdr"),
    Export("i32 dladdr1(ptr,ptr,ptr,i32)", host="dladdr1"),
    Export("ptr dlsym(ptr,ptr)", host="dlsym"),
    Export("ptr dlvsym(ptr,ptr,ptr)", host="dlvsym"),
    Export("ptr dlerror()", host="dlerror"),
    Export("ptr backtrace_symbols(ptr,i32)", host="backtrace_symbols"),
    Export("void backtrace_symbols_fd(ptr,i32,i32)", host="backtrace_symbols_fd"),
    Export("u64 getauxval(u64)", host="getauxval"),
    Export("u64 irsan_open_library(ptr,i32)", host="open_library"),
    Export("u64 irsan_next_constructor(u64)", host="next_constructor"),
    Export("u64 irsan_close_library(u64)", host="close_library"),
    Export("u64 irsan_next_destructor(u64)", host="next_destructor"),
    Export("void irsan_unload_library(u64)", host="unload_library"),
)


def _served(name: str, machine: Any, arguments: Sequence[int]) -> int:
    return int(getattr(machine.own_symbols, name)(machine, arguments) or 0)


ROUTINES: dict[str, Routine] = {
    export.host: partial(_served, export.host) for export in EXPORTS
}
