"""__sanitizer_syscall_pre_impl_*, post_impl_*: a program announces the system calls it makes
itself.

    pre    ranges that the call will read, or write          before it
    post   ranges that it has written                        after it, when it did not fail

What each call touches stands in syscall_table.py; an export passes it as two constants of two words
each, which touch_word reads.  A call of a program with fewer arguments leaves the others undefined:
no word of its row names them.

Source: sanitizer/linux_syscall_hooks.h; the order of the checks is that of LLVM's
sanitizer_common_syscalls.inc.
Deviations: from that, sizes follow the manual pages where they differ from it (the value of
setsockopt, addresses of sockets, sets of select); requests of ptrace, keyctl, semctl and their like
are not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.interceptors.memory.passed_memory import read, written
from irsan.interceptors.public_interface import syscall_table as st
from irsan.interceptors.public_interface.syscall_table import (
    ARGUMENT,
    CONSTANT,
    MESSAGE,
    PAGES,
    PIECES,
    READ,
    RESULT,
    STRING,
)
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_strlen
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i64, u64
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read

PAGE = 4096
LOW32 = 0xFFFF_FFFF
TOO_MANY = 1 << 40  # no size and no count is as large
NO_LIMIT = 0xFFFF_FFFF_FFFF_FFFF


@kernel
def argument_of(number: u64, a0: u64, a1: u64, a2: u64, a3: u64, a4: u64, a5: u64) -> u64:
    """One of the arguments by its number; NO_LIMIT for none."""
    if number == 0:
        return a0
    if number == 1:
        return a1
    if number == 2:
        return a2
    if number == 3:
        return a3
    if number == 4:
        return a4
    if number == 5:
        return a5
    return NO_LIMIT


@kernel
def size_of_range(mode: u64, factor: u64, named: u64, result: u64) -> u64:
    """Bytes of a range: `named` is the argument that the word names, if any."""
    if mode == CONSTANT:
        return factor
    if mode == ARGUMENT:
        return named * factor
    if mode == RESULT:
        return min(result, named) * factor
    if mode == PAGES:
        return (named + PAGE - 1) // PAGE
    return ((named + 63) // 64) * 8


@kernel
def pieces_written(ctx: Context, pieces: u64, n_pieces: u64, n_bytes: u64) -> None:
    """A call filled the pieces of an array of struct iovec, `n_bytes` in all."""
    read(ctx, pieces, n_pieces * 16)
    while n_pieces != 0 and n_bytes != 0:
        room = min(load_u64(pieces + 8), n_bytes)
        written(ctx, load_u64(pieces), room)
        n_bytes -= room
        n_pieces -= 1
        pieces += 16


@kernel
def message_filled(ctx: Context, message: u64, n_bytes: u64) -> None:
    """recvmsg filled the pieces and the control data of a struct msghdr."""
    pieces_written(ctx, load_u64(message + 16), load_u64(message + 24), n_bytes)
    written(ctx, load_u64(message + 32), load_u64(message + 40))


@kernel(outlined=True)
def touch_range(ctx: Context, word: u64, addr: u64, named: u64, result: u64, factor: u64) -> None:
    """Check the range that one word describes; `addr` is its pointer."""
    mode = (word >> 5) & 7
    is_read = (word & 3) == READ
    if mode == STRING:
        if is_read:
            whole_string_read(ctx, addr, NO_FAMILY)
        else:
            written(ctx, addr, real_strlen(addr) + 1)
        return
    if mode == PIECES:
        if named < TOO_MANY:
            pieces_written(ctx, addr, named, result)
        return
    if mode == MESSAGE:
        message_filled(ctx, addr, result)
        return
    n_bytes = size_of_range(mode, factor, named, result)
    if n_bytes >= TOO_MANY:
        return
    if is_read:
        read(ctx, addr, n_bytes)
    else:
        written(ctx, addr, n_bytes)


@kernel
def touch_word(
    ctx: Context, word: u64, result: u64, a0: u64, a1: u64, a2: u64, a3: u64, a4: u64, a5: u64
) -> None:
    """What one word of the table says of a call with these arguments; 0 says nothing."""
    if word == 0:
        return
    addr = argument_of((word >> 2) & 7, a0, a1, a2, a3, a4, a5)
    named = argument_of((word >> 8) & 7, a0, a1, a2, a3, a4, a5)
    if addr != 0:
        touch_range(ctx, word, addr, named, result, word >> 11)


@kernel(outlined=True)
def touch_ranges(
    ctx: Context,
    result: u64,
    a0: u64,
    a1: u64,
    a2: u64,
    a3: u64,
    a4: u64,
    a5: u64,
    first: u64,
    second: u64,
) -> None:  # fmt: skip
    """What the four words of two constants say."""
    touch_word(ctx, first & LOW32, result, a0, a1, a2, a3, a4, a5)
    touch_word(ctx, first >> 32, result, a0, a1, a2, a3, a4, a5)
    touch_word(ctx, second & LOW32, result, a0, a1, a2, a3, a4, a5)
    touch_word(ctx, second >> 32, result, a0, a1, a2, a3, a4, a5)


@kernel
def before_syscall(
    ctx: Context, a0: u64, a1: u64, a2: u64, a3: u64, a4: u64, a5: u64, first: u64, second: u64
) -> None:
    """pre_impl."""
    touch_ranges(ctx, 0, a0, a1, a2, a3, a4, a5, first, second)


@kernel
def after_syscall(
    ctx: Context,
    result: i64,
    a0: u64,
    a1: u64,
    a2: u64,
    a3: u64,
    a4: u64,
    a5: u64,
    first: u64,
    second: u64,
) -> None:  # fmt: skip
    """post_impl."""
    if result >= 0:
        touch_ranges(ctx, u64(result), a0, a1, a2, a3, a4, a5, first, second)


def _exports() -> Iterator[Export]:
    words = ",".join(["u64"] * 6)
    for name, ranges in st.syscall_ranges().items():
        for side, kernel_name, result in (
            ("pre", "before_syscall", ""), ("post", "after_syscall", "i64,"),
        ):  # fmt: skip
            constants = st.words_to_constants(ranges, is_before=side == "pre")
            prototype = f"void __sanitizer_syscall_{side}_impl_{name}({result}{words})"
            if any(constants):
                yield Export(prototype, kernel=kernel_name, constants=constants)
            else:
                short = f"void __sanitizer_syscall_{side}_impl_{name}()"
                yield Export(short, kernel="i_nothing", quick=True)


EXPORTS = tuple(_exports())
