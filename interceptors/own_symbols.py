"""The program's own functions and variables, for who asks the system's loader: dladdr, dlsym.

    dladdr(p, i)             the program's symbol at p; elsewhere what the loader says
    dlsym(0, "f")            the program's f, else irsan's, else the loader's; a library's own
                             symbol stays the library's
    dlsym(RTLD_NEXT, "f")    irsan's f, else the loader's
    dlerror()                what dlsym or the loader failed with
    backtrace_symbols(p, n)  as glibc writes them

The work is done by `machine.own_symbols` (engine/jit/program_symbols.py).  Every global symbol of
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
    Export("ptr dlerror()", host="dlerror"),
    Export("ptr backtrace_symbols(ptr,i32)", host="backtrace_symbols"),
    Export("void backtrace_symbols_fd(ptr,i32,i32)", host="backtrace_symbols_fd"),
    Export("u64 getauxval(u64)", host="getauxval"),
)


def _served(name: str, machine: Any, arguments: Sequence[int]) -> int:
    return int(getattr(machine.own_symbols, name)(machine, arguments) or 0)


ROUTINES: dict[str, Routine] = {
    export.host: partial(_served, export.host) for export in EXPORTS
}
