"""Native faults and fatal signals inside the guest come back to the host as the event CRASH.

All signals that would end the process are taken (`signals.py` has those that the guest handles
itself), so that reports are written before it ends. The signal handler is machine code in the
runtime object and runs on a stack of its own, so it works when the guest's stack is exhausted.
While `ctx.host.in_guest` is set it copies the facts into `ctx.crash` and rewrites the interrupted
context: the process goes on in `irsan_switch_restore` on the host's stack, and the call that
resumed the guest returns. A fault in the guarded pool may be survived: the handler switches to the
host as an interceptor does, and when it is resumed the instruction runs again. A fault outside
the guest is not ours: the previous action is put back and the instruction runs again. What another
process sends while the host serves an event (`ctx.host.sent_signal`) ends the guest when it is
resumed, or the process, if it is sent once more.
A look at the shadow of a gap in the arena is no fault at all (arena_gaps.py).

    ctx.crash   [0] signal  [1] si_code  [2] address  [3] page-fault error code  [4] trap number
                [5] rip     [6] rsp      [7] rbp      [8] rflags                 [9] 1 = write
                [10..25] rax rbx rcx rdx rsi rdi rbp rsp r8 ... r15

Source: Linux's x86-64 `ucontext_t` and `siginfo_t`; sigaction(2), sigaltstack(2).
Deviations: when the processor gives no address (a non-canonical pointer: general protection), the
address is 0 and `has_address` is False.
"""

from __future__ import annotations

import ctypes
import mmap
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from irsan.engine.glue.crash import (
    ACTION_BYTES,
    ADDRESS,
    CODE,
    FIRST_REGISTER,
    RBP,
    REGISTERS,
    RIP,
    RSP,
    SIGNAL,
    WRITE,
)
from irsan.errors import InternalError
from irsan.runtime.records.threads.signal_records import FATAL_SIGNALS

_SIG_IGN: Final = 1
_IGNORED_BY_PYTHON: Final = (signal.SIGPIPE, signal.SIGXFSZ)

_SI_KERNEL: Final = 128
_PID: Final = 0xFFFF_FFFF  # si_pid lies where the address of a fault would

_SA_SIGINFO: Final = 4
_SA_ONSTACK: Final = 0x0800_0000
_ALT_STACK_BYTES: Final = 128 << 10
# Python's default shares the pages with forked children: a fault there would write over ours.
_OF_THIS_PROCESS: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS


@dataclass(frozen=True, slots=True)
class Crash:
    """What the processor said about a fault in the guest."""

    signal: int
    code: int
    address: int
    has_address: bool
    is_write: bool
    rip: int
    rsp: int
    rbp: int
    registers: Mapping[str, int]
    sender: int = 0  # the process that has sent it, 0 for the kernel

    @property
    def signal_name(self) -> str:
        return signal.Signals(self.signal).name

    @property
    def is_wild_jump(self) -> bool:
        """The instruction itself could not be fetched."""
        return self.has_address and self.address == self.rip and self.signal == signal.SIGSEGV


def read_crash(words: Any) -> Crash:
    """Decode `ctx.crash` (40 words)."""
    values = [int(word) for word in words]
    code = ctypes.c_int32(values[CODE] & 0xFFFF_FFFF).value
    number = values[SIGNAL]
    is_memory = number in (signal.SIGSEGV, signal.SIGBUS)
    named = values[FIRST_REGISTER : FIRST_REGISTER + len(REGISTERS)]
    return Crash(
        signal=number,
        code=code,
        address=values[ADDRESS] if code > 0 else 0,
        has_address=is_memory and 0 < code < _SI_KERNEL,
        is_write=bool(values[WRITE]),
        rip=values[RIP],
        rsp=values[RSP],
        rbp=values[RBP],
        registers=dict(zip(REGISTERS, named, strict=True)) if values[RSP] else {},
        sender=0 if code > 0 else values[ADDRESS] & _PID,
    )


