"""Calls and returns: shadow of arguments and results in the areas, checks of promised values.

    call f(noundef %a, %b)      check %a;   passed[8] = shadow of %b;   callee = f
    f's entry                   callee == f ?  shadow of %b = passed[8]  :  clean;   callee = null
    call f(byval %p)            passed[16] = %p;   f copies the shadow of %p to its own aggregate
    ret %r in f                 result = shadow of %r;   returned = f
    behind the call             returned == f ?  shadow = result  :  clean

No other thread runs between the two ends of such a pair: green threads are switched at safepoints
and in library functions, and there is none in between.

Source: MemorySanitizer's visitor; who the area is meant for is ours, see call_facts.py.
"""

from __future__ import annotations

from irsan.instrument.analysis.calls.assembly import memory_operands
from irsan.instrument.analysis.values.integer_casts import to_width
from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.instrument.uninitialised.intrinsics import (
    intrinsic_rule,
    is_masked_load,
    is_masked_store,
)
from irsan.instrument.uninitialised.masked_memory import masked_to_shadow
from irsan.instrument.uninitialised.memory import has_shadow
from irsan.instrument.uninitialised.processor_rules import PROCESSOR_RULES
from irsan.instrument.uninitialised.rules import resized
from irsan.instrument.uninitialised.shadow_types import clean
from irsan.instrument.uninitialised.variadic import pass_variadic, take_variadic
from irsan.instrument.uninitialised.vector_intrinsics import VECTOR_RULES
from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.control import Ret
from irsan.ir.types import Type, VectorType
from irsan.ir.values import Argument, Function, Value

_COPIES = ("llvm.memcpy.", "llvm.memmove.")
_FILL = "llvm.memset."
_LISTS = ("llvm.va_start", "llvm.va_copy")
_LIST_BYTES = 24


def receive_arguments(scope: FunctionShadow) -> None:
    """At the very entry: shadow of the arguments that may have undefined bits."""
    function = scope.function
    offsets = scope.facts.offsets(function.function_type)
    taken = [
        (argument, offset)
        for argument, offset in zip(function.arguments, offsets, strict=True)
        if argument in scope.live
        and offset is not None
        and scope.facts.may_arrive(function, argument)
    ]
    aggregates = _aggregates(function)
    take_variadic(scope)
    if not scope.checks:
        _clear_aggregates(scope, aggregates)
        return
    if not taken and not aggregates:
        return
    at, types = scope.at, scope.module.types
    meant = scope.call_hook("__irsan_bits_callee", [], None)
    is_meant = at.icmp("eq", at.load(types.ptr_default, meant, 8), function)
    at.store(at.null(), meant, 8)
    sources = [
        (argument, kind, _aggregate_source(scope, argument, offsets[argument.index], is_meant))
        for argument, kind in aggregates
    ]
    for argument, offset in taken:
        kind = scope.types.of(argument.type)
        assert kind is not None
        area = [scope.hooks.int64(offset)]
        passed = at.load(kind, scope.call_hook("__irsan_bits_passed", area, None), 8)  # type: ignore[arg-type]
        scope.shadows[argument] = at.select(is_meant, passed, clean(kind))
        place = scope.call_hook("__irsan_bits_passed_place", area, None)  # type: ignore[arg-type]
        scope.places[argument] = at.load(types.ptr_default, place, 8)
    for aggregate, of_type, source in sources:
        size = scope.hooks.int64(scope.types.alloc_bytes(of_type) or 0)
        scope.call_hook("__irsan_bits_copy", [aggregate, source, size], None)


def _aggregates(function: Function) -> list[tuple[Argument, Type]]:
    """Arguments that point to what the caller's code has copied to this function's stack."""
    found = []
    for argument in function.arguments:
        told = find_attribute(function.attributes.parameter(argument.index), "byval")
        if told is not None and isinstance(told.value, Type):
            found.append((argument, told.value))
    return found


def _clear_aggregates(scope: FunctionShadow, aggregates: list[tuple[Argument, Type]]) -> None:
    for argument, kind in aggregates:
        size = scope.hooks.int64(scope.types.alloc_bytes(kind) or 0)
        scope.call_hook("__irsan_bits_clear", [argument, size], None)


