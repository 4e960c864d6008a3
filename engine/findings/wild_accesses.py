"""Accesses to addresses of no object, when the program's own handler wants SIGSEGV.

A check finds such an access before it happens.  When the guest has a handler, or irsan is told
not to handle SIGSEGV, it must come to what it comes to natively instead:

    the processor will fault       the access happens, and the signal is a real one
    it will not: irsan's ranges    the handler is called in place of the access, with the address
                                   and without a context; then the access is tried again
                                   or, without a handler, the program dies of the signal
"""

from __future__ import annotations

import ctypes
import signal
from typing import Any, Final

from irsan.engine.findings.crash import guest_handles
from irsan.engine.guest.machine import Machine, Outcome, Served
from irsan.runtime import arena
from irsan.runtime.diagnosis.diagnose_crash import HANDLE_FLAGS, SIGNAL_NAMES
from irsan.runtime.flags.flags import Flags
from irsan.runtime.layout import events
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.threads.timer_records import INFO_BYTES
from irsan.runtime.views.mappings import (
    MAPPINGS_MAY_BE_STALE,
    READABLE,
    WRITABLE,
    let_happen,
    processor_allows,
)

_SEGV: Final = int(signal.SIGSEGV)
_SEGV_BIT: Final = 1 << _SEGV - 1
_NOT_MAPPED: Final = 1  # SEGV_MAPERR
_CODE_AT, _ADDRESS_AT = 8, 16
_WRITE: Final = 1


class WildAccesses:
    """What becomes of them in one run."""

    def __init__(self, flags: Flags) -> None:
        self._modes = flags.asan.as_mapping()

    def reports(self, number: int) -> bool:
        """Whether irsan reports a signal that ends the program (the handle_* flags)."""
        name = HANDLE_FLAGS.get(number)
        if name is None or number not in SIGNAL_NAMES:
            return False
        return str(self._modes[name]).lower() not in ("0", "no", "false")

    def serve(self, machine: Machine) -> Served | None:
        """What to do about the fault in ctx.fault instead of a report; None: report it."""
        kind, address, size_bytes, flags = (int(word) for word in machine.ctx["fault"][:4])
        if kind != FaultKind.WILD_ACCESS:
            return None
        is_handled = guest_handles(machine.runtime.symbols, _SEGV)
        if self.reports(_SEGV) and not is_handled:
            return None
        wanted = READABLE | (WRITABLE if flags & _WRITE else 0)
        if arena.range_at(address) is None or not processor_allows(address, wanted):
            # a routine would leave out what it must not do
            is_doubtful = bool(flags & MAPPINGS_MAY_BE_STALE)
            looks_again = is_doubtful and let_happen(machine.ctx, address, size_bytes)
            return Served(result=int(looks_again))
        thread = machine.current_thread()
        blocked = int(thread["sigmask"]) | int(thread["handler"]["mask"])
        if not is_handled or blocked & _SEGV_BIT:
            return Served(outcome=Outcome(signal=_SEGV))
        _leave_signal(machine, thread, address)
        return Served(result=events.HANDLE_SIGNALS | events.ONCE_MORE)


def _leave_signal(machine: Machine, thread: Any, address: int) -> None:
    """The thread's handler gets what the kernel would say of the access."""
    facts = machine.runtime.symbols["irsan_signal_info"] + _SEGV * INFO_BYTES
    ctypes.c_int32.from_address(facts + _CODE_AT).value = _NOT_MAPPED
    ctypes.c_uint64.from_address(facts + _ADDRESS_AT).value = address
    thread["signals"] = int(thread["signals"]) | _SEGV_BIT
