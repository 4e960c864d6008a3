"""Variadic arguments: their shadow goes along to where the callee's va_list leads.

    f(1, x, y, s)      begin(f, 24)   variadic[8] = shadow of x   [48] = of y   copy(176, s, 24)
    f's entry          va_start(own list)      variadic(own list, f)
    musttail g(...)    forward(own list, g, bytes on the stack): what f was given is g's
    va_start, va_copy  the list itself is initialised; what it leads to has got its shadow

Calls with an argument whose place is not known (argument_places.py) pass nothing, and all of their
arguments count as initialised; so do those beyond the end of the area, which has room for more than
stacks have.

Source: MemorySanitizer's helper of variadic functions of x86-64.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.calls.argument_places import (
    REGISTER_BYTES,
    ArgumentPart,
    argument_places,
    first_va_start,
    has_forward,
    is_forward,
    is_like_c,
)
from irsan.instrument.analysis.calls.vector_registers import possible_vector_bytes
from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.instrument.uninitialised.shadow_types import ShadowTypes
from irsan.ir.attributes import AttributeSet
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.types import IntegerType
from irsan.ir.values import Value

_WORD = 8
_AREA_BYTES = REGISTER_BYTES + (64 << 20)  # uninit_layout.VARIADIC_BYTES


@dataclass(frozen=True, slots=True)
class VariadicArgument:
    """An argument behind the dots; shadow of its parts is at their offsets in the area.

    copied_bytes: of the structure that `value` points to, when that is copied to the stack, else 0.
    """

    value: Value
    parts: tuple[ArgumentPart, ...]
    copied_bytes: int


def pass_variadic(scope: FunctionShadow, call: Call | CallTerminator) -> None:
    """In front of a call with dots: passes the shadow of the variable arguments."""
    if is_forward(call) and scope.variadic is not None:
        own, n_bytes = scope.variadic
        forwarded = [own, call.operands[0], n_bytes]
        scope.call_hook("__irsan_bits_variadic_forward", forwarded, call.debug_location)
        return
    layout = variadic_arguments(call, scope.types, scope.function.attributes.function)
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
            (part,), size = one.parts, scope.hooks.int64(one.copied_bytes)
            words = [scope.hooks.int64(part.offset), one.value, size]
            scope.call_hook("__irsan_bits_variadic_copy", words, location)
        else:
            _pass_value(scope, one)


def variadic_arguments(
    call: Call | CallTerminator, types: ShadowTypes, caller: AttributeSet = ()
) -> tuple[list[VariadicArgument], int] | None:
    """The arguments behind the dots and their bytes on the stack; None: not known, or no dots.

    caller: attributes of the function that the call is in.
    """
    is_plain = call.function_type.is_vararg and is_like_c(call.calling_convention)
    if not is_plain or is_forward(call):
        return None
    arguments, n_named = call.arguments, len(call.function_type.parameters)
    kinds, widths = [one.type for one in arguments], possible_vector_bytes(caller)
    places = list(argument_places(kinds, call.attributes, types.sizes, widths))
    if len(places) < len(arguments):
        return None
    named = places[n_named - 1].stack_bytes if n_named else 0
    found = [
        VariadicArgument(arguments[one.number], _in_area(one.parts, named), one.copied_bytes)
        for one in places[n_named:]
    ]
    return found, (places[-1].stack_bytes if places else 0) - named


def _in_area(parts: tuple[ArgumentPart, ...], named: int) -> tuple[ArgumentPart, ...]:
    """The parts with their offsets in the area; named: bytes in front of those on the stack."""
    return tuple(
        one._replace(offset=one.offset + REGISTER_BYTES - named) if one.is_on_stack else one
        for one in parts
    )


def _may_be_unset(
    scope: FunctionShadow, call: Call | CallTerminator, one: VariadicArgument
) -> bool:
    return bool(one.copied_bytes) or (
        scope.shadow(one.value) is not None and one.value not in scope.facts.checked(call)
    )


def _pass_value(scope: FunctionShadow, one: VariadicArgument) -> None:
    at, shadow = scope.at, scope.full(one.value)
    place = scope.place(one.value, at) or at.null()
    for part in one.parts:
        n_bytes = -(-part.n_bytes // _WORD) * _WORD
        if part.offset + n_bytes > _AREA_BYTES:
            return
        is_alone = len(one.parts) == 1
        piece = _as_words(scope, shadow) if is_alone else _cut_out(scope, shadow, part, n_bytes)
        at.store(piece, _area(scope, "variadic", part.offset), _WORD)
        for more in range(0, n_bytes, _WORD):
            at.store(place, _area(scope, "variadic_place", part.offset + more), _WORD)


def _as_words(scope: FunctionShadow, shadow: Value) -> Value:
    """Shadow of an integer as wide as the words that it is passed in; that of others as it is."""
    if not isinstance(shadow.type, IntegerType) or shadow.type.width % 64 == 0:
        return shadow
    width = -(-shadow.type.width // 64) * 64
    return scope.at.cast("zext", shadow, scope.module.types.integer(width))


def _cut_out(scope: FunctionShadow, shadow: Value, part: ArgumentPart, n_bytes: int) -> Value:
    """The bytes of a part, and zeroes up to a multiple of 8."""
    at, types = scope.at, scope.module.types
    if not isinstance(shadow.type, IntegerType):
        whole = types.integer(scope.types.size_bits(shadow.type))
        shadow = at.cast("bitcast", shadow, whole)
    shadow = _as_words(scope, shadow)
    kind = shadow.type
    assert isinstance(kind, IntegerType)
    if part.first:
        shadow = at.binary("lshr", shadow, ConstantInt(kind, 8 * part.first))
    for width in (8 * part.n_bytes, 8 * n_bytes):
        kind = shadow.type
        assert isinstance(kind, IntegerType)
        if kind.width != width:
            opcode = "trunc" if width < kind.width else "zext"
            shadow = at.cast(opcode, shadow, types.integer(width))
    return shadow


def _area(scope: FunctionShadow, area: str, offset: int) -> Instruction:
    words: list[Value] = [scope.hooks.int64(offset)]
    return scope.call_hook(f"__irsan_bits_{area}", words, scope.at.debug_location)


def take_variadic(scope: FunctionShadow) -> None:
    """At the entry of a function that calls va_start, or hands its dots on: its arguments get their
    shadow.

    The step that a report shows is where the source starts the list.
    """
    start = first_va_start(scope.function)
    if start is None and not has_forward(scope.function):
        return
    types, callee = scope.module.types, scope.function if scope.checks else scope.at.null()
    own = scope.at.alloca(types.array(types.i64, 3), _WORD)
    begin = scope.module.declare_function(
        "llvm.va_start.p0", types.function(types.void, [types.ptr_default])
    )
    scope.at.call(begin, [own])
    arguments: list[Value] = [own, callee, scope.hooks.int32(0)]
    location = None if start is None else start.debug_location
    scope.variadic = own, scope.call_hook("__irsan_uninit_variadic", arguments, location)