def _aggregate_source(
    scope: FunctionShadow, argument: Argument, offset: int | None, is_meant: Value
) -> Value:
    """What an aggregate was copied from; nowhere, when the caller does not pass it."""
    if offset is None:
        return scope.at.null()
    area: list[Value] = [scope.hooks.int64(offset)]
    passed = scope.at.load(argument.type, scope.call_hook("__irsan_bits_passed", area, None), 8)
    return scope.at.select(is_meant, passed, scope.at.null())


def before_call(scope: FunctionShadow, call: Call | CallTerminator) -> None:
    """Checks of what must be initialised, shadow of the other arguments."""
    location = call.debug_location
    scope.at.debug_location = location
    for value in scope.facts.checked(call):
        scope.check(value, location)
    if not scope.checks:
        return
    pass_variadic(scope, call)
    passed, copied = scope.facts.passed(call), scope.facts.copied(call)
    if not copied and not any(scope.shadow(value) is not None for _, value, _ in passed):
        return
    for value, offset in copied:
        area: list[Value] = [scope.hooks.int64(offset)]
        scope.at.store(value, scope.call_hook("__irsan_bits_passed", area, location), 8)
    for _, value, offset in passed:
        shadow = scope.shadow(value)
        area = [scope.hooks.int64(offset)]
        target = scope.call_hook("__irsan_bits_passed", area, location)
        scope.at.store(scope.full(value), target, 8)
        if shadow is None:
            continue
        target = scope.call_hook("__irsan_bits_passed_place", area, location)
        scope.at.store(scope.place(value, scope.at) or scope.at.null(), target, 8)
    meant = scope.call_hook("__irsan_bits_callee", [], location)
    scope.at.store(call.operands[0], meant, 8)


def shadow_of_result(scope: FunctionShadow, call: Call | CallTerminator) -> None:
    """Behind a call: what the callee says of its result."""
    kind = scope.types.of(call.type)
    if kind is None or call not in scope.live or not scope.facts.may_return_bits(call):
        return
    at, types, location = scope.at, scope.module.types, call.debug_location
    at.debug_location = location
    whose = at.load(types.ptr_default, scope.call_hook("__irsan_bits_returned", [], location), 8)
    told = at.load(kind, scope.call_hook("__irsan_bits_result", [], location), 8)
    is_own = at.icmp("eq", whose, call.operands[0])
    scope.shadows[call] = at.select(is_own, told, clean(kind))
    place = scope.call_hook("__irsan_bits_result_place", [], location)
    scope.places[call] = at.load(types.ptr_default, place, 8)


def before_return(scope: FunctionShadow, ret: Ret) -> None:
    """A promised result is checked; the shadow of another goes to the caller."""
    value, function = ret.value, scope.function
    if value is None:
        return
    if scope.facts.returns_checked(function):
        scope.check(value, ret.debug_location)
        return
    kind = scope.types.of(value.type)
    if kind is None or not 0 < scope.types.size_bytes(value.type) <= 800:
        return
    at, location = scope.at, ret.debug_location
    at.debug_location = location
    shadow = scope.shadow(value) if scope.checks else None
    owner = scope.call_hook("__irsan_bits_returned", [], location)
    if shadow is None:
        at.store(at.null(), owner, 8)
        return
    at.store(shadow, scope.call_hook("__irsan_bits_result", [], location), 8)
    place = scope.call_hook("__irsan_bits_result_place", [], location)
    at.store(scope.place(value, at) or at.null(), place, 8)
    at.store(function, owner, 8)


def around_intrinsic(scope: FunctionShadow, call: Call) -> None:
    """Memory that an intrinsic writes, and the result of one that computes."""
    callee = call.operands[0]
    assert isinstance(callee, Function)
    name, location = callee.name, call.debug_location
    scope.at.debug_location = location
    if name.startswith(_FILL) and has_shadow(call.arguments[0]):
        size = to_width(scope.at, call.arguments[2], 64)
        scope.call_hook("__irsan_bits_clear", [call.arguments[0], size], location)
    elif is_masked_store(call) or is_masked_load(call):
        _keep(scope, call, masked_to_shadow(scope, call))
    elif call in scope.live:
        _keep(scope, call, _computed(scope, call))


