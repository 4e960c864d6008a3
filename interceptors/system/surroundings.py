"""Calls after which irsan could no longer do its work as before: it prepares, then they are made.

    chroot, setuid and similar     sources of snippets and modules of Python may be out of reach
    unshare, setns                 the same
    daemon, forkpty                the C library's would fork behind irsan's back

The preparation: `machine.before_leaving` (engine/run/run_surroundings.py).

Sources: chroot(2), credentials(7), daemon(3), openpty(3).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from irsan.interceptors.registry import Export
from irsan.interceptors.system.host_process import vfork

Routine = Callable[[Any, Sequence[int]], int]

_STANDARD: Final = (0, 1, 2)
_NAMING: Final = ("chroot", "initgroups")  # the first argument is a string
_LEAVING: Final = (
    "i32 chroot(ptr)", "i32 setuid(u32)", "i32 setgid(u32)", "i32 seteuid(u32)",
    "i32 setegid(u32)", "i32 setreuid(u32,u32)", "i32 setregid(u32,u32)",
    "i32 setresuid(u32,u32,u32)", "i32 setresgid(u32,u32,u32)", "i32 setgroups(u64,ptr)",
    "i32 initgroups(ptr,u32)", "i32 unshare(i32)", "i32 setns(i32,i32)",
)  # fmt: skip


def _leave(name: str, n_arguments: int, machine: Any, arguments: Sequence[int]) -> int:
    """Prepare, then call the C library's function; errno of a failure is its own."""
    machine.before_leaving()
    if name in _NAMING and arguments[0]:
        text = ctypes.string_at(arguments[0])
        machine.runtime.kernel("read", arguments[0], len(text) + 1)
    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    status = int(function(*map(ctypes.c_uint64, arguments[:n_arguments])))
    if status < 0:
        machine.give_errno(ctypes.get_errno())
    return status


def _daemon(machine: Any, arguments: Sequence[int]) -> int:
    """daemon: the parent ends at once, the child has no terminal."""
    stays, keeps = (word & 0xFFFF_FFFF for word in arguments[:2])
    child = vfork(machine, ())
    if child < 0:
        return -1
    if child:
        os._exit(0)
    os.setsid()
    if not stays:
        os.chdir("/")
    if not keeps:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in _STANDARD:
            os.dup2(null, descriptor)
        if null not in _STANDARD:
            os.close(null)
    return 0


def _forkpty(machine: Any, arguments: Sequence[int]) -> int:
    """forkpty: openpty, fork, and login_tty in the child."""
    master_at, *others = arguments[:4]
    libc = ctypes.CDLL(None, use_errno=True)
    master, slave = ctypes.c_int(), ctypes.c_int()
    places = (ctypes.c_uint64(word) for word in others)
    if libc.openpty(ctypes.byref(master), ctypes.byref(slave), *places) != 0:
        machine.give_errno(ctypes.get_errno())
        return -1
    child = vfork(machine, ())
    if child == 0:
        os.close(master.value)
        libc.login_tty(slave)
        return 0
    os.close(slave.value)
    if child < 0:
        os.close(master.value)
        return -1
    ctypes.c_int.from_address(master_at).value = master.value
    return child


EXPORTS = (
    *(Export(text, host=f"leave_{text.split()[1].partition('(')[0]}") for text in _LEAVING),
    Export("i32 daemon(i32,i32)", host="daemon"),
    Export("i32 forkpty(ptr,ptr,ptr,ptr)", host="forkpty"),
)
ROUTINES: dict[str, Routine] = {
    **{
        export.host: partial(_leave, export.name, len(export.arguments))
        for export in EXPORTS[: len(_LEAVING)]
    },
    "daemon": _daemon,
    "forkpty": _forkpty,
}
