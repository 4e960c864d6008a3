"""ioctl: what a request reads and writes through its argument, when handle_ioctl asks for it.

    request   31..30 direction | 29..16 size in bytes | 15..8 group | 7..0 number
              direction: 1 the driver reads the argument, 2 it writes it, 3 both

Older requests (terminals 0x54.., sockets 0x89.., disks 0x12..) carry neither direction nor size:
those have lists here.  A request that says nothing is not looked at.

Source: ioctl_list(2), asm-generic/ioctl.h, ioctls.h and sockios.h of Linux for x86-64; LLVM's
sanitizer_common_interceptors_ioctl.inc for what is checked when.
Deviations: TIOCSCTTY's argument is a number, not read; an interface request that asks counts as
reading its ifreq, too.
Soundness: a driver may break its own request's promise; the flag is off unless asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import read, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.hook_words import CHECKS_IOCTL

_CHECKS_IOCTL = CHECKS_IOCTL

I32_0 = np.int32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_30 = np.uint64(30)
U64_BYTE = np.uint64(0xFF)
U64_SIZE_MASK = np.uint64(0x3FFF)
U64_LOW32 = np.uint64(0xFFFF_FFFF)
DIRECTION_READ = np.uint64(1)
DIRECTION_WRITE = np.uint64(2)
# As the kernel has it; the C library's is longer.
TERMIOS_BYTES = np.uint64(libc.size("struct kernel_termios"))
TERMIO_BYTES = np.uint64(libc.size("struct termio"))
IFREQ_BYTES = np.uint64(libc.size("struct ifreq"))
ROUTE_BYTES = np.uint64(libc.size("struct rtentry"))
SERIAL_BYTES = np.uint64(libc.size("struct serial_struct"))
SIOCGIFCONF = np.uint64(0x8912)
TCGETS, TCGETA, TIOCGSERIAL = np.uint64(0x5401), np.uint64(0x5405), np.uint64(0x541E)
TIOCSSERIAL, TIOCSTI, BLKSECTGET = np.uint64(0x541F), np.uint64(0x5412), np.uint64(0x1267)
TCSETS, TCSETSF = np.uint64(0x5402), np.uint64(0x5404)
TCSETA, TCSETAF = np.uint64(0x5406), np.uint64(0x5408)
SIOCADDRT, SIOCDELRT = np.uint64(0x890B), np.uint64(0x890C)
FIRST_IFREQ, LAST_IFREQ = np.uint64(0x8910), np.uint64(0x8943)


def _requests(*numbers: int) -> tuple[Any, ...]:
    return tuple(np.uint64(number) for number in numbers)


# TIOCGPGRP TIOCOUTQ TIOCMGET TIOCGSOFTCAR FIONREAD TIOCGETD TIOCGSID; FIOGETOWN SIOCGPGRP
# SIOCATMARK; BLKROGET BLKSSZGET; FIGETBSZ
INTS_WRITTEN = _requests(
    0x540F, 0x5411, 0x5415, 0x5419, 0x541B, 0x5424, 0x5429, 0x8903, 0x8904, 0x8905,
    0x125E, 0x1268, 0x2,
)  # fmt: skip
# TIOCSPGRP TIOCMBIS TIOCMBIC TIOCMSET TIOCSSOFTCAR TIOCPKT FIONBIO TIOCSETD FIOASYNC; FIOSETOWN
# SIOCSPGRP; BLKROSET
INTS_READ = _requests(
    0x5410, 0x5416, 0x5417, 0x5418, 0x541A, 0x5420, 0x5421, 0x5423, 0x5452, 0x8901, 0x8902, 0x125D,
)  # fmt: skip
# TIOCGWINSZ FIOQSIZE; BLKGETSIZE BLKRAGET BLKFRAGET
WORDS_WRITTEN = _requests(0x5413, 0x5460, 0x1260, 0x1263, 0x1265)
TIOCSWINSZ = np.uint64(0x5414)
TIMES_WRITTEN = _requests(0x8906, 0x8907)  # SIOCGSTAMP, SIOCGSTAMPNS
# SIOCGIFNAME, ..FLAGS, ..ADDR, ..DSTADDR, ..BRDADDR, ..NETMASK, ..METRIC, ..MEM, ..MTU, ..ENCAP,
# ..HWADDR, ..SLAVE, ..INDEX, ..PFLAGS, ..COUNT, ..MAP of drivers, ..TXQLEN
IFREQS_WRITTEN = _requests(
    0x8910, 0x8913, 0x8915, 0x8917, 0x8919, 0x891B, 0x891D, 0x891F, 0x8921, 0x8925,
    0x8927, 0x8929, 0x8933, 0x8935, 0x8938, 0x8942,
)  # fmt: skip


@kernel("b1(u64)")
def is_encoded(request: Any) -> Any:
    """Whether a request carries its direction and size."""
    size = (request >> U64_16) & U64_SIZE_MASK
    group = (request >> U64_8) & U64_BYTE
    return (request >> U64_30) != U64_0 and size != U64_0 and group != U64_0


@kernel("b1(u64,u64,u64)")
def is_between(value: Any, first: Any, last: Any) -> Any:
    """first <= value <= last."""
    return value >= first and value <= last


@kernel("u64(u64)")
def bytes_read_by(request: Any) -> Any:
    """How many bytes of its argument a request reads; 0 when that is not known."""
    if is_encoded(request):
        if ((request >> U64_30) & DIRECTION_READ) == U64_0:
            return U64_0
        return (request >> U64_16) & U64_SIZE_MASK
    if request in INTS_READ or request == SIOCGIFCONF:
        return U64_4
    if request == TIOCSWINSZ:
        return U64_8
    if request == TIOCSTI:
        return U64_1
    if is_between(request, TCSETS, TCSETSF):
        return TERMIOS_BYTES
    if is_between(request, TCSETA, TCSETAF):
        return TERMIO_BYTES
    if request == TIOCSSERIAL:
        return SERIAL_BYTES
    if request in (SIOCADDRT, SIOCDELRT):
        return ROUTE_BYTES
    if is_between(request, FIRST_IFREQ, LAST_IFREQ):
        return IFREQ_BYTES
    return U64_0


@kernel("u64(u64)")
def bytes_written_by(request: Any) -> Any:
    """How many bytes of its argument a request writes; 0 when that is not known."""
    if is_encoded(request):
        if ((request >> U64_30) & DIRECTION_WRITE) == U64_0:
            return U64_0
        return (request >> U64_16) & U64_SIZE_MASK
    if request in INTS_WRITTEN:
        return U64_4
    if request in WORDS_WRITTEN:
        return U64_8
    if request in TIMES_WRITTEN:
        return U64_16
    if request in IFREQS_WRITTEN:
        return IFREQ_BYTES
    if request == TCGETS:
        return TERMIOS_BYTES
    if request == TCGETA:
        return TERMIO_BYTES
    if request == TIOCGSERIAL:
        return SERIAL_BYTES
    if request == BLKSECTGET:
        return np.uint64(2)
    return U64_0


@kernel("void(ctx,i32,u64,u64)")
def ask_ioctl(ctx: Any, _descriptor: Any, request: Any, argument: Any) -> None:
    """Before ioctl."""
    if ctx.interface[_CHECKS_IOCTL] != U64_0:
        read(ctx, argument, bytes_read_by(request & U64_LOW32))


@kernel("void(ctx,i32,u64,u64)")
def written_by_ioctl(ctx: Any, status: Any, request: Any, argument: Any) -> None:
    """ioctl, unless it failed; SIOCGIFCONF fills the array that its ifconf names."""
    if ctx.interface[_CHECKS_IOCTL] == U64_0 or status < I32_0 or argument == U64_0:
        return
    request = request & U64_LOW32
    if request == SIOCGIFCONF:
        written(ctx, load_u64(argument + U64_8), np.uint64(load_u32(argument)))
    else:
        written(ctx, argument, bytes_written_by(request))


EXPORTS = (
    Export("i32 ioctl(i32,u64,ptr)", kernel="written_by_ioctl", real_first=True, takes=(1, 2),
           before="ask_ioctl"),
)  # fmt: skip
