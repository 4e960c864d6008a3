"""The one decorator that makes a kernel: types in its annotations, and a registry.

A kernel never raises, never allocates and takes the `Context` record first if it needs it.  It is
compiled once, to LLVM text that is kept on disk (`linked_kernel`): the runtime is linked from the
texts (`irsan.engine.runtime_image.build`), and a test that calls a kernel runs the same text.

An outlined kernel is not inlined into its callers: they call it by the symbol
`__irsan_out_<name>`.  It is for what is off the fast path and has much below it.

Numba does not notice a changed callee in another file, so each module has a cache folder named by
all its sources (`irsan.runtime.kernels.language.kernel_cache`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from numba import types

from irsan.errors import InternalError
from irsan.runtime.kernels.language.compiling import annotated_types, signature_words
from irsan.runtime.kernels.language.linked_kernel import LinkedKernel
from irsan.runtime.kernels.record import Placed, Record
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import CONTEXT_TYPE, record_type
from irsan.runtime.kernels.scalars import f64, i32, i64, u8, u16, u32, u64

KERNEL_PREFIX = "kernel."  # of symbols
_OUTLINED_PREFIX = "__irsan_out_"
PLACED = "@"  # begins the word of a record that is known by its address

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
}
_RECORDS: dict[str, type[Record]] = {}  # by the same name

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Kernel:
    """One registered kernel: its name, its signature in words and what calls it."""

    name: str
    signature: str
    dispatcher: LinkedKernel
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
    """Make a function a kernel of the types in its annotations.

    Types: None bool u8 u16 u32 u64 i32 i64 f64 (`scalars`); of arguments each Record, too.
    `outlined`: callers call it instead of having it inlined; for what is off the fast path and has
    much below it.  `inlined`: LLVM copies it into its callers, however big it is; for the steps of
    a hot path.  Raises InternalError for another type or none, and for a name that another file has
    taken.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        return _made(function, outlined, inlined)

    return decorate if function is None else decorate(function)


def _made(function: Callable[..., Any], outlined: bool, inlined: bool) -> LinkedKernel:
    name, signature = function.__name__, _signature(function)
    _refuse_second(function)
    made = LinkedKernel(
        function,
        _parse(signature),
        kernel_symbol(name),
        outlined_symbol(name) if outlined else kernel_symbol(name),
        inlined=inlined,
        callee=symbol_to_kernel,
    )
    REGISTRY[name] = Kernel(name, signature, made, outlined)
    return made


def _signature(function: Callable[..., Any]) -> str:
    """The types of a kernel in short: ``"u8(ctx,u64,u64)"``."""
    result, *arguments = [_word(function, kind) for kind in annotated_types(function)]
    if result in _RECORDS:
        raise InternalError(f"kernel {function.__name__}: no result is a record: give its address")
    return f"{result}({','.join(arguments)})"


def _word(function: Callable[..., Any], kind: Any) -> str:
    if kind in _WORDS:
        return _WORDS[kind]
    if not (isinstance(kind, type) and issubclass(kind, Record)):
        raise InternalError(f"kernel {function.__name__}: no argument or result is a {kind}")
    return _record_word(kind)


def _record_word(kind: type[Record]) -> str:
    """The name of a record's class, which no other record may have; with PLACED, if it is a u64."""
    word = PLACED * issubclass(kind, Placed) + kind.__name__
    if _RECORDS.setdefault(word, kind) is not kind:
        raise InternalError(f"two records are called {word}: {kind} and {_RECORDS[word]}")
    if word not in _SCALARS:
        _SCALARS[word] = record_type(kind)
    return word


def _refuse_second(function: Callable[..., Any]) -> None:
    """Kernels are linked by name: one of another file must not take the place of the first."""
    known = REGISTRY.get(function.__name__)
    if known is not None and known.dispatcher.py_func.__module__ != function.__module__:
        places = f"{known.dispatcher.py_func.__module__} and {function.__module__}"
        raise InternalError(f"two kernels are called {function.__name__}: in {places}")


def kernel_symbol(name: str) -> str:
    """The symbol of a kernel in the built runtime."""
    return f"{KERNEL_PREFIX}{name}"


def outlined_symbol(name: str) -> str:
    """The symbol under which an outlined kernel is called."""
    return f"{_OUTLINED_PREFIX}{name}"


def symbol_to_kernel(symbol: str) -> LinkedKernel | None:
    """The kernel that is called by a symbol; None for a function that is no kernel."""
    for prefix in (KERNEL_PREFIX, _OUTLINED_PREFIX):
        if symbol.startswith(prefix) and (found := REGISTRY.get(symbol.removeprefix(prefix))):
            return found.dispatcher
    return None


def _parse(signature: str) -> Any:
    result, arguments = signature_words(signature)
    return _SCALARS[result](*[_SCALARS[name] for name in arguments])
