"""Failed checks of pointers: null, alignment, room, arithmetic, attributes, control flow.

Source: compiler-rt's ubsan_handlers.cpp, for which words go with which facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from irsan.runtime.diagnosis.undefined_data import (
    PLACE_BYTES,
    read_place,
    read_type,
    read_u32,
    read_u64,
)
from irsan.runtime.diagnosis.undefined_failures import (
    Explain,
    Failure,
    GuestNames,
    note_at,
    note_on_code,
    notes_on_memory,
)

USES: Final = (
    "load of", "store to", "reference binding to", "member access within", "member call on",
    "constructor call on", "downcast of", "downcast of", "upcast of", "cast to virtual base of",
    "_Nonnull binding to", "dynamic operation on",
)  # fmt: skip
"""The use of a pointer, by clang's number of it."""
_NULLABILITY_USE: Final = 10
_SIGN_BIT: Final = 1 << 63


def _type_mismatch(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, pointer = words[:2]
    name = read_type(read_u64(record + PLACE_BYTES)).name
    sorts = read_u32(record + PLACE_BYTES + 8)
    alignment, number = 1 << (sorts & 0xFF), sorts >> 8 & 0xFF
    use, notes = USES[number], notes_on_memory(pointer, "pointer points here") if pointer else ()
    if not pointer:
        check = "nullability-assign" if number == _NULLABILITY_USE else "null"
        message = f"{use} null pointer of type {name}"
        return Failure("null-pointer-use", check, message, record)
    if pointer % alignment:
        message = (
            f"{use} misaligned address {pointer:#014x} for type {name}, which requires "
            f"{alignment} byte alignment"
        )
        return Failure("misaligned-pointer-use", "alignment", message, record, notes)
    message = f"{use} address {pointer:#014x} with insufficient space for an object of type {name}"
    return Failure("insufficient-object-size", "object-size", message, record, notes)


def _alignment_assumption(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, pointer, alignment, offset = words[:4]
    assumed = read_place(record + PLACE_BYTES)
    name = read_type(read_u64(record + 2 * PLACE_BYTES)).name
    real = (pointer - offset) % (1 << 64)
    shifted = f" (with offset of {offset} byte)" if offset else ""
    message = (
        f"assumption of {alignment} byte alignment{shifted} for pointer of type {name} failed"
    )
    specified = (note_at(assumed, "alignment assumption was specified here"),)
    told = (
        f"{'offset ' if offset else ''}address is {real & -real} aligned, misalignment offset is "
        f"{real & (alignment - 1)} bytes"
    )
    notes = (*(specified if assumed.file else ()), *notes_on_memory(real, told))
    return Failure("alignment-assumption", "alignment", message, record, notes)


def _arithmetic(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, base, result = words[:3]
    kind, check = "pointer-overflow", "pointer-overflow"
    if not base and not result:
        kind, message = "nullptr-with-offset", "applying zero offset to null pointer"
    elif not base:
        kind = "nullptr-with-nonzero-offset"
        message = f"applying non-zero offset {result} to null pointer"
    elif not result:
        kind = "nullptr-after-nonzero-offset"
        message = (
            f"applying non-zero offset to non-null pointer {base:#014x} produced null pointer"
        )
    elif (base ^ result) & _SIGN_BIT:
        message = f"pointer index expression with base {base:#014x} overflowed to {result:#014x}"
    else:
        words_of = ("addition", "to") if base > result else ("subtraction", "from")
        message = (
            f"{words_of[0]} of unsigned offset {words_of[1]} {base:#014x} overflowed to "
            f"{result:#014x}"
        )
    return Failure(kind, check, message, record)


def _null_argument(check: str, what: str) -> Explain:
    def explain(words: Sequence[int], _guest: GuestNames) -> Failure:
        record = words[0]
        declared = read_place(record + PLACE_BYTES)
        number = read_u32(record + 2 * PLACE_BYTES)
        message = (
            f"null pointer passed as argument {number}, which is declared to never be null"
        )
        notes = (note_at(declared, f"{what} specified here"),) if declared.file else ()
        return Failure("invalid-null-argument", check, message, record, notes)

    return explain


def _null_return(check: str, what: str) -> Explain:
    def explain(words: Sequence[int], _guest: GuestNames) -> Failure:
        record, place_at = words[:2]
        declared = read_place(record)
        message = "null pointer returned from function declared to never return null"
        notes = (note_at(declared, f"{what} specified here"),) if declared.file else ()
        return Failure("invalid-null-return", check, message, place_at, notes)

    return explain


_INDIRECT_CALLS: Final = {
    4: "indirect function call",
    5: "non-virtual pointer to member function call",
}
_TABLE_USES: Final = {
    0: "virtual call",
    1: "non-virtual call",
    2: "base-to-derived cast",
    3: "cast to unrelated type",
    6: "virtual pointer to member function call",
}


def _control_flow(words: Sequence[int], guest: GuestNames) -> Failure:
    record, address, is_table = words[:3]
    place_at = record + 8
    name = read_type(read_u64(place_at + PLACE_BYTES)).name
    number = read_u32(record) & 0xFF
    message = f"control flow integrity check for type {name} failed during "
    if number in _INDIRECT_CALLS:
        function = guest.function_at(address)
        shown = function.function or "(unknown)"
        message += _INDIRECT_CALLS[number]
        notes: tuple[str, ...] = (note_on_code(function, f"{shown} defined here"),)
        return Failure("cfi-bad-type", "cfi", message, place_at, notes)
    message += f"{_TABLE_USES.get(number, 'call')} (vtable address {address:#014x})"
    owner = guest.type_of_table(address) if is_table else ""
    told = f"vtable is of type '{owner}'" if owner else "invalid vtable"
    notes = notes_on_memory(address, told)
    return Failure("cfi-bad-type", "cfi", message, place_at, notes)


POINTER_FAILURES: Mapping[str, Explain] = {
    "type_mismatch_v1": _type_mismatch,
    "alignment_assumption": _alignment_assumption,
    "pointer_overflow": _arithmetic,
    "nonnull_arg": _null_argument("nonnull-attribute", "nonnull attribute"),
    "nullability_arg": _null_argument("nullability-arg", "_Nonnull type annotation"),
    "nonnull_return_v1": _null_return("returns-nonnull-attribute", "returns_nonnull attribute"),
    "nullability_return_v1": _null_return(
        "nullability-return", "_Nonnull return type annotation"
    ),
    "cfi_check_fail": _control_flow,
}
