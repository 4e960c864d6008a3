"""What the virtual machine's operations do that numba has no words for.

Division is LLVM's own instruction, so that a division by zero is the processor's trap, as in
native code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from irsan.runtime.kernels.memory import load_u8, load_u64, store_u8, store_u64
from irsan.runtime.kernels.scalars import u64

LOW32 = np.uint64(0xFFFFFFFF)
SIGN32, SIGN64 = np.uint64(1 << 31), np.uint64(1 << 63)
ALL_ONES = np.uint64(2**64 - 1)


def _inlined(function: Callable[..., Any]) -> Any:
    decorate: Any = numba.njit(forceinline=True, error_model="numpy")
    return decorate(function)



def _bitcast(from_type: Any, to_type: Any, llvm_type: ir.Type) -> Any:
    @intrinsic
    def cast(typingctx: Any, bits: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.bitcast(args[0], llvm_type)

        return to_type(from_type), codegen

    return cast


def _division(name: str, numba_type: Any) -> Any:
    @intrinsic
    def divide(typingctx: Any, left: Any, right: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return getattr(builder, name)(*args)

        return numba_type(numba_type, numba_type), codegen

    return divide


bits_to_f32 = _bitcast(types.uint32, types.float32, ir.FloatType())
bits_to_f64 = _bitcast(types.uint64, types.float64, ir.DoubleType())
f32_to_bits = _bitcast(types.float32, types.uint32, ir.IntType(32))
f64_to_bits = _bitcast(types.float64, types.uint64, ir.IntType(64))
sdiv_64, udiv_64, srem_64, urem_64 = [
    _division(name, types.uint64) for name in ("sdiv", "udiv", "srem", "urem")
]
sdiv_32, udiv_32, srem_32, urem_32 = [
    _division(name, types.uint32) for name in ("sdiv", "udiv", "srem", "urem")
]


@_inlined
def sext16(value: Any) -> Any:
    """A number of 16 bits as a signed one of 64."""
    return np.int64(np.int16(value))


@_inlined
def sext32(value: Any) -> Any:
    """The lower 32 bits as a signed number of 64."""
    return np.int64(np.int32(np.uint32(value)))


@_inlined
def jump(is_taken: Any, n_words: Any) -> Any:
    """Bytes to add to pc."""
    return u64(n_words) << u64(3) if is_taken else u64(0)


@_inlined
def copy_words(target: Any, source: Any, n_words: Any) -> None:
    """Words upwards; the ranges are equal or apart."""
    for i in range(n_words):
        store_u64(target + u64(i) * u64(8), load_u64(source + u64(i) * u64(8)))


@_inlined
def copy_bytes(target: Any, source: Any, n_bytes: Any) -> None:
    """Bytes upwards; the ranges are apart."""
    done = u64(0)
    while done + u64(8) <= n_bytes:
        store_u64(target + done, load_u64(source + done))
        done += u64(8)
    while done < n_bytes:
        store_u8(target + done, load_u8(source + done))
        done += u64(1)


@_inlined
def table_target(value: Any, pc: Any, n_cases: Any) -> Any:
    """A switch by table at pc: lowest case, then distances; the first is the default's."""
    index = value - load_u64(pc)
    place = index + u64(1) if index < n_cases else u64(0)
    distance = load_u64(pc + u64(8) + place * u64(8))
    return pc + distance


@_inlined
def search_target(value: Any, pc: Any, n_cases: Any) -> Any:
    """A switch by search at pc: the default's distance, then (case, distance) in rising order."""
    low, high = u64(0), n_cases
    while low < high:
        middle = (low + high) >> u64(1)
        entry = pc + u64(8) + middle * u64(16)
        case = load_u64(entry)
        if case == value:
            return pc + load_u64(entry + u64(8))
        if case < value:
            low = middle + u64(1)
        else:
            high = middle
    return pc + load_u64(pc)
