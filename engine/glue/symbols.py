"""What the names in templates stand for: numbers of the layout, fields of Context and Thread.

@ctx.site, @ctx.leaks.is_pending   address of a field of the Context; @ctx.event.args.0,
@ctx.crash.SIGNAL      of a word of one, by its number or by the name that its owner has given it
@thread.sp             bytes from the start of a thread's record
@greg.rip              bytes from the start of a ucontext_t
@libc.SA_RESTART, @"libc.sizeof stack_t", @"libc.struct sigaction.sa_flags"
@actions.RETRY, @events.CRASH, ...      a constant of one of MODULES
"""

from __future__ import annotations

from types import ModuleType
from typing import Final

from irsan.engine.glue import constants, crash
from irsan.errors import InternalError
from irsan.runtime.kernels import actions
from irsan.runtime.layout import (
    events,
    explore_words,
    libc_layout,
    memory_map,
    uninit_layout,
)
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE
from irsan.runtime.records.memory import (
    extent_records,
    leak_records,
    provenance_records,
)
from irsan.runtime.records.threads import (
    openmp_records,
    signal_records,
)

#: modules whose constants templates may name, as `@<last name of the module>.<constant>`
MODULES: Final[dict[str, ModuleType]] = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        actions, constants, events, explore_words, extent_records, leak_records, memory_map,
        openmp_records, provenance_records, signal_records, uninit_layout,
    )
}  # fmt: skip
#: fields of the Context whose words have names, and the module that names them
WORDS: Final[dict[str, ModuleType]] = {"crash": crash, "event.args": events}


def value_of(symbol: str) -> int:
    """The number that a name of a template stands for.  Raises InternalError for one unknown."""
    space, _, name = symbol.partition(".")
    try:
        if space == "ctx":
            return _context_address(name)
        if space == "thread":
            return field_offset(THREAD_DTYPE, name)
        if space == "greg":
            return crash.GREG_OFFSETS[name]
        if space == "libc":
            return _of_libc(name)
        return int(getattr(MODULES[space], name))
    except (KeyError, AttributeError):
        raise InternalError(f"a template names @{symbol}, which is nothing known") from None


def _context_address(name: str) -> int:
    path, _, last = name.rpartition(".")
    if last.isdigit():
        offset = field_offset(CONTEXT_DTYPE, path, int(last))
    elif path in WORDS:
        offset = field_offset(CONTEXT_DTYPE, path, int(getattr(WORDS[path], last)))
    else:
        offset = field_offset(CONTEXT_DTYPE, name)
    return memory_map.CONTEXT_ADDR + offset


def _of_libc(name: str) -> int:
    if name.startswith("sizeof "):
        return libc_layout.size(name.removeprefix("sizeof "))
    table = libc_layout.OFFSETS if name in libc_layout.OFFSETS else libc_layout.CONSTANTS
    return table[name]
