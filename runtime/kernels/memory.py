"""Raw memory for kernels: the only module whose intrinsics touch an address.

Loads and stores are unaligned-safe (align 1 costs nothing on x86-64).  `record_at` (in records.py)
gives a typed view of a record at an address; these give single words, block copies and the real
libc functions under `__irsan_real_*` names, so that they never resolve to our own interceptors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from irsan.runtime.kernels.scalars import u8, u16, u32, u64

insert_function: Any = cgutils.get_or_insert_function

_I64 = ir.IntType(64)
_I8P = ir.IntType(8).as_pointer()


def _loader(bits: int, numba_type: Any) -> Any:
    @intrinsic
    def load(typingctx: Any, addr: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            pointer = builder.inttoptr(args[0], ir.IntType(bits).as_pointer())
            return builder.load(pointer, align=1)

        return numba_type(types.uint64), codegen

    return load


def _storer(bits: int, numba_type: Any) -> Any:
    @intrinsic
    def store(typingctx: Any, addr: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            pointer = builder.inttoptr(args[0], ir.IntType(bits).as_pointer())
            builder.store(args[1], pointer, align=1)
            return context.get_dummy_value()

        return types.void(types.uint64, numba_type), codegen

    return store


load_u8: Callable[[u64], u8] = _loader(8, types.uint8)
load_u16: Callable[[u64], u16] = _loader(16, types.uint16)
load_u32: Callable[[u64], u32] = _loader(32, types.uint32)
load_u64: Callable[[u64], u64] = _loader(64, types.uint64)
store_u8: Callable[[u64, u8], None] = _storer(8, types.uint8)
store_u16: Callable[[u64, u16], None] = _storer(16, types.uint16)
store_u32: Callable[[u64, u32], None] = _storer(32, types.uint32)
store_u64: Callable[[u64, u64], None] = _storer(64, types.uint64)


def _fetch_add(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = builder.inttoptr(args[0], ir.IntType(32).as_pointer())
    return builder.atomic_rmw("add", pointer, args[1], "seq_cst")


def _type_fetch_add(typingctx: Any, addr: Any, value: Any) -> Any:
    """Atomic with other processes; returns what was there before."""
    return types.uint32(types.uint64, types.uint32), _fetch_add


_intrinsic: Any = intrinsic
fetch_add_u32: Callable[[u64, u32], u32] = _intrinsic(_type_fetch_add)


def _prefetch(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    i32 = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [_I8P, i32, i32, i32])
    function = insert_function(builder.module, kind, "llvm.prefetch.p0")
    pointer = builder.inttoptr(args[0], _I8P)
    builder.call(function, [pointer, i32(0), i32(3), i32(1)])  # of data, to be read and kept
    return context.get_dummy_value()


def _type_prefetch(typingctx: Any, addr: Any) -> Any:
    """Ask for the cache line of an address, which need not exist; nobody waits for it."""
    return types.void(types.uint64), _prefetch


prefetch: Callable[[u64], None] = _intrinsic(_type_prefetch)


def real_function(name: str, n_args: int) -> Callable[..., u64]:
    """Intrinsic that calls the host's C function `name`(u64 x n_args) -> u64.

    The symbol is `__irsan_real_<name>`; `irsan.engine.linker.native_symbols` resolves it for numba
    and the loader resolves it for the linked runtime.  int-returning functions need masking by the
    caller.
    """
    symbol = f"__irsan_real_{name}"
    signature = types.uint64(*[types.uint64] * n_args)
    llvm_type = ir.FunctionType(_I64, [_I64] * n_args)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = insert_function(builder.module, llvm_type, symbol)
        return builder.call(function, args)

    call: Callable[..., u64] = _fixed_arity(signature, codegen, n_args)
    return call


def _fixed_arity(signature: Any, codegen: Any, n_args: int) -> Any:
    def typer(typing_context: Any, *_arguments: Any) -> Any:
        return signature, codegen

    names = ["typing_context", *(f"a{i}" for i in range(n_args))]
    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names]
    typer.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return intrinsic(typer)


def _stack_address(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.ptrtoint(cgutils.alloca_once(builder, _I64), _I64)  # type: ignore[no-untyped-call]


# An address in the stack frame of the kernel that asks, or of what it is inlined into.
stack_pointer: Callable[[], u64] = _fixed_arity(types.uint64(), _stack_address, 0)

real_strlen = real_function("strlen", 1)
real_syscall = real_function("syscall", 6)
real_strnlen = real_function("strnlen", 2)
real_memcpy = real_function("memcpy", 3)
real_memmove = real_function("memmove", 3)
real_memset = real_function("memset", 3)
real_memcmp = real_function("memcmp", 3)
real_madvise = real_function("madvise", 3)
real_mincore = real_function("mincore", 3)
DONTNEED = 4  # its advice that gives pages back
real_mprotect = real_function("mprotect", 3)
real_wcslen = real_function("wcslen", 1)
real_wcsnlen = real_function("wcsnlen", 2)
real_vsnprintf = real_function("vsnprintf", 4)
real_getdelim = real_function("getdelim", 4)
real_poll = real_function("poll", 3)
real_fcntl = real_function("fcntl", 3)
real_select = real_function("select", 5)
real_epoll_wait = real_function("epoll_wait", 4)
real_wait4 = real_function("wait4", 4)
real_sigprocmask = real_function("sigprocmask", 3)
real_write = real_function("write", 3)
real_lseek = real_function("lseek", 3)
real_getpid = real_function("getpid", 0)
real_usleep = real_function("usleep", 1)
real_realpath = real_function("realpath", 2)
real_getcwd = real_function("getcwd", 2)
real_memchr = real_function("memchr", 3)
real_memmem = real_function("memmem", 4)
