"""Variadic arguments: their shadow goes along to where the callee's va_list leads.

    f(1, x, y, s)      begin(f, 24)   variadic[8] = shadow of x   [48] = of y   copy(176, s, 24)
    f's entry          va_start(own list)      variadic(own list, f)
    va_start, va_copy  the list itself is initialised; what it leads to has got its shadow

Calls with an argument whose place is not known (argument_places.py) tell nothing, and all of their
arguments count as initialised; so do those beyond the end of the area.

Source: MemorySanitizer's helper of variadic functions of x86-64.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.argument_places import REGISTER_BYTES, argument_places, first_va_start
from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.instrument.uninitialised.shadow_types import ShadowTypes
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.instruction import Instruction
from irsan.ir.types import IntegerType
from irsan.ir.values import Value

_WORD = 8
_WIDEST = 16
_AREA_BYTES = REGISTER_BYTES + 2048  # uninit_layout.VARIADIC_BYTES


@dataclass(frozen=True, slots=True)
class VariadicArgument:
    """An argument behind the dots; its shadow begins at byte `offset` of the area.

    copied_bytes: of the structure that `value` points to, when that is copied to the stack, else 0.
    """

    value: Value
    offset: int
    copied_bytes: int


def pass_variadic(scope: FunctionShadow, call: Call | CallTerminator) -> None:
    """In front of a call with dots: tells the shadow of what is behind them."""
    layout = variadic_arguments(call, scope.types)
    if layout is None:
        return
    arguments, on_stack = layout
    location, size = call.debug_location, scope.hooks.int64(on_stack)
    unset = [one for one in arguments if _may_be_unset(scope, call, one)]
    if not unset:
        for word, hook in ((call.operands[0], "set"), (size, "on_stack")):
            target = scope.call_hook(f"__irsan_bits_variadic_{hook}", [], location)
            scope.at.store(word, target, _WORD)
        return
    scope.call_hook("__irsan_bits_variadic_begin", [call.operands[0], size], location)
    for one in unset:
        if one.copied_bytes:
            words = [scope.hooks.int64(one.offset), one.value, scope.hooks.int64(one.copied_bytes)]
            scope.call_hook("__irsan_bits_variadic_copy", words, location)
        elif one.offset + _WIDEST <= _AREA_BYTES:
            _pass_value(scope, one)


def variadic_arguments(
    call: Call | CallTerminator, types: ShadowTypes
) -> tuple[list[VariadicArgument], int] | None:
    """The arguments behind the dots and their bytes on the stack; None: not known, or no dots."""
    is_plain = call.function_type.is_vararg and not call.calling_convention
    if not is_plain or getattr(call, "tail", "") == "musttail":
        return None
    arguments, n_named = call.arguments, len(call.function_type.parameters)
    kinds = [one.type for one in arguments]
    places = list(argument_places(kinds, call.attributes, types.sizes))
    if len(places) < len(arguments):
        return None
    named = places[n_named - 1].stack_bytes if n_named else 0
    found = [
        VariadicArgument(
            arguments[place.number],
            place.offset + (REGISTER_BYTES - named if place.is_on_stack else 0),
            place.copied_bytes,
        )
        for place in places[n_named:]
    ]
    return found, (places[-1].stack_bytes if places else 0) - named


def _may_be_unset(
    scope: FunctionShadow, call: Call | CallTerminator, one: VariadicArgument
) -> bool:
    return bool(one.copied_bytes) or (
        scope.shadow(one.value) is not None and one.value not in scope.facts.checked(call)
    )


def _pass_value(scope: FunctionShadow, one: VariadicArgument) -> None:
    at, shadow = scope.at, scope.full(one.value)
    if isinstance(shadow.type, IntegerType):
        width = 64 if shadow.type.width <= 64 else 128
        if shadow.type.width != width:
            shadow = at.cast("zext", shadow, scope.module.types.integer(width))
    place = scope.place(one.value, at) or at.null()
    n_bytes = scope.types.size_bytes(shadow.type)
    at.store(shadow, _area(scope, "variadic", one.offset), _WORD)
    for more in range(0, n_bytes, _WORD):
        at.store(place, _area(scope, "variadic_place", one.offset + more), _WORD)


def _area(scope: FunctionShadow, area: str, offset: int) -> Instruction:
    words: list[Value] = [scope.hooks.int64(offset)]
    return scope.call_hook(f"__irsan_bits_{area}", words, scope.at.debug_location)


def take_variadic(scope: FunctionShadow) -> None:
    """At the entry of a function that calls va_start: its arguments get their shadow.

    The step that a report tells of is where the source starts the list.
    """
    start = first_va_start(scope.function)
    if start is None:
        return
    types, callee = scope.module.types, scope.function if scope.checks else scope.at.null()
    own = scope.at.alloca(types.array(types.i64, 3), _WORD)
    scope.at.call(start.operands[0], [own])
    arguments: list[Value] = [own, callee, scope.hooks.int32(0)]
    scope.call_hook("__irsan_uninit_variadic", arguments, start.debug_location)