def guest_handles(symbols: Mapping[str, int], number: int) -> bool:
    """Whether the guest has a handler of its own for a signal; `symbols` of the linked runtime."""
    action = symbols["irsan_guest_actions"] + number * ACTION_BYTES
    return ctypes.c_uint64.from_address(action).value > _SIG_IGN


class _AltStack(ctypes.Structure):
    _fields_ = (
        ("ss_sp", ctypes.c_void_p),
        ("ss_flags", ctypes.c_int),
        ("ss_size", ctypes.c_size_t),
    )


class CrashHandler:
    """Installed actions and what they replaced; one at a time, on the thread that runs guests."""

    def __init__(self, symbols: Mapping[str, int]) -> None:
        """`symbols`: those of the linked runtime (needs the names of `crash_text`)."""
        self._handler = symbols["irsan_on_crash"]
        self._actions = symbols["irsan_previous_actions"]
        self._sigaction_slot = symbols["irsan_real_sigaction"]
        self._raise_slot = symbols["irsan_real_raise"]
        self._mprotect_slot = symbols["irsan_real_mprotect"]
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.sigaction.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        self._stack = mmap.mmap(-1, _ALT_STACK_BYTES, flags=_OF_THIS_PROCESS)
        self._previous_stack = _AltStack()
        self._installed = False

    def install(self) -> None:
        """Take the alternate stack and the signals; OSError when the kernel refuses."""
        if ctypes.c_uint64.from_address(self._sigaction_slot).value:
            raise InternalError("the crash handler is already installed")
        self._store_function(self._sigaction_slot, self._libc.sigaction)
        self._store_function(self._raise_slot, getattr(self._libc, "raise"))
        self._store_function(self._mprotect_slot, self._libc.mprotect)
        lo = ctypes.addressof(ctypes.c_char.from_buffer(self._stack))
        wanted = _AltStack(lo, 0, _ALT_STACK_BYTES)
        self._check(
            self._libc.sigaltstack(ctypes.byref(wanted), ctypes.byref(self._previous_stack))
        )
        action = (ctypes.c_uint8 * ACTION_BYTES)()
        ctypes.c_uint64.from_buffer(action, 0).value = self._handler
        ctypes.c_uint32.from_buffer(action, 136).value = _SA_SIGINFO | _SA_ONSTACK
        for number in FATAL_SIGNALS:
            self._take(number, ctypes.addressof(action))
        self._installed = True

    def uninstall(self) -> None:
        """Put the previous actions and alternate stack back."""
        if not self._installed:
            return
        for number in FATAL_SIGNALS:
            self._check(self._libc.sigaction(number, self._old(number), None))
        self._check(self._libc.sigaltstack(ctypes.byref(self._previous_stack), None))
        ctypes.c_uint64.from_address(self._sigaction_slot).value = 0
        self._installed = False

    def __enter__(self) -> CrashHandler:
        self.install()
        return self

    def __exit__(self, *error: object) -> None:
        self.uninstall()

    def _take(self, number: int, action: int) -> None:
        """Install our action, but leave a signal ignored that our own parent had ignored."""
        self._check(self._libc.sigaction(number, None, self._old(number)))
        is_ignored = ctypes.c_uint64.from_address(self._old(number)).value == _SIG_IGN
        if not is_ignored or number in _IGNORED_BY_PYTHON:
            self._check(self._libc.sigaction(number, action, None))

    def _old(self, number: int) -> int:
        return self._actions + number * ACTION_BYTES

    @staticmethod
    def _store_function(slot: int, function: Any) -> None:
        address = ctypes.cast(function, ctypes.c_void_p).value
        ctypes.c_uint64.from_address(slot).value = address or 0

    @staticmethod
    def _check(result: int) -> None:
        if result != 0:
            raise OSError(ctypes.get_errno(), "cannot install the crash handler")