def _keep(scope: FunctionShadow, call: Call, shadow: Value | None) -> None:
    if shadow is not None:
        scope.shadows[call] = shadow


def after_intrinsic(scope: FunctionShadow, call: Call) -> None:
    """Facts known only behind it: a va_list, and where in the source a copy is."""
    callee = call.operands[0]
    assert isinstance(callee, Function)
    if callee.name.startswith(_COPIES) and all(has_shadow(one) for one in call.arguments[:2]):
        size = to_width(scope.at, call.arguments[2], 64)
        scope.call_hook("__irsan_bits_copy", [*call.arguments[:2], size], call.debug_location)
    elif callee.name.startswith(_LISTS):
        size = scope.hooks.int64(_LIST_BYTES)
        scope.call_hook("__irsan_bits_clear", [call.arguments[0], size], call.debug_location)


def after_assembly(scope: FunctionShadow, call: Call | CallTerminator) -> None:
    """Memory that assembly writes through operands is initialised."""
    for argument, kind in memory_operands(call):
        if has_shadow(argument):
            size = scope.hooks.int64(scope.types.alloc_bytes(kind) or 0)
            scope.call_hook("__irsan_bits_clear", [argument, size], call.debug_location)


def _computed(scope: FunctionShadow, call: Call) -> Value | None:
    rule, _ = intrinsic_rule(call)
    kind = scope.types.of(call.type)
    shadows = [scope.shadow(one) for one in call.arguments]
    known = [shadow for shadow in shadows if shadow is not None]
    if not rule or kind is None or not known:
        return None
    if rule == "first":
        return resized(scope, known[0], kind) if shadows[0] is not None else None
    if rule == "same":
        return _same(scope, call, known[0])
    if rule in ("any", "reduce"):
        return None if shadows[0] is None else scope.all_or_nothing(shadows[0], kind)
    if rule == "funnel":
        return _funnel(scope, call, shadows, kind)
    if rule == "overflow":
        return _overflow(scope, known, kind)
    if rule == "compare":
        both = scope.either(shadows[0], shadows[1])
        return None if both is None else scope.all_or_nothing(both, kind)
    if rule in PROCESSOR_RULES:
        return PROCESSOR_RULES[rule](scope, call, kind)
    if rule in VECTOR_RULES:
        return VECTOR_RULES[rule](scope, call, kind)
    if rule == "lanes":
        return _lanes(scope, known, kind)
    found: Value | None = None
    for shadow in known:
        found = scope.either(found, resized(scope, shadow, kind))
    return found


def _lanes(scope: FunctionShadow, known: list[Value], kind: Type) -> Value | None:
    found: Value | None = None
    for shadow in known:
        is_alike = isinstance(shadow.type, VectorType) and isinstance(kind, VectorType)
        if not is_alike or shadow.type.count != kind.count:  # type: ignore[attr-defined]
            return None
        found = scope.either(found, scope.all_or_nothing(shadow, kind))
    return found


def _same(scope: FunctionShadow, call: Call, shadow: Value) -> Value:
    return scope.at.call(call.operands[0], [shadow, *call.arguments[1:]])


def _funnel(
    scope: FunctionShadow, call: Call, shadows: list[Value | None], kind: Type
) -> Value | None:
    first, second, distance = call.arguments
    found: Value | None = None
    if shadows[0] is not None or shadows[1] is not None:
        found = scope.at.call(call.operands[0], [scope.full(first), scope.full(second), distance])
    other = shadows[2]
    return scope.either(found, None if other is None else scope.all_or_nothing(other, kind))


def _overflow(scope: FunctionShadow, known: list[Value], kind: Type) -> Value:
    both: Value | None = None
    for shadow in known:
        both = scope.either(both, shadow)
    assert both is not None
    flag = kind.elements[1]  # type: ignore[attr-defined]
    made = scope.at.insert_value(clean(kind), both, [0])
    return scope.at.insert_value(made, scope.all_or_nothing(both, flag), [1])
