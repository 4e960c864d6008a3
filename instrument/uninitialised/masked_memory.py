"""Masked vectors in memory: the same intrinsic moves their shadow, with the same mask.

    %v = masked.load(%p, mask, %w)        %s = masked.load(bits_from(%p), mask, shadow of %w)
    masked.store(%v, %p, mask)            masked.store(shadow of %v, bits_to(%p), mask)
    %v = masked.gather(%ps, mask, %w)     each lane of %ps by bits_from, then the same gather
    a bit is set      loads: it may still be no more, once what native code has written is known
                      stores: each lane that is on gets an origin

expandload and compressstore alike.  The mask is used, and the addresses of lanes that are on.
Shadow of floating-point elements and of pointers goes through the intrinsic in their type, bit by
bit.

Source: MemorySanitizer's visitor.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.instrument.access.masked_access import MaskedCall, read_masked, row_size
from irsan.instrument.uninitialised.function_shadow import Detour, FunctionShadow
from irsan.instrument.uninitialised.shadow_types import clean
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import Poison
from irsan.ir.operations import InsertElement
from irsan.ir.types import PointerType, Type, VectorType
from irsan.ir.values import Value

_NOT_COVERED = -4096  # an address that has no shadow


def masked_to_shadow(scope: FunctionShadow, call: Call) -> Value | None:
    """Checks mask and addresses, then moves the shadow; the result's, None for stores."""
    masked = read_masked(call)
    if masked is None or not _is_plain(masked.pointers):
        return None
    _check(scope, masked)
    if masked.is_write:
        _store(scope, masked)
        return None
    return _load(scope, masked) if call in scope.live and scope.checks else None


def _check(scope: FunctionShadow, masked: MaskedCall) -> None:
    location = masked.call.debug_location
    scope.check(masked.mask, location)
    if not masked.is_scattered:
        scope.check(masked.pointers, location)
        return
    shadow = scope.shadow(masked.pointers) if scope.checks else None
    if shadow is not None and masked.pointers not in scope.checked:
        scope.at.debug_location = location
        used = scope.at.select(masked.mask, shadow, clean(shadow.type))
        scope.report_where(scope.any_bit(used), masked.pointers, location)


def _load(scope: FunctionShadow, masked: MaskedCall) -> Value | None:
    call = masked.call
    kind = scope.types.of(call.type)
    if not isinstance(kind, VectorType):
        return None
    loaded = _loaded(scope, masked, kind)
    if not masked.is_row:
        loaded = scope.at.select(masked.mask, loaded, clean(kind))
    detour = Detour(scope.any_bit(loaded))
    cold = Builder(scope.module, detour.cold, call.debug_location)
    for address, size in _places(scope, masked, cold):
        hook = scope.hooks.call("__irsan_bits_shown", [address, size], call.debug_location)
        detour.cold.append(hook)
    scope.out.append(detour)
    scope.told_places[call] = lambda at: _place(scope, masked, at)
    return _loaded(scope, masked, kind)


def _loaded(scope: FunctionShadow, masked: MaskedCall, kind: Type) -> Value:
    call = masked.call
    source = _shadow_places(scope, masked, "__irsan_bits_from")
    *rest, other = call.arguments[1:]
    unchosen = _moved_as(scope, scope.full(other), call.type)
    return _moved_as(scope, scope.at.call(call.operands[0], [source, *rest, unchosen]), kind)


def _store(scope: FunctionShadow, masked: MaskedCall) -> None:
    value, _, *rest = masked.call.arguments
    if not isinstance(scope.types.of(value.type), VectorType):
        return
    target = _shadow_places(scope, masked, "__irsan_bits_to")
    bits = _moved_as(scope, scope.full(value), value.type)
    scope.at.call(masked.call.operands[0], [bits, target, *rest])
    shadow, location = scope.shadow(value), masked.call.debug_location
    if shadow is None:
        return
    detour, int64 = Detour(scope.any_bit(shadow)), scope.hooks.int64
    cold = Builder(scope.module, detour.cold, location)
    source = scope.place(value, cold) or cold.null()
    n_bytes = int64(scope.place_bytes(value))
    for address, size in _places(scope, masked, cold):
        arguments = [source, n_bytes, address, size, scope.hooks.int32(0)]
        detour.cold.append(scope.hooks.call("__irsan_uninit_stored", arguments, location))
    scope.out.append(detour)


def _shadow_places(scope: FunctionShadow, masked: MaskedCall, hook: str) -> Value:
    """The address, or the vector of addresses, of the shadow."""
    pointers, at, location = masked.pointers, scope.at, masked.call.debug_location
    if not masked.is_scattered:
        return scope.call_hook(hook, [pointers], location)
    found: Value = Poison(pointers.type)
    for lane in range(masked.vector.count):
        one = at.extract_element(pointers, at.integer(64, lane))
        made = InsertElement(found, scope.call_hook(hook, [one], location), at.integer(64, lane))
        made.debug_location = location
        scope.out.append(made)
        found = made
    return found


def _places(
    scope: FunctionShadow, masked: MaskedCall, at: Builder
) -> Iterator[tuple[Value, Value]]:
    """(address, size) of the access: lane by lane, without shadow where one is off."""
    sizes = scope.types.sizes
    if masked.is_row:
        yield masked.pointers, row_size(at, masked, sizes)
        return
    nowhere = at.cast("inttoptr", at.integer(64, _NOT_COVERED), at.types.ptr_default)
    for lane in range(masked.vector.count):
        is_on = at.extract_element(masked.mask, at.integer(64, lane))
        address = at.select(is_on, _address(masked, at, lane), nowhere)
        yield address, at.integer(64, sizes.store_size(masked.vector.element))


def _address(masked: MaskedCall, at: Builder, lane: int) -> Value:
    index = at.integer(64, lane)
    if masked.is_scattered:
        return at.extract_element(masked.pointers, index)
    return at.gep(masked.vector.element, masked.pointers, [index])


def _place(scope: FunctionShadow, masked: MaskedCall, at: Builder) -> Value:
    """The address of the first lane with set bits; of a row its beginning."""
    if masked.is_row:
        return masked.pointers
    shadow: Value = scope.full(masked.call)
    found: Value = at.null()
    assert isinstance(shadow.type, VectorType)
    for lane in reversed(range(masked.vector.count)):
        bits = at.extract_element(shadow, at.integer(64, lane))
        is_on = at.extract_element(masked.mask, at.integer(64, lane))
        is_set = at.icmp("ne", bits, clean(shadow.type.element))
        found = at.select(at.binary("and", is_set, is_on), _address(masked, at, lane), found)
    return found


def _is_plain(pointers: Value) -> bool:
    kind = pointers.type.element if isinstance(pointers.type, VectorType) else pointers.type
    return isinstance(kind, PointerType) and kind.address_space == 0


def _moved_as(scope: FunctionShadow, bits: Value, kind: Type) -> Value:
    """The same bits as another type of vector."""
    if bits.type is kind:
        return bits
    assert isinstance(bits.type, VectorType) and isinstance(kind, VectorType)
    if isinstance(kind.element, PointerType):
        return scope.at.cast("inttoptr", bits, kind)
    opcode = "ptrtoint" if isinstance(bits.type.element, PointerType) else "bitcast"
    return scope.at.cast(opcode, bits, kind)
