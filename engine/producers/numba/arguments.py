"""Arguments of a numba kernel as the harness reads them: blocks of memory, and words.

    array                nothing, nothing, items, bytes of an item, data, shape ..., strides ...
    integer, bool        a word;   float: its bits;   complex: two words;   tuple: its parts

Arrays that share memory share a block, which has just the bytes that they reach: the byte behind an
array is behind the block. A word is a number, or a place in a block.

Source: numba's developer documents, "Data model".
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from irsan.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_U64: Final = struct.Struct("<Q")
_LOW: Final = (1 << 64) - 1


@dataclass(slots=True)
class PackedArguments:
    """What the harness is given.

    blocks: [lo, hi) in this process;  writable: whether any array that lies in it may be written.
    words: (1 + block, offset) or (0, number).
    """

    blocks: list[tuple[int, int]] = field(default_factory=list)
    writable: list[bool] = field(default_factory=list)
    words: list[tuple[int, int]] = field(default_factory=list)

    def encoded(self) -> bytes:
        """The file that the harness reads."""
        out = [_U64.pack(len(self.blocks))]
        for lo, hi in self.blocks:
            out += [_U64.pack(hi - lo), ctypes.string_at(lo, hi - lo)]
        out.append(_U64.pack(len(self.words)))
        out += [_U64.pack(block) + _U64.pack(value & _LOW) for block, value in self.words]
        return b"".join(out)

    def copy_back(self, raw: bytes) -> int:
        """Put what the kernel has written into the arrays; returns the kernel's status."""
        at = _U64.size
        for (lo, hi), may_be_written in zip(self.blocks, self.writable, strict=True):
            if may_be_written:
                ctypes.memmove(lo, raw[at : at + hi - lo], hi - lo)
            at += hi - lo
        return int.from_bytes(raw[: _U64.size], "little", signed=True)


def pack_arguments(arguments: Sequence[Any]) -> PackedArguments:
    """The arguments of a call. UsageError for one that a kernel cannot be checked with."""
    packed = PackedArguments()
    arrays = [one for argument in arguments for one in _arrays(argument)]
    _join_blocks(packed, arrays)
    for number, argument in enumerate(arguments):
        packed.words += _words(argument, packed, number)
    return packed


def _arrays(argument: Any) -> list[NDArray[Any]]:
    import numpy as np

    if isinstance(argument, np.ndarray):
        return [argument]
    return [one for part in argument for one in _arrays(part)] if type(argument) is tuple else []


def _bounds(array: NDArray[Any]) -> tuple[int, int]:
    """The bytes [lo, hi) that an array reaches."""
    lo = hi = int(array.ctypes.data)
    if array.size == 0:
        return lo, hi
    for length, stride in zip(array.shape, array.strides, strict=True):
        reach = (length - 1) * stride
        lo, hi = (lo + reach, hi) if reach < 0 else (lo, hi + reach)
    return lo, hi + array.itemsize


def _join_blocks(packed: PackedArguments, arrays: Sequence[NDArray[Any]]) -> None:
    rows = sorted((*_bounds(one), bool(one.flags.writeable)) for one in arrays)
    for lo, hi, may_be_written in rows:
        if packed.blocks and lo < packed.blocks[-1][1]:
            packed.blocks[-1] = (packed.blocks[-1][0], max(hi, packed.blocks[-1][1]))
            packed.writable[-1] |= may_be_written
        elif not packed.blocks or packed.blocks[-1] != (lo, hi):
            packed.blocks.append((lo, hi))
            packed.writable.append(may_be_written)


def _place(array: NDArray[Any], packed: PackedArguments) -> tuple[int, int]:
    lo, hi = _bounds(array)
    for number, (start, end) in enumerate(packed.blocks):
        if start <= lo and hi <= end:
            return number + 1, int(array.ctypes.data) - start
    raise AssertionError("an array lies in no block")


def _words(argument: Any, packed: PackedArguments, number: int) -> list[tuple[int, int]]:
    import numpy as np

    if isinstance(argument, np.ndarray):
        numbers = (argument.size, argument.itemsize)
        shape = (*argument.shape, *argument.strides)
        return [(0, 0), (0, 0), *((0, int(one)) for one in numbers), _place(argument, packed),
                *((0, int(one)) for one in shape)]  # fmt: skip
    if type(argument) is tuple:
        return [word for part in argument for word in _words(part, packed, number)]
    if isinstance(argument, (bool, int, np.bool_, np.integer)):
        return [(0, int(argument))]
    if isinstance(argument, np.float32):
        return [(0, int(argument.view(np.uint32)))]
    if isinstance(argument, (float, np.float64)):
        return [(0, _bits(float(argument)))]
    if type(argument) in (complex, np.complex128):
        return [(0, _bits(argument.real)), (0, _bits(argument.imag))]
    raise UsageError(
        f"argument {number} is a {type(argument).__name__}; irsan.check takes numpy arrays, "
        "integers, floats, complex numbers, booleans and tuples of those"
    )


def _bits(value: float) -> int:
    return int.from_bytes(struct.pack("<d", value), "little")
