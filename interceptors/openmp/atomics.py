"""Atomic updates by call: __kmpc_atomic_fixed4_add and its like.

clang makes instructions of `atomic`; other compilers call these.  They are relaxed, as `atomic`
without a clause is: they race with plain accesses and order nothing.

Those that capture, and those of real numbers, are engine/glue/openmp_atomics.py.

Source: LLVM's kmp_atomic.h for the names.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u16,
    load_u32,
    load_u64,
    store_u8,
    store_u16,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.race.race_atomics import race_atomic_load, race_atomic_rmw
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u8, u16, u32, u64
from irsan.runtime.kernels.threads.turns import load_point, write_point

RELAXED = 0
OPERATIONS = (
    "add", "sub", "mul", "div", "andb", "orb", "xor", "shl", "shr", "max", "min", "wr", "andl",
    "orl",
)  # fmt: skip
ADD, SUB, MUL, DIV, ANDB, ORB, XOR, SHL, SHR, MAX, MIN, WRITE, ANDL, ORL = range(14)


@kernel
def extended(word: u64, n_bytes: u64, is_signed: u64) -> u64:
    """A number of 1 to 8 bytes, whatever the bits above it are."""
    bits = 64 - 8 * n_bytes
    return u64(i64(word << bits) >> i64(bits)) if is_signed != 0 else (word << bits) >> bits


@kernel
def load_sized(addr: u64, n_bytes: u64, is_signed: u64) -> u64:
    """The same, from memory."""
    if n_bytes == 8:
        return load_u64(addr)
    word = u64(load_u8(addr))
    if n_bytes == 2:
        word = u64(load_u16(addr))
    elif n_bytes == 4:
        word = u64(load_u32(addr))
    return extended(word, n_bytes, is_signed)


@kernel
def store_sized(addr: u64, value: u64, n_bytes: u64) -> None:
    """The same, written."""
    if n_bytes == 1:
        store_u8(addr, u8(value))
    elif n_bytes == 2:
        store_u16(addr, u16(value))
    elif n_bytes == 4:
        store_u32(addr, u32(value))
    else:
        store_u64(addr, value)


@kernel
def quotient(old: u64, value: u64, is_signed: u64) -> u64:
    """A quotient as C has it: towards zero; what has none stays."""
    if value == 0:
        return old
    if is_signed == 0:
        return old // value
    is_negative = (i64(old) < 0) != (i64(value) < 0)
    above = old if i64(old) >= 0 else 0 - old
    below = value if i64(value) >= 0 else 0 - value
    return 0 - above // below if is_negative else above // below


@kernel
def compared(old: u64, value: u64, operation: u64, is_signed: u64) -> u64:
    """The larger or the smaller of two numbers, or their quotient, by sign."""
    if operation == DIV:
        return quotient(old, value, is_signed)
    is_less = i64(old) < i64(value) if is_signed != 0 else old < value
    if operation == MIN:
        return old if is_less else value
    return value if is_less else old


@kernel
def updated(old: u64, value: u64, operation: u64, is_signed: u64) -> u64:
    """What an operation makes of two numbers."""
    if operation == ADD:
        return old + value
    if operation == SUB:
        return old - value
    if operation == MUL:
        return old * value
    if operation == ANDB:
        return old & value
    if operation == ORB:
        return old | value
    if operation == XOR:
        return old ^ value
    if operation == SHL:
        return old << value
    if operation == SHR:
        return u64(i64(old) >> i64(value)) if is_signed != 0 else old >> value
    if operation == WRITE:
        return value
    if operation == ANDL:
        return u64(old != 0 and value != 0)
    if operation == ORL:
        return u64(old != 0 or value != 0)
    return compared(old, value, operation, is_signed)


@kernel
def i_omp_atomic(
    ctx: Context, location: u64, gtid: i32, addr: u64, value: u64, operation: u64, n_bytes: u64,
    is_signed: u64,
) -> None:  # fmt: skip
    """An update."""
    write_point(ctx, addr)
    race_atomic_rmw(ctx, addr, n_bytes, RELAXED)
    old = load_sized(addr, n_bytes, is_signed)
    result = updated(old, extended(value, n_bytes, is_signed), operation, is_signed)
    store_sized(addr, result, n_bytes)


@kernel
def i_omp_atomic_read(
    ctx: Context, location: u64, gtid: i32, addr: u64, n_bytes: u64, is_signed: u64
) -> u64:
    """A read."""
    load_point(ctx, addr)
    race_atomic_load(ctx, addr, n_bytes, RELAXED)
    return load_sized(addr, n_bytes, is_signed)


@kernel
def i_omp_atomic_point(ctx: Context, addr: u64, n_bytes: u64) -> None:
    """An update comes next, which the glue does."""
    write_point(ctx, addr)
    race_atomic_rmw(ctx, addr, n_bytes, RELAXED)


@kernel
def i_omp_atomic_read_point(ctx: Context, addr: u64, n_bytes: u64) -> None:
    """A read comes next."""
    load_point(ctx, addr)
    race_atomic_load(ctx, addr, n_bytes, RELAXED)


def _exports() -> Iterator[Export]:
    yield Export("void irsan_omp_atomic(ptr,u64)", kernel="i_omp_atomic_point")
    yield Export("void irsan_omp_atomic_rd(ptr,u64)", kernel="i_omp_atomic_read_point")
    for n_bytes in (1, 2, 4, 8):
        for is_signed, sign in ((1, ""), (0, "u")):
            start = f"__kmpc_atomic_fixed{n_bytes}{sign}"
            for number, word in enumerate(OPERATIONS):
                yield Export(f"void {start}_{word}(ptr,i32,ptr,u64)", kernel="i_omp_atomic",
                             constants=(number, n_bytes, is_signed))  # fmt: skip
            yield Export(f"u64 {start}_rd(ptr,i32,ptr)", kernel="i_omp_atomic_read",
                         constants=(n_bytes, is_signed))  # fmt: skip


EXPORTS = tuple(_exports())
