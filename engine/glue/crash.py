"""The handler of native faults and fatal signals, as LLVM text; `findings/crash.py` has its story.

Source: Linux's x86-64 `ucontext_t` and `siginfo_t`; sigaction(2).
"""

from __future__ import annotations

import signal
from typing import Final

from irsan.engine.glue.checks.gaps import gap_text
from irsan.runtime.layout import events, memory_map
from irsan.runtime.records import guarded_records
from irsan.runtime.records.context import CONTEXT_DTYPE, field_offset

#: every signal whose default action ends the process, but SIGKILL and the C library's own two
FATAL_SIGNALS: Final = tuple(
    number for number in range(1, 65) if number not in (9, *range(17, 24), 28, 32, 33)
)
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
_PAGE_FAULT_TRAP: Final = 14
_CLEARED_FLAGS: Final = 0x40500  # alignment check, direction, trap
ACTION_BYTES: Final = 152


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
    addr = memory_map.CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, name, index)
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
