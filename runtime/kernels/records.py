"""Typed views, inside kernels, of the records in `irsan.runtime.records.context`.

A record type is one pointer in LLVM, so `ctx.epoch` in a kernel is one load.  `thread_at(addr)`
turns an address into such a view.  New fields go into `irsan/runtime/records/context.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from irsan.runtime.kernels.record_types import Thread
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE

__all__ = [
    "CONTEXT_DTYPE",
    "CONTEXT_TYPE",
    "RECORD_TYPES",
    "THREAD_DTYPE",
    "THREAD_TYPE",
    "record_at",
    "record_to_addr",
    "thread_at",
]

CONTEXT_TYPE = numba.from_dtype(CONTEXT_DTYPE)
THREAD_TYPE = numba.from_dtype(THREAD_DTYPE)

RECORD_TYPES: dict[str, Any] = {"thread": THREAD_TYPE}


def record_at(record_type: Any) -> Any:
    """Intrinsic `view(addr: u64) -> record` for a numba record type: a cast, no copy."""

    @intrinsic
    def view(typingctx: Any, addr: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(record_type))

        return record_type(types.uint64), codegen

    return view


def _record_to_addr(typingctx: Any, record: Any) -> Any:
    """Address of a record view."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], ir.IntType(64))

    return types.uint64(record), codegen


_intrinsic: Any = intrinsic
record_to_addr: Callable[[object], u64] = _intrinsic(_record_to_addr)
thread_at: Callable[[u64], Thread] = record_at(THREAD_TYPE)
