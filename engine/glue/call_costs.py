"""Glue in front of system calls, which take longer than the safepoints that time passes with.

    kernel: does a thread wait for a time ?  ->  the call costs fuel (system_call_point, turns.py)

Virtual time passes with slices, and a slice is a thousand safepoints. Without a cost a thread that
reads and writes in a loop until another one has slept would do so for minutes.
"""

from __future__ import annotations

from typing import Final

from irsan.interceptors.registry import Export

_FILES: Final = (
    "open open64 creat close read write pread pread64 pwrite pwrite64 readv writev preadv"
    " preadv64 pwritev pwritev64 fcntl fcntl64 ioctl dup dup2 dup3 pipe pipe2 stat stat64 fstat"
    " fstat64 lstat lstat64 fstatat fstatat64 statx access unlink rename mkdir rmdir link symlink"
    " readlink chmod"
)
_NETWORK: Final = (
    "socket socketpair bind listen connect accept accept4 send sendto sendmsg sendmmsg recv"
    " recvfrom recvmsg recvmmsg getsockopt setsockopt getsockname getpeername"
)
_OTHERS: Final = (
    "poll ppoll select pselect epoll_wait epoll_pwait epoll_ctl mmap mmap64 munmap mprotect"
    " getrusage getrlimit syscall"
)
_SYSTEM_CALLS: Final = frozenset(" ".join((_FILES, _NETWORK, _OTHERS)).split())


def cost_lines(export: Export) -> list[str]:
    """Lines at the beginning of an export's body."""
    return ["call void @k.system_call_point()"] if export.name in _SYSTEM_CALLS else []
