"""numba's answers to questions of typing, kept: a build asks the same few thousand times over.

    which signature has `+` of two u64      a search through templates, once per kind of arguments
    does an implementation take `loc`       a look at its signature, at every use of it
    min, max, in                            functions that numba compiles, by its own convention

In force for the process, which does nothing but build.  This leans on private parts of numba.
"""

from __future__ import annotations

import builtins
import functools
import operator
import weakref
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import base, cgutils
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import AbstractTemplate, signature
from numba.cpython.builtins import do_minmax

from irsan.runtime.kernels.language.typing_rules import is_ruled

_base: Any = base
_cgutils: Any = cgutils
_do_minmax: Any = do_minmax
_signature: Any = signature
_types: Any = types
_BaseFunction: Any = BaseFunction
_Template: Any = AbstractTemplate


@functools.cache
def type_quickly() -> None:
    """Let numba keep its answers from now on."""
    _BaseFunction.get_call_type = _kept(_BaseFunction.get_call_type)
    _base._has_loc = functools.cache(_base._has_loc)
    _types.Record.__repr__ = _types.Record.__str__ = _name_of  # of 60 fields, at every use
    _insert_extremum(builtins.min, operator.lt)
    _insert_extremum(builtins.max, operator.gt)
    definitions: Any = cpu_target.target_context._defns
    definitions[operator.contains].append(_is_in_tuple, (_types.UniTuple, _types.Any))


def _kept(ask: Callable[..., Any]) -> Callable[..., Any]:
    """`get_call_type` with a memory. Types are singletons, so they are known by their address."""
    answers: dict[tuple[int, ...], tuple[Any, Any, Any]] = {}

    def get_call_type(function: Any, context: Any, arguments: Any, words: Any) -> Any:
        if words:
            return ask(function, context, arguments, words)
        key = (is_ruled(function), id(function), *map(id, arguments))
        if key not in answers:  # a kept object stays alive, and so does its address
            answers[key] = ask(function, context, arguments, words), function, arguments
        return answers[key][0]

    return get_call_type


def _name_of(record: Any) -> str:
    return str(record.name)


def _insert_extremum(function: Any, compare: Any) -> None:
    """min or max of numbers, by numba's own code for it, which is not a function of its own."""

    class Extremum(_Template):  # type: ignore[misc]
        key = function

        def generic(self, arguments: Any, _words: Any) -> Any:
            numbers = (types.Number, types.Boolean)
            if len(arguments) < 2 or not all(isinstance(one, numbers) for one in arguments):
                return None
            return _signature(self.context.unify_types(*arguments), *arguments)

    def lower(context: Any, builder: Any, called: Any, values: Any) -> Any:
        return _do_minmax(context, builder, list(called.args), values, compare)

    known: Any = cpu_target.typing_context._globals
    known.pop(weakref.ref(function), None)
    known[weakref.ref(function)] = _types.Function(Extremum)
    definitions: Any = cpu_target.target_context._defns
    definitions[function].append(lower, (_types.VarArg(_types.Any),))


def _is_in_tuple(context: Any, builder: Any, called: Any, values: Any) -> Any:
    """`value in (a, b, c)`: one comparison for each."""
    typing: Any = context.typing_context
    kind, wanted = called.args[0].dtype, called.args[1]
    equal = typing.resolve_value_type(operator.eq)
    asked = equal.get_call_type(typing, (kind, wanted), {})
    compare = context.get_function(equal, asked)
    value = context.cast(builder, values[1], wanted, asked.args[1])
    found: Any = ir.Constant(ir.IntType(1), 0)
    for one in _cgutils.unpack_tuple(builder, values[0]):
        other = context.cast(builder, one, kind, asked.args[0])
        found = builder.or_(found, compare(builder, (other, value)))
    return found
