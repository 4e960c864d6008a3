"""Native faults and fatal signals inside the guest come back to the host as the event CRASH.

All signals that would end the process are taken (`glue_signals.py` has those that the guest handles
itself), so that reports are written before it ends. The signal handler is machine code in the
runtime object and runs on a stack of its own, so it works when the guest's stack is exhausted.
While `ctx.in_guest` is set it copies the facts into `ctx.crash` and rewrites the interrupted
context: the process goes on in `irsan_switch_restore` on the host's stack, and the call that
resumed the guest returns. A fault in the guarded pool may be survived: the handler switches to the
host as an interceptor does, and when it is resumed the instruction runs again. A fault outside
the guest is not ours: the previous action is put back and the instruction runs again.
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

from irsan.engine.jit.glue_gaps import gap_text
from irsan.errors import InternalError
from irsan.runtime import events, guarded_records, layout
from irsan.runtime.records import CONTEXT_DTYPE, field_offset

#: every signal whose default action ends the process, but SIGKILL and the C library's own two
FATAL_SIGNALS: Final = tuple(
    number for number in range(1, 65) if number not in (9, *range(17, 24), 28, 32, 33)
)
_SIG_IGN: Final = 1
_IGNORED_BY_PYTHON: Final = (signal.SIGPIPE, signal.SIGXFSZ)
REGISTERS: Final = (
    "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
)  # fmt: skip

_SIGNAL, _CODE, _ADDRESS, _ERROR, _TRAP, _RIP, _RSP, _RBP, _FLAGS, _WRITE = range(10)
_FIRST_REGISTER: Final = 10

#: general registers of ucontext_t, in the order the kernel stores them, 8 bytes each
_GREGS: Final = (
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx", "rdx",
    "rax", "rcx", "rsp", "rip", "flags", "segments", "error", "trap", "mask", "cr2",
)  # fmt: skip
_GREGS_OFFSET: Final = 40
_SI_CODE_OFFSET: Final = 8
_SI_ADDR_OFFSET: Final = 16
_SI_KERNEL: Final = 128
_PAGE_FAULT_TRAP: Final = 14
_CLEARED_FLAGS: Final = 0x40500  # alignment check, direction, trap

_SA_SIGINFO: Final = 4
_SA_ONSTACK: Final = 0x0800_0000
_ALT_STACK_BYTES: Final = 128 << 10
ACTION_BYTES: Final = 152


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
    code = ctypes.c_int32(values[_CODE] & 0xFFFF_FFFF).value
    number = values[_SIGNAL]
    is_memory = number in (signal.SIGSEGV, signal.SIGBUS)
    named = values[_FIRST_REGISTER : _FIRST_REGISTER + len(REGISTERS)]
    return Crash(
        signal=number,
        code=code,
        address=values[_ADDRESS] if code > 0 else 0,
        has_address=is_memory and 0 < code < _SI_KERNEL,
        is_write=bool(values[_WRITE]),
        rip=values[_RIP],
        rsp=values[_RSP],
        rbp=values[_RBP],
        registers=dict(zip(REGISTERS, named, strict=True)),
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
        self._stack = mmap.mmap(-1, _ALT_STACK_BYTES)
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


def crash_text() -> str:
    """LLVM text of the handler, for the module that also holds `switch_text()`."""
    return f"""
{gap_text()}
@irsan_previous_actions = global [65 x [{ACTION_BYTES} x i8]] zeroinitializer, align 16
@irsan_real_sigaction = global ptr null
@irsan_real_raise = global ptr null
declare void @irsan_switch_restore()
define void @irsan_on_crash(i32 %number, ptr %info, ptr %context) noinline nounwind {{
  %is.gap = call i1 @irsan_fill_gap(i32 %number, ptr %info)
  br i1 %is.gap, label %filled, label %fatal
filled:
  ret void
fatal:
  %inside = load volatile i64, {_field("in_guest")}
  %ours = icmp ne i64 %inside, 0
  br i1 %ours, label %guest, label %host
guest:
{_copy_facts()}
  store i64 {events.CRASH}, {_field("event")}
  %pool.lo = load i64, {_field("guarded", guarded_records.POOL_LO)}
  %pool.bytes = load i64, {_field("guarded", guarded_records.POOL_BYTES)}
  %pool.offset = sub i64 %v.addr, %pool.lo
  %is.pool = icmp ult i64 %pool.offset, %pool.bytes
  %is.segv = icmp eq i32 %number, {int(signal.SIGSEGV)}
  %is.raised = icmp sgt i32 %v.code, 0
  %is.real = and i1 %is.segv, %is.raised
  %is.guarded = and i1 %is.pool, %is.real
  br i1 %is.guarded, label %guarded, label %final
guarded:
  call void @__irsan_to_host()
  ret void
final:
  %host.sp = load i64, {_field("host_sp")}
  store i64 %host.sp, ptr %p.rsp
  store i64 ptrtoint (ptr @irsan_switch_restore to i64), ptr %p.rip
  %safe.flags = and i64 %v.flags, {~_CLEARED_FLAGS}
  store i64 %safe.flags, ptr %p.flags
  ret void
host:
  %wide = zext i32 %number to i64
  %old = getelementptr [65 x [{ACTION_BYTES} x i8]], ptr @irsan_previous_actions, i64 0, i64 %wide
  %sigaction = load ptr, ptr @irsan_real_sigaction
  %ignored = call i32 %sigaction(i32 %number, ptr %old, ptr null)
  %code.host = getelementptr i8, ptr %info, i64 {_SI_CODE_OFFSET}
  %code.value = load i32, ptr %code.host
  %sent = icmp sle i32 %code.value, 0
  br i1 %sent, label %again, label %done
again:
  %raise = load ptr, ptr @irsan_real_raise
  %ignored2 = call i32 %raise(i32 %number)
  br label %done
done:
  ret void
}}
"""


def _field(name: str, index: int = 0) -> str:
    addr = layout.CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, name, index)
    return f"ptr inttoptr (i64 {addr} to ptr)"


def _copy_facts() -> str:
    lines = [
        "  %number.wide = zext i32 %number to i64",
        f"  store i64 %number.wide, {_field('crash', _SIGNAL)}",
        f"  %p.code = getelementptr i8, ptr %info, i64 {_SI_CODE_OFFSET}",
        "  %v.code = load i32, ptr %p.code",
        "  %code.wide = sext i32 %v.code to i64",
        f"  store i64 %code.wide, {_field('crash', _CODE)}",
        f"  %p.addr = getelementptr i8, ptr %info, i64 {_SI_ADDR_OFFSET}",
        "  %v.addr = load i64, ptr %p.addr",
        f"  store i64 %v.addr, {_field('crash', _ADDRESS)}",
    ]
    for index, name in enumerate(_GREGS):
        lines.append(
            f"  %p.{name} = getelementptr i8, ptr %context, i64 {_GREGS_OFFSET + 8 * index}"
        )
        lines.append(f"  %v.{name} = load i64, ptr %p.{name}")
    slots = {"error": _ERROR, "trap": _TRAP, "rip": _RIP, "flags": _FLAGS}
    stores = [*slots.items(), ("rsp", _RSP), ("rbp", _RBP)]
    stores += [(name, _FIRST_REGISTER + i) for i, name in enumerate(REGISTERS)]
    lines += [f"  store i64 %v.{name}, {_field('crash', slot)}" for name, slot in stores]
    lines += [
        "  %write.bit = lshr i64 %v.error, 1",
        f"  %is.fault = icmp eq i64 %v.trap, {_PAGE_FAULT_TRAP}",
        "  %bit = and i64 %write.bit, 1",
        "  %write = select i1 %is.fault, i64 %bit, i64 0",
        f"  store i64 %write, {_field('crash', _WRITE)}",
    ]
    return "\n".join(lines)
