"""Views of records inside kernels: an address becomes a record, and a record an address.

A record is one pointer in LLVM, or its address, so `ctx.epoch` in a kernel is one load.
`thread_at(addr)` turns an address into such a view.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from irsan.runtime.kernels.placed_records import PlacedType
from irsan.runtime.kernels.record import Placed, Record
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.scalars import u64

__all__ = ["CONTEXT_TYPE", "addr_of", "record_at", "record_in", "record_type", "thread_at"]

_intrinsic: Any = intrinsic
_I64 = ir.IntType(64)
_AnyRecord = TypeVar("_AnyRecord", bound=Record)
_AnyPlaced = TypeVar("_AnyPlaced", bound=Placed)


def record_type(kind: type[Record]) -> Any:
    """numba's type of a record."""
    return PlacedType(kind) if issubclass(kind, Placed) else numba.from_dtype(kind.layout)


CONTEXT_TYPE = record_type(Context)


def record_at(kind: type[_AnyRecord]) -> Callable[[u64], _AnyRecord]:
    """What a kernel calls to see the record at an address: a cast, no copy."""
    result = record_type(kind)

    def view(typingctx: Any, addr: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            if issubclass(kind, Placed):
                return args[0]
            return builder.inttoptr(args[0], context.get_value_type(result))

        return result(types.uint64), codegen

    made: Callable[[u64], _AnyRecord] = _intrinsic(view)
    return made


def record_in(kind: type[_AnyPlaced], table: int) -> Callable[[u64], _AnyPlaced]:
    """What a kernel calls to see a record of a table by its index: a cast, no copy.

    table: the address of the record whose index is 0.
    """
    result = record_type(kind)
    stride = kind.layout.itemsize

    def view(typingctx: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            distance = builder.mul(args[0], ir.Constant(_I64, stride))
            return builder.add(distance, ir.Constant(_I64, table))

        return result(types.uint64), codegen

    made: Callable[[u64], _AnyPlaced] = _intrinsic(view)
    return made


def _addr_of(typingctx: Any, record: Any) -> Any:
    """Address of a record view."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return args[0] if isinstance(record, PlacedType) else builder.ptrtoint(args[0], _I64)

    return types.uint64(record), codegen


addr_of: Callable[[Record], u64] = _intrinsic(_addr_of)
thread_at = record_at(Thread)
