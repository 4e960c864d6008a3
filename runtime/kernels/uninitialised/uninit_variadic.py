"""Shadow of variadic arguments: from the caller to the memory that the callee's va_list leads to.

    caller   variadic_begin(f, n)          n bytes of them are on the stack; none has set bits yet
             VARIADIC[8] = shadow          of what is in the second register
             variadic_copy(176, p, 24)     a structure at p is copied to the stack
    f        variadic_take(list, f, sp)    shadow of the register area and of the overflow area
             variadic_forward(list, g, n)  f's own arguments go on to g, from where they lie

A caller that has nothing to tell only says so (VARIADIC_SET_FOR).  For whom the area is not meant
has been called by natively compiled code: all its arguments count as initialised.

Source: MemorySanitizer's helper of variadic functions of x86-64; System V ABI, section 3.5.7.
Deviations: the callee takes the shadow at its entry, so va_start need do nothing but be told that
the list itself is set; the origin has one step more, the call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memmove, store_u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    U64_SHADOW,
    bits_clear,
    has_bits,
    zero_pages,
)
from irsan.runtime.kernels.uninitialised.uninit_use import uninit_stored
from irsan.runtime.layout import uninit_layout as ul

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_56 = np.uint64(56)
U64_VARIADIC = np.uint64(ul.VARIADIC)
U64_ORIGINS_OF = np.uint64(ul.VARIADIC_ORIGINS)
U64_FOR = np.uint64(ul.VARIADIC_FOR)
U64_SET_FOR = np.uint64(ul.VARIADIC_SET_FOR)
U64_ON_STACK = np.uint64(ul.VARIADIC_ON_STACK)
U64_REGISTERS = np.uint64(ul.VARIADIC_REGISTERS)
U64_STACK = np.uint64(ul.VARIADIC_STACK)
U64_LIMIT = np.uint64(ul.VARIADIC_BYTES)
U64_NOT_TOLD = np.uint64((1 << 64) - 1)
U64_UNTOLD = np.uint64(256)  # of the stack, where nobody says how much there is


@kernel("void(ctx,u64,u64)")
def variadic_begin(ctx: Any, callee: Any, stack_bytes: Any) -> None:
    """A call of `callee` follows, with so many bytes of variadic arguments on the stack."""
    store_u64(U64_FOR, callee)
    store_u64(U64_ON_STACK, stack_bytes)
    zero_pages(U64_VARIADIC, U64_REGISTERS + min(stack_bytes, U64_STACK))


@kernel("void(ctx,u64,u64,u64)")
def variadic_copy(ctx: Any, offset: Any, source: Any, size_bytes: Any) -> None:
    """A structure is passed in memory: its shadow, and where it was copied from."""
    if offset + size_bytes > U64_LIMIT or not has_bits(source, size_bytes):
        return
    real_memmove(U64_VARIADIC + offset, source + U64_SHADOW, size_bytes)
    i = U64_0
    while i < size_bytes:
        store_u64(U64_ORIGINS_OF + offset + i, source + i)
        i += U64_8


@kernel("u64(u64)")
def bytes_up_to_last(bits: Any) -> Any:
    """Size of a little-endian word without the upper bytes that are zero; at least one."""
    n_bytes = U64_8
    while n_bytes > U64_1 and (bits >> U64_56) == U64_0:
        bits <<= U64_8
        n_bytes -= U64_1
    return n_bytes


@kernel("void(ctx,u64,u64,u64,u64)")
def area_taken(ctx: Any, target: Any, offset: Any, size_bytes: Any, sp: Any) -> None:
    """Arguments that begin at byte `offset` of the area lie at `target`."""
    if not has_bits(target, size_bytes):
        return
    i = U64_0
    while i < size_bytes:
        bits = load_u64(U64_VARIADIC + offset + i)
        store_u64(target + i + U64_SHADOW, bits)
        if bits != U64_0:
            place = load_u64(U64_ORIGINS_OF + offset + i)
            uninit_stored(ctx, place, bytes_up_to_last(bits), target + i, U64_8, sp)
        i += U64_8


@kernel("u64(ctx,u64,u64,u64)")
def variadic_take(ctx: Any, va_list: Any, callee: Any, sp: Any) -> Any:
    """At the entry of a variadic function; `va_list`: one that has just been started.

    callee: itself, or 0 when everything that it is given counts as initialised.
    Returns the bytes of arguments on the stack, U64_NOT_TOLD when nobody says.
    """
    stack_area, register_area = load_u64(va_list + U64_8), load_u64(va_list + U64_16)
    has_told = callee != U64_0 and load_u64(U64_FOR) == callee
    n_bytes, told = U64_UNTOLD, U64_NOT_TOLD
    if has_told or (callee != U64_0 and load_u64(U64_SET_FOR) == callee):
        n_bytes = told = load_u64(U64_ON_STACK)
    store_u64(U64_FOR, U64_0)
    store_u64(U64_SET_FOR, U64_0)
    bits_clear(ctx, register_area, U64_REGISTERS)
    bits_clear(ctx, stack_area, n_bytes)
    if has_told:
        area_taken(ctx, register_area, U64_0, U64_REGISTERS, sp)
        area_taken(ctx, stack_area, U64_REGISTERS, min(n_bytes, U64_STACK), sp)
    return told


@kernel("void(u64,u64,u64)")
def area_given(source: Any, offset: Any, size_bytes: Any) -> None:
    """Arguments that lie at `source` are passed at byte `offset` of the area."""
    if not has_bits(source, size_bytes):
        return
    real_memmove(U64_VARIADIC + offset, source + U64_SHADOW, size_bytes)
    i = U64_0
    while i < size_bytes:
        store_u64(U64_ORIGINS_OF + offset + i, source + i)
        i += U64_8


@kernel("void(ctx,u64,u64,u64)")
def variadic_forward(ctx: Any, va_list: Any, callee: Any, n_bytes: Any) -> None:
    """A function's own arguments are handed on, n_bytes of them on the stack (`variadic_take`)."""
    if n_bytes == U64_NOT_TOLD:
        store_u64(U64_FOR, U64_0)
        store_u64(U64_SET_FOR, U64_0)
        return
    variadic_begin(ctx, callee, n_bytes)
    area_given(load_u64(va_list + U64_16), U64_0, U64_REGISTERS)
    area_given(load_u64(va_list + U64_8), U64_REGISTERS, min(n_bytes, U64_STACK))
