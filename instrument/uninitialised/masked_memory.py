"""Masked vectors in memory: the same intrinsic moves their shadow, with the same mask.

    %v = masked.load(%p, mask, %w)      %s = masked.load(bits_from(%p), mask, shadow of %w)
    masked.store(%v, %p, mask)          masked.store(shadow of %v, bits_to(%p), mask)

expandload and compressstore alike.  Shadow of floating-point elements and of pointers goes through
the intrinsic in their type, bit by bit.

Source: MemorySanitizer's visitor.
Deviations: gather gives initialised values, scatter leaves shadow as it is; no mask is checked.
"""

from __future__ import annotations

from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.ir.calls import Call
from irsan.ir.types import PointerType, Type, VectorType
from irsan.ir.values import Value


def shadow_of_masked_load(scope: FunctionShadow, call: Call) -> Value | None:
    """Appends the load of the shadow; lanes that are off have that of the last argument."""
    kind, (pointer, *rest, other) = scope.types.of(call.type), call.arguments
    if not isinstance(kind, VectorType) or not _is_plain(pointer):
        return None
    source = scope.call_hook("__irsan_bits_from", [pointer], call.debug_location)
    unchosen = _moved_as(scope, scope.full(other), call.type)
    loaded = scope.at.call(call.operands[0], [source, *rest, unchosen])
    return _moved_as(scope, loaded, kind)


def store_masked_shadow(scope: FunctionShadow, call: Call) -> None:
    """Appends the store of the shadow."""
    value, pointer, *rest = call.arguments
    if not isinstance(scope.types.of(value.type), VectorType) or not _is_plain(pointer):
        return
    target = scope.call_hook("__irsan_bits_to", [pointer], call.debug_location)
    bits = _moved_as(scope, scope.full(value), value.type)
    scope.at.call(call.operands[0], [bits, target, *rest])


def _is_plain(pointer: Value) -> bool:
    return isinstance(pointer.type, PointerType) and pointer.type.address_space == 0


def _moved_as(scope: FunctionShadow, bits: Value, kind: Type) -> Value:
    """The same bits as another type of vector."""
    if bits.type is kind:
        return bits
    assert isinstance(bits.type, VectorType) and isinstance(kind, VectorType)
    if isinstance(kind.element, PointerType):
        return scope.at.cast("inttoptr", bits, kind)
    opcode = "ptrtoint" if isinstance(bits.type.element, PointerType) else "bitcast"
    return scope.at.cast(opcode, bits, kind)
