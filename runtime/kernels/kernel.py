"""The one decorator that makes a kernel: types in its annotations, same options, a registry.

A kernel is an `njit` function that never raises, never allocates and takes the `Context` record
first if it needs it.  It is compiled once and kept on disk: to machine code when a test first calls
it, to LLVM text (`linked_kernel`) when its module is imported where the runtime is linked
(`irsan.engine.runtime_image.build`).

An outlined kernel is not linked into its callers: they call it by the symbol `__irsan_out_<name>`.
Numba compiles a callable kernel together with all it calls, so a big callee (report a finding,
record a range) that is linked into each of fifty interceptors costs fifty times its own time.

Numba does not notice a changed callee in another file, so each module has a cache folder named by
all its sources (`irsan.runtime.kernels.kernel_cache`).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import llvmlite.binding as llvm
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from irsan.errors import InternalError
from irsan.runtime.kernels.compiling import annotated_types, compile_kernel, signature_words
from irsan.runtime.kernels.kernel_cache import IS_CALLABLE
from irsan.runtime.kernels.linked_kernel import linked_kernel
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.records import CONTEXT_TYPE, RECORD_TYPES
from irsan.runtime.kernels.scalars import f64, i32, i64, u8, u16, u32, u64

KERNEL_PREFIX = "kernel."  # of symbols
_OUTLINED_PREFIX = "__irsan_out_"
_OUTLINED_CALLS = re.compile(_OUTLINED_PREFIX.encode() + rb"(\w+)")
insert_function: Any = cgutils.get_or_insert_function

_SCALARS: dict[str, Any] = {
    "void": types.void,
    "b1": types.boolean,
    "u8": types.uint8,
    "u16": types.uint16,
    "u32": types.uint32,
    "u64": types.uint64,
    "i32": types.int32,
    "i64": types.int64,
    "f64": types.float64,
    "ctx": CONTEXT_TYPE,
    **RECORD_TYPES,
}

# What an annotation is called in a signature.
_WORDS: dict[Any, str] = {
    None: "void",
    bool: "b1",
    u8: "u8",
    u16: "u16",
    u32: "u32",
    u64: "u64",
    i32: "i32",
    i64: "i64",
    f64: "f64",
    Context: "ctx",
    Thread: "thread",
}

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Kernel:
    """One registered kernel: its name, its signature text and numba's dispatcher."""

    name: str
    signature: str
    dispatcher: Any
    is_outlined: bool = False

    @property
    def return_type(self) -> str:
        return signature_words(self.signature)[0]

    @property
    def argument_types(self) -> tuple[str, ...]:
        return tuple(signature_words(self.signature)[1])


REGISTRY: dict[str, Kernel] = {}


@overload
def kernel(function: Function, /) -> Function: ...


@overload
def kernel(*, outlined: bool = ..., inlined: bool = ...) -> Callable[[Function], Function]: ...


def kernel(
    function: Callable[..., Any] | None = None,
    /,
    *,
    outlined: bool = False,
    inlined: bool = False,
) -> Any:
    """Compile a function as a kernel of the types in its annotations.

    Types: None bool u8 u16 u32 u64 i32 i64 f64 (`scalars`), Context and Thread.  `outlined`:
    callers call it instead of having it linked into them; for what is off the fast path and has
    much below it.  `inlined`: LLVM copies it into its callers, however big it is; for the steps of
    a hot path.  Raises InternalError for another type or none, and for a name that another file has
    taken, numba's errors for a body that does not compile.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        return _made(function, outlined, inlined)

    return decorate if function is None else decorate(function)


def _made(function: Callable[..., Any], outlined: bool, inlined: bool) -> Any:
    name, signature = function.__name__, _signature(function)
    if IS_CALLABLE:
        dispatcher = _compile(function, signature, inlined)
    else:
        called_by = outlined_symbol(name) if outlined else kernel_symbol(name)
        dispatcher = linked_kernel(
            function, _parse(signature), kernel_symbol(name), called_by, inlined
        )
    made = Kernel(name, signature, dispatcher, outlined)
    _refuse_second(function)
    REGISTRY[name] = made
    return outline(made) if outlined and IS_CALLABLE else dispatcher


def _signature(function: Callable[..., Any]) -> str:
    """The types of a kernel in short: ``"u8(ctx,u64,u64)"``."""
    result, *arguments = [_word(function, kind) for kind in annotated_types(function)]
    return f"{result}({','.join(arguments)})"


def _word(function: Callable[..., Any], kind: Any) -> str:
    if kind not in _WORDS:
        raise InternalError(f"kernel {function.__name__}: no argument or result is a {kind}")
    return _WORDS[kind]


def _refuse_second(function: Callable[..., Any]) -> None:
    """Kernels are linked by name: one of another file must not take the place of the first."""
    known = REGISTRY.get(function.__name__)
    if known is not None and known.dispatcher.py_func.__module__ != function.__module__:
        places = f"{known.dispatcher.py_func.__module__} and {function.__module__}"
        raise InternalError(f"two kernels are called {function.__name__}: in {places}")


def _compile(function: Callable[..., Any], signature: str, inlined: bool) -> Any:
    """numba's dispatcher, with the options of all kernels of the runtime."""
    options = {
        "error_model": "numpy",
        "boundscheck": False,
        "forceinline": inlined,
        "no_cfunc_wrapper": True,  # nothing takes the address of one in Python
    }
    return compile_kernel(function, _parse(signature), options, _define_called)


def kernel_symbol(name: str) -> str:
    """The symbol of a kernel in the built runtime."""
    return f"{KERNEL_PREFIX}{name}"


def outlined_symbol(name: str) -> str:
    """The symbol under which an outlined kernel is called."""
    return f"{_OUTLINED_PREFIX}{name}"


def outline(made: Kernel) -> Any:
    """What stands for an outlined kernel in Python and in other kernels: a call by symbol."""
    symbol = outlined_symbol(made.name)
    expected = _parse(made.signature)

    def codegen(context: Any, builder: Any, given: Any, values: Any) -> Any:
        kind = context.call_conv.get_function_type(expected.return_type, expected.args)
        callee = insert_function(builder.module, kind, symbol)
        _, result = context.call_conv.call_function(
            builder, callee, expected.return_type, expected.args, values
        )
        return result

    def typer(typing_context: Any, *_arguments: Any) -> Any:
        _define(made)
        return expected, codegen

    names = ["typing_context", *(f"a{i}" for i in range(len(expected.args)))]
    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names]
    typer.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    typer.__name__ = made.name
    call: Any = intrinsic(typer)
    call.__class__ = type("OutlinedKernel", (type(call),), {"__call__": _call_compiled})
    call.compiled = made.dispatcher
    return call


def _define(made: Kernel) -> None:
    """Let the symbol of an outlined kernel be found by what is linked into this process."""
    compiled = made.dispatcher.ready()
    native = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    llvm.add_symbol(outlined_symbol(made.name), native)


def _define_called(stored: bytes) -> None:
    """Define the outlined kernels that a stored kernel names, as its code is about to be linked."""
    for name in set(_OUTLINED_CALLS.findall(stored)):
        called = REGISTRY.get(name.decode())
        if called is not None and called.is_outlined:
            _define(called)


def _call_compiled(outlined: Any, *arguments: Any) -> Any:
    return outlined.compiled(*arguments)


def _parse(signature: str) -> Any:
    result, arguments = signature_words(signature)
    return _SCALARS[result](*[_SCALARS[name] for name in arguments])
