"""ioctl: what a request reads and writes through its argument, when handle_ioctl asks for it.

    request   31..30 direction | 29..16 size in bytes | 15..8 group | 7..0 number
              direction: 1 the driver reads the argument, 2 it writes it, 3 both

Older requests (terminals 0x54.., sockets 0x89.., disks 0x12..) carry neither direction nor size:
those have lists here.  A request that says nothing is not looked at.

Source: ioctl_list(2), asm-generic/ioctl.h, ioctls.h and sockios.h of Linux for x86-64; LLVM's
sanitizer_common_interceptors_ioctl.inc for the order of the checks.
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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout import libc_layout as libc

BYTE = 0xFF
SIZE_MASK = 0x3FFF
LOW32 = 0xFFFF_FFFF
DIRECTION_READ = 1
DIRECTION_WRITE = 2
# As the kernel has it; the C library's is longer.
TERMIOS_BYTES = libc.size("struct kernel_termios")
TERMIO_BYTES = libc.size("struct termio")
IFREQ_BYTES = libc.size("struct ifreq")
ROUTE_BYTES = libc.size("struct rtentry")
SERIAL_BYTES = libc.size("struct serial_struct")
SIOCGIFCONF = 0x8912
TCGETS, TCGETA, TIOCGSERIAL = 0x5401, 0x5405, 0x541E
TIOCSSERIAL, TIOCSTI, BLKSECTGET = 0x541F, 0x5412, 0x1267
TCSETS, TCSETSF = 0x5402, 0x5404
TCSETA, TCSETAF = 0x5406, 0x5408
SIOCADDRT, SIOCDELRT = 0x890B, 0x890C
FIRST_IFREQ, LAST_IFREQ = 0x8910, 0x8943


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
TIOCSWINSZ = 0x5414
TIMES_WRITTEN = _requests(0x8906, 0x8907)  # SIOCGSTAMP, SIOCGSTAMPNS
# SIOCGIFNAME, ..FLAGS, ..ADDR, ..DSTADDR, ..BRDADDR, ..NETMASK, ..METRIC, ..MEM, ..MTU, ..ENCAP,
# ..HWADDR, ..SLAVE, ..INDEX, ..PFLAGS, ..COUNT, ..MAP of drivers, ..TXQLEN
IFREQS_WRITTEN = _requests(
    0x8910, 0x8913, 0x8915, 0x8917, 0x8919, 0x891B, 0x891D, 0x891F, 0x8921, 0x8925,
    0x8927, 0x8929, 0x8933, 0x8935, 0x8938, 0x8942,
)  # fmt: skip


@kernel
def is_encoded(request: u64) -> bool:
    """Whether a request carries its direction and size."""
    size = (request >> 16) & SIZE_MASK
    group = (request >> 8) & BYTE
    return (request >> 30) != 0 and size != 0 and group != 0


@kernel
def is_between(value: u64, first: u64, last: u64) -> bool:
    """first <= value <= last."""
    return value >= first and value <= last


@kernel
def bytes_read_by(request: u64) -> u64:
    """How many bytes of its argument a request reads; 0 when that is not known."""
    if is_encoded(request):
        if ((request >> 30) & DIRECTION_READ) == 0:
            return 0
        return (request >> 16) & SIZE_MASK
    if request in INTS_READ or request == SIOCGIFCONF:
        return 4
    if request == TIOCSWINSZ:
        return 8
    if request == TIOCSTI:
        return 1
    if is_between(request, TCSETS, TCSETSF):
        return TERMIOS_BYTES
    if is_between(request, TCSETA, TCSETAF):
        return TERMIO_BYTES
    if request == TIOCSSERIAL:
        return SERIAL_BYTES
    if request in (u64(SIOCADDRT), u64(SIOCDELRT)):
        return ROUTE_BYTES
    if is_between(request, FIRST_IFREQ, LAST_IFREQ):
        return IFREQ_BYTES
    return 0


@kernel
def bytes_written_by(request: u64) -> u64:
    """How many bytes of its argument a request writes; 0 when that is not known."""
    if is_encoded(request):
        if ((request >> 30) & DIRECTION_WRITE) == 0:
            return 0
        return (request >> 16) & SIZE_MASK
    if request in INTS_WRITTEN:
        return 4
    if request in WORDS_WRITTEN:
        return 8
    if request in TIMES_WRITTEN:
        return 16
    if request in IFREQS_WRITTEN:
        return IFREQ_BYTES
    if request == TCGETS:
        return TERMIOS_BYTES
    if request == TCGETA:
        return TERMIO_BYTES
    if request == TIOCGSERIAL:
        return SERIAL_BYTES
    if request == BLKSECTGET:
        return 2
    return 0


@kernel
def ask_ioctl(ctx: Context, _descriptor: i32, request: u64, argument: u64) -> None:
    """Before ioctl."""
    if ctx.interface.checks_ioctl != 0:
        read(ctx, argument, bytes_read_by(request & LOW32))


@kernel
def written_by_ioctl(ctx: Context, status: i32, request: u64, argument: u64) -> None:
    """ioctl, unless it failed; SIOCGIFCONF fills the array that its ifconf names."""
    if ctx.interface.checks_ioctl == 0 or status < 0 or argument == 0:
        return
    request = request & LOW32
    if request == SIOCGIFCONF:
        written(ctx, load_u64(argument + 8), u64(load_u32(argument)))
    else:
        written(ctx, argument, bytes_written_by(request))


EXPORTS = (
    Export("i32 ioctl(i32,u64,ptr)", kernel="written_by_ioctl", real_first=True, takes=(1, 2),
           before="ask_ioctl"),
)  # fmt: skip
