"""Numbers that only the templates need: what is made of the layout's and the C library's.

Templates name them as `@constants.NAME` (symbols.py).
"""

from __future__ import annotations

from typing import Final

from irsan.engine.glue import switch
from irsan.engine.glue.gaps import OUTER_BYTES, PAGE_BYTES
from irsan.instrument.hooks import MOST_TURNS as TURNS_OF_STRIP
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import memory_map
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.external_sites import EXTERNAL_PC_BIT
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.mapping_zone import ZONE_LO
from irsan.runtime.layout.shadow_bytes import INTERNAL
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE
from irsan.runtime.records.memory import provenance_records as pr
from irsan.runtime.records.threads.signal_records import FATAL_SIGNALS, SYNCHRONOUS

# Signals.
SIG_SETMASK: Final = libc.constant("SIG_SETMASK")
FAULT_BITS: Final = sum(1 << number for number in (4, 5, 7, 8, 11))
SEGV_BIT: Final = 1 << (libc.constant("SIGSEGV") - 1)
ABORT_BIT: Final = 1 << (libc.constant("SIGABRT") - 1)
_OF_THE_HOST: Final = {*SYNCHRONOUS, libc.constant("SIGXFSZ")} - {libc.constant("SIGABRT")}
DEFERRED_SIGNALS: Final = sum(1 << n - 1 for n in FATAL_SIGNALS if n not in _OF_THE_HOST)
NOT_SEGV: Final = ~SEGV_BIT
CRASH_ACTION: Final = libc.constant("SA_SIGINFO") | libc.constant("SA_ONSTACK")
SYSV_ACTION: Final = libc.constant("SA_RESETHAND") | libc.constant("SA_NODEFER")
NOT_RESTARTING: Final = ~libc.constant("SA_RESTART")
NOT_ONCE: Final = libc.constant("SA_RESETHAND") - 1  # the highest bit of all
CLEARED_FLAGS: Final = 0x40500  # of the processor: alignment check, direction, trap
KEPT_FLAGS: Final = ~CLEARED_FLAGS
PAGE_FAULT: Final = 14  # number of the trap
CRASH_BYTES: Final = CONTEXT_DTYPE["crash"].itemsize

# System calls.
READ: Final = 0
WRITE: Final = 1
CLOSE: Final = 3
RT_SIGPROCMASK: Final = 14
WRITEV: Final = 20
MADVISE: Final = 28
POPULATE_WRITE: Final = 23  # MADV_POPULATE_WRITE, since Linux 5.14; refused before
GETPID: Final = 39
CLONE: Final = 56
WAIT4: Final = 61
SETPGID: Final = 109
SCHED_SETAFFINITY: Final = 203
EXIT_GROUP: Final = 231

# The shadow of addresses.
GAP_PAGE_BYTES: Final = PAGE_BYTES
GAP_PAGE: Final = -PAGE_BYTES
GAP_OUTER_BYTES: Final = OUTER_BYTES
GAP_OUTER: Final = -OUTER_BYTES
OUTER_SHADOW: Final = memory_map.addr_to_shadow(ZONE_LO)  # of no stack and no heap
GAP_SHADOW: Final = INTERNAL * 0x0101_0101_0101_0101 - (1 << 64)  # of 64 bytes
BITS_NOWHERE: Final = ul.NOWHERE - ul.SHADOW_BIAS
BITS_ANYWHERE: Final = ul.ANYWHERE - ul.SHADOW_BIAS

# Pointer provenance.
ROW_INDEX: Final = (1 << pr.INDEX_BITS) - 1
SLOT_BEFORE: Final = -pr.SLOT_BYTES

# Loops whose checks are made ahead.
MOST_TURNS: Final = TURNS_OF_STRIP

# Stacks and calls.
EXTERNAL_PC: Final = 1 << EXTERNAL_PC_BIT
FIRST_FLAGS: Final = switch.FIRST_FLAGS
UNWINDING_LO: Final = field_offset(THREAD_DTYPE, "unwind.record") + 15  # before it is aligned
UNWINDING_ALIGNMENT: Final = -16
END_OF_STACK: Final = 16  # _UA_END_OF_STACK
RUST_CLASS: Final = int.from_bytes(b"MOZ\0RUST", "little")  # of exceptions that are panics
RUST_CLASS_BEFORE: Final = int.from_bytes(b"MOZ\0RUST", "big")  # as older releases had it
