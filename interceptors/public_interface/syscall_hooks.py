"""__sanitizer_syscall_pre_impl_*, post_impl_*: a program tells of the system calls it makes itself.

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
from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import read, written
from irsan.interceptors.public_interface import syscall_table as st
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_strlen
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read

I64_0 = np.int64(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_5 = np.uint64(5)
U64_7 = np.uint64(7)
U64_8 = np.uint64(8)
U64_11 = np.uint64(11)
U64_16 = np.uint64(16)
U64_24 = np.uint64(24)
U64_32 = np.uint64(32)
U64_40 = np.uint64(40)
U64_63 = np.uint64(63)
U64_64 = np.uint64(64)
U64_PAGE = np.uint64(4096)
U64_LOW32 = np.uint64(0xFFFF_FFFF)
TOO_MANY = np.uint64(1 << 40)  # no size and no count is as large
READ = np.uint64(st.READ)
CONSTANT = np.uint64(st.CONSTANT)
ARGUMENT = np.uint64(st.ARGUMENT)
RESULT = np.uint64(st.RESULT)
STRING = np.uint64(st.STRING)
PAGES = np.uint64(st.PAGES)
BITS = np.uint64(st.BITS)
PIECES = np.uint64(st.PIECES)
MESSAGE = np.uint64(st.MESSAGE)
NO_LIMIT = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel("u64(u64,u64,u64,u64,u64,u64,u64)")
def argument_of(number: Any, a0: Any, a1: Any, a2: Any, a3: Any, a4: Any, a5: Any) -> Any:
    """One of the arguments by its number; NO_LIMIT for none."""
    if number == U64_0:
        return a0
    if number == U64_1:
        return a1
    if number == U64_2:
        return a2
    if number == U64_3:
        return a3
    if number == U64_4:
        return a4
    if number == U64_5:
        return a5
    return NO_LIMIT


@kernel("u64(u64,u64,u64,u64)")
def size_of_range(mode: Any, factor: Any, named: Any, result: Any) -> Any:
    """Bytes of a range: `named` is the argument that the word names, if any."""
    if mode == CONSTANT:
        return factor
    if mode == ARGUMENT:
        return named * factor
    if mode == RESULT:
        return min(result, named) * factor
    if mode == PAGES:
        return (named + U64_PAGE - U64_1) // U64_PAGE
    return ((named + U64_63) // U64_64) * U64_8


@kernel("void(ctx,u64,u64,u64)")
def pieces_written(ctx: Any, pieces: Any, n_pieces: Any, n_bytes: Any) -> None:
    """A call filled the pieces of an array of struct iovec, `n_bytes` in all."""
    read(ctx, pieces, n_pieces * U64_16)
    while n_pieces != U64_0 and n_bytes != U64_0:
        room = min(load_u64(pieces + U64_8), n_bytes)
        written(ctx, load_u64(pieces), room)
        n_bytes -= room
        n_pieces -= U64_1
        pieces += U64_16


@kernel("void(ctx,u64,u64)")
def message_filled(ctx: Any, message: Any, n_bytes: Any) -> None:
    """recvmsg filled the pieces and the control data of a struct msghdr."""
    pieces_written(ctx, load_u64(message + U64_16), load_u64(message + U64_24), n_bytes)
    written(ctx, load_u64(message + U64_32), load_u64(message + U64_40))


@kernel("void(ctx,u64,u64,u64,u64,u64)", outlined=True)
def touch_range(ctx: Any, word: Any, addr: Any, named: Any, result: Any, factor: Any) -> None:
    """Check the range that one word describes; `addr` is its pointer."""
    mode = (word >> U64_5) & U64_7
    is_read = (word & U64_3) == READ
    if mode == STRING:
        if is_read:
            whole_string_read(ctx, addr, NO_FAMILY)
        else:
            written(ctx, addr, real_strlen(addr) + U64_1)
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


@kernel("void(ctx,u64,u64,u64,u64,u64,u64,u64,u64)")
def touch_word(
    ctx: Any, word: Any, result: Any, a0: Any, a1: Any, a2: Any, a3: Any, a4: Any, a5: Any
) -> None:
    """What one word of the table says of a call with these arguments; 0 says nothing."""
    if word == U64_0:
        return
    addr = argument_of((word >> U64_2) & U64_7, a0, a1, a2, a3, a4, a5)
    named = argument_of((word >> U64_8) & U64_7, a0, a1, a2, a3, a4, a5)
    if addr != U64_0:
        touch_range(ctx, word, addr, named, result, word >> U64_11)


@kernel("void(ctx,u64,u64,u64,u64,u64,u64,u64,u64,u64)", outlined=True)
def touch_ranges(
    ctx: Any, result: Any, a0: Any, a1: Any, a2: Any, a3: Any, a4: Any, a5: Any,
    first: Any, second: Any,
) -> None:  # fmt: skip
    """What the four words of two constants say."""
    touch_word(ctx, first & U64_LOW32, result, a0, a1, a2, a3, a4, a5)
    touch_word(ctx, first >> U64_32, result, a0, a1, a2, a3, a4, a5)
    touch_word(ctx, second & U64_LOW32, result, a0, a1, a2, a3, a4, a5)
    touch_word(ctx, second >> U64_32, result, a0, a1, a2, a3, a4, a5)


@kernel("void(ctx,u64,u64,u64,u64,u64,u64,u64,u64)")
def before_syscall(
    ctx: Any, a0: Any, a1: Any, a2: Any, a3: Any, a4: Any, a5: Any, first: Any, second: Any
) -> None:
    """pre_impl."""
    touch_ranges(ctx, U64_0, a0, a1, a2, a3, a4, a5, first, second)


@kernel("void(ctx,i64,u64,u64,u64,u64,u64,u64,u64,u64)")
def after_syscall(
    ctx: Any, result: Any, a0: Any, a1: Any, a2: Any, a3: Any, a4: Any, a5: Any,
    first: Any, second: Any,
) -> None:  # fmt: skip
    """post_impl."""
    if result >= I64_0:
        touch_ranges(ctx, np.uint64(result), a0, a1, a2, a3, a4, a5, first, second)


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
