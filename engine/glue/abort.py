"""Glue for programs that end themselves: abort, and the functions of a failed assertion.

    __interceptor_abort   its caller is passed to the host, then irsan_abort_now
    __interceptor___assert_fail and similar   the host prints the C library's text, then the same
    irsan_abort_now       SIGABRT is unblocked and raised: the program's handler runs, or the crash
                          handler; when that handler returns or the signal is ignored, the default
                          action is put back and it is raised again

The C library's own abort would end the process behind a handler that returns, before any report.

Source: abort(3), assert(3); the Linux Standard Base for __assert_fail's arguments.
"""

from __future__ import annotations

import signal
from typing import Final

from irsan.engine.glue.crash import ACTION_BYTES

_SIG_UNBLOCK: Final = 1
_NUMBER: Final = int(signal.SIGABRT)
_BIT: Final = 1 << (_NUMBER - 1)
# name -> the host export that prints its message, and their parameters
_ASSERTIONS: Final = {
    "__assert_fail": ("irsan_assertion_failed", "ptr %a0, ptr %a1, i32 %a2, ptr %a3"),
    "__assert_perror_fail": ("irsan_errno_assertion_failed", "i32 %a0, ptr %a1, i32 %a2, ptr %a3"),
    "__assert": ("irsan_plain_assertion_failed", "ptr %a0, ptr %a1, i32 %a2"),
    "_ZSt21__glibcxx_assert_failPKciS0_S0_": (
        "irsan_library_assertion_failed", "ptr %a0, i32 %a1, ptr %a2, ptr %a3",
    ),
}  # fmt: skip


def abort_glue() -> str:
    """LLVM text of the functions above."""
    asserted = (_assertion(name, *row) for name, row in _ASSERTIONS.items())
    return "\n".join([_abort_now(), _abort(), *asserted])


def _abort_now() -> str:
    return f"""
define void @irsan_abort_now() noreturn noinline {{
  %set = alloca %irsan.set, align 16
  %default = alloca %irsan.action, align 16
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 128, i1 false)
  call void @llvm.memset.p0.i64(ptr %default, i8 0, i64 {ACTION_BYTES}, i1 false)
  store i64 {_BIT}, ptr %set
  %unblocked = call i32 @irsan_pthread_sigmask(i32 {_SIG_UNBLOCK}, ptr %set, ptr null)
  %raised = call i32 @__irsan_real_raise(i32 {_NUMBER})
  %forgotten = call i32 @irsan_set_action(i32 {_NUMBER}, ptr %default, ptr null)
  %again = call i32 @irsan_pthread_sigmask(i32 {_SIG_UNBLOCK}, ptr %set, ptr null)
  %last = call i32 @__irsan_real_raise(i32 {_NUMBER})
  call void @__irsan_real_abort()
  unreachable
}}"""


def _abort() -> str:
    return """
define void @__interceptor_abort() noreturn noinline {
  %caller = call ptr @llvm.returnaddress(i32 0)
  call void @__interceptor_irsan_abort_called(ptr %caller)
  call void @irsan_abort_now()
  unreachable
}"""


def _assertion(name: str, told: str, parameters: str) -> str:
    return f"""
define void @__interceptor_{name}({parameters}) noreturn {{
  call void @__interceptor_{told}({parameters})
  call void @irsan_abort_now()
  unreachable
}}"""
