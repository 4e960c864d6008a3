"""Shadow of variadic arguments: from the caller to the memory that the callee's va_list leads to.

    caller   variadic_begin(f, n)          n bytes of them are on the stack; none has set bits yet
             VARIADIC[8] = shadow          of the value in the second register
             variadic_copy(176, p, 24)     a structure at p is copied to the stack
    f        variadic_take(list, f, sp)    shadow of the register area and of the overflow area
             variadic_forward(list, g, n)  f's own arguments go on to g, from where they lie

A caller that has nothing to pass only says so (VARIADIC_SET_FOR).  For whom the area is not meant
has been called by natively compiled code: all its arguments count as initialised.

Source: MemorySanitizer's helper of variadic functions of x86-64; System V ABI, section 3.5.7.
Deviations: the callee takes the shadow at its entry, so va_start need do nothing but learn that
the list itself is set; the origin has one step more, the call.
"""

from __future__ import annotations

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64, real_memmove, store_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, has_bits, zero_pages
from irsan.runtime.kernels.uninitialised.uninit_use import uninit_stored
from irsan.runtime.layout.uninit_layout import (
    SHADOW_BIAS,
    VARIADIC,
    VARIADIC_BYTES,
    VARIADIC_FOR,
    VARIADIC_ON_STACK,
    VARIADIC_ORIGINS,
    VARIADIC_REGISTERS,
    VARIADIC_SET_FOR,
    VARIADIC_STACK,
)

NOT_TOLD = (1 << 64) - 1
UNTOLD = 256  # of the stack, where it is not known how much there is


@kernel
def variadic_begin(ctx: Context, callee: u64, stack_bytes: u64) -> None:
    """A call of `callee` follows, with so many bytes of variadic arguments on the stack."""
    store_u64(VARIADIC_FOR, callee)
    store_u64(VARIADIC_ON_STACK, stack_bytes)
    zero_pages(VARIADIC, VARIADIC_REGISTERS + min(stack_bytes, u64(VARIADIC_STACK)))


@kernel
def variadic_copy(ctx: Context, offset: u64, source: u64, size_bytes: u64) -> None:
    """A structure is passed in memory: its shadow, and where it was copied from."""
    if offset + size_bytes > VARIADIC_BYTES or not has_bits(source, size_bytes):
        return
    real_memmove(VARIADIC + offset, source + SHADOW_BIAS, size_bytes)
    i = u64(0)
    while i < size_bytes:
        store_u64(VARIADIC_ORIGINS + offset + i, source + i)
        i += 8


@kernel
def bytes_up_to_last(bits: u64) -> u64:
    """Size of a little-endian word without the upper bytes that are zero; at least one."""
    n_bytes = u64(8)
    while n_bytes > 1 and (bits >> 56) == 0:
        bits <<= 8
        n_bytes -= 1
    return n_bytes


@kernel
def area_taken(ctx: Context, target: u64, offset: u64, size_bytes: u64, sp: u64) -> None:
    """Arguments that begin at byte `offset` of the area lie at `target`."""
    if not has_bits(target, size_bytes):
        return
    i = u64(0)
    while i < size_bytes:
        bits = load_u64(VARIADIC + offset + i)
        store_u64(target + i + SHADOW_BIAS, bits)
        if bits != 0:
            place = load_u64(VARIADIC_ORIGINS + offset + i)
            uninit_stored(ctx, place, bytes_up_to_last(bits), target + i, 8, sp)
        i += 8


@kernel
def variadic_take(ctx: Context, va_list: u64, callee: u64, sp: u64) -> u64:
    """At the entry of a variadic function; `va_list`: one that has just been started.

    callee: itself, or 0 when everything that it is given counts as initialised.
    Returns the bytes of arguments on the stack, NOT_TOLD when it is not known.
    """
    stack_area, register_area = load_u64(va_list + 8), load_u64(va_list + 16)
    has_told = callee != 0 and load_u64(VARIADIC_FOR) == callee
    n_bytes, told = u64(UNTOLD), u64(NOT_TOLD)
    if has_told or (callee != 0 and load_u64(VARIADIC_SET_FOR) == callee):
        n_bytes = told = load_u64(VARIADIC_ON_STACK)
    store_u64(VARIADIC_FOR, 0)
    store_u64(VARIADIC_SET_FOR, 0)
    bits_clear(ctx, register_area, VARIADIC_REGISTERS)
    bits_clear(ctx, stack_area, n_bytes)
    if has_told:
        area_taken(ctx, register_area, 0, VARIADIC_REGISTERS, sp)
        area_taken(ctx, stack_area, VARIADIC_REGISTERS, min(n_bytes, u64(VARIADIC_STACK)), sp)
    return told


@kernel
def area_given(source: u64, offset: u64, size_bytes: u64) -> None:
    """Arguments that lie at `source` are passed at byte `offset` of the area."""
    if not has_bits(source, size_bytes):
        return
    real_memmove(VARIADIC + offset, source + SHADOW_BIAS, size_bytes)
    i = u64(0)
    while i < size_bytes:
        store_u64(VARIADIC_ORIGINS + offset + i, source + i)
        i += 8


@kernel
def variadic_forward(ctx: Context, va_list: u64, callee: u64, n_bytes: u64) -> None:
    """A function's own arguments are handed on, n_bytes of them on the stack (`variadic_take`)."""
    if n_bytes == NOT_TOLD:
        store_u64(VARIADIC_FOR, 0)
        store_u64(VARIADIC_SET_FOR, 0)
        return
    variadic_begin(ctx, callee, n_bytes)
    area_given(load_u64(va_list + 16), 0, VARIADIC_REGISTERS)
    area_given(load_u64(va_list + 8), VARIADIC_REGISTERS, min(n_bytes, u64(VARIADIC_STACK)))
