"""What the handler of native faults (templates/signals/crash.ll) and its reader agree on.

`findings/crash.py` has its story.  Source: Linux's x86-64 `ucontext_t`; signal(7).
"""

from __future__ import annotations

from typing import Final

from irsan.runtime.layout import libc_layout as libc

ACTION_BYTES: Final = libc.size("struct sigaction")

# Words of ctx.crash.
SIGNAL, CODE, ADDRESS, ERROR, TRAP, RIP, RSP, RBP, FLAGS, WRITE = range(10)
FIRST_REGISTER: Final = 10
(
    REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
    REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
) = range(FIRST_REGISTER, FIRST_REGISTER + 16)  # fmt: skip
REGISTERS: Final = (
    "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
)  # fmt: skip

#: general registers of ucontext_t, in the order the kernel stores them, 8 bytes each
_GREGS: Final = (
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx", "rdx",
    "rax", "rcx", "rsp", "rip", "flags", "segments", "error", "trap", "mask", "cr2",
)  # fmt: skip
_GREGS_OFFSET: Final = 40
#: bytes from the start of a ucontext_t
GREG_OFFSETS: Final = {name: _GREGS_OFFSET + 8 * index for index, name in enumerate(_GREGS)}
