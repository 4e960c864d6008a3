"""Calls of hooks: each hook is declared in the module the first time it is called.

    hooks = HookCalls(module)
    out.append(hooks.call("__tsan_read4", [pointer], location))

Names and signatures come from `irsan.instrument.hooks`, so a pass cannot misspell one.
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.errors import InternalError
from irsan.instrument.hooks import HOOKS, Hook
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.metadata import MetadataNode
from irsan.ir.module import Module
from irsan.ir.types import FunctionType, Type
from irsan.ir.values import Function, Value

DECIDED = 1 << 63  # beside a size, of __irsan_uninit_*: native writes were looked for at the load
_PRESERVE_MOST = 14  # the caller keeps its registers: a call costs little more than the check
_EXTENDED = ("i8", "i16")  # the C rules leave widening to the caller

_MORE_PROMISES = {
    "uninit": ("cold",),
    "bits": ("nofree", "nosync"),
    "bits_range": ("nofree", "nosync"),
    "bits_shown": ("cold", "nofree", "nosync"),
}


class HookCalls:
    """Makes calls of hooks in one module."""

    __slots__ = ("_integers", "_known", "module")

    def __init__(self, module: Module) -> None:
        self.module = module
        self._known: dict[str, tuple[FunctionType, Function, AttributeList]] = {}
        self._integers: dict[tuple[int, int], ConstantInt] = {}

    def call(self, name: str, arguments: Sequence[Value], location: MetadataNode | None) -> Call:
        """A call of hook `name`, for the caller to put where it belongs."""
        function_type, function, attributes = self._hook(name)
        convention = function.calling_convention
        made = Call(function_type, function, arguments, attributes, convention)
        made.debug_location = location
        return made

    def function(self, name: str) -> Function:
        """The hook `name`, for calls that exist."""
        return self._hook(name)[1]

    def int32(self, value: int) -> ConstantInt:
        """The constant `i32 value`."""
        return self._integer(32, value)

    def int64(self, value: int) -> ConstantInt:
        """The constant `i64 value`."""
        return self._integer(64, value)

    def _integer(self, width: int, value: int) -> ConstantInt:
        found = self._integers.get((width, value))
        if found is None:
            found = ConstantInt(self.module.types.integer(width), value)
            self._integers[width, value] = found
        return found

    def _hook(self, name: str) -> tuple[FunctionType, Function, AttributeList]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._declare(name)
        return known

    def _declare(self, name: str) -> tuple[FunctionType, Function, AttributeList]:
        hook = HOOKS.get(name)
        if hook is None:
            raise InternalError(f"no hook is called {name}")
        function_type, attributes = self._signature(hook)
        function = self.module.declare_function(name, function_type, attributes)
        if hook.group in ("outlined", "uninit", "bits_shown"):
            function.calling_convention = _PRESERVE_MOST
        return function_type, function, attributes

    def _signature(self, hook: Hook) -> tuple[FunctionType, AttributeList]:
        parameters = [self._type(word) for word in hook.arguments]
        function_type = self.module.types.function(self._type(hook.result), parameters)
        sets = tuple([_widening(word) for word in hook.arguments])
        kinds = ("nounwind", *_MORE_PROMISES.get(hook.group, ()))
        promised = tuple([Attribute(kind) for kind in kinds])
        attributes = AttributeList(promised, (), sets if any(sets) else ())
        return function_type, attributes

    def _type(self, word: str) -> Type:
        types = self.module.types
        if word == "ptr":
            return types.ptr_default
        return types.void if word == "void" else types.integer(int(word[1:]))


def _widening(word: str) -> tuple[Attribute, ...]:
    return (Attribute("zeroext"),) if word in _EXTENDED else ()
