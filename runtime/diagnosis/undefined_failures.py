"""What a handler of undefined behaviour has to say: kind, message, place and notes.

    FAILURES["add_overflow"](words, guest) -> Failure      words: the handler's arguments

Kinds are the words of UBSan's SUMMARY line, checks those of clang's -fsanitize= flag.  Handlers of
pointers are in undefined_pointers.py, those of C++ objects in dynamic_types.py.

Source: compiler-rt's ubsan_handlers.cpp, for which words go with which facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from irsan.reports.model.report import Frame
from irsan.runtime.diagnosis.memory_snippet import MarkedRange, snippet_lines
from irsan.runtime.diagnosis.undefined_data import (
    PLACE_BYTES,
    SourcePlace,
    TypeRecord,
    integer_value,
    read_place,
    read_type,
    read_u16,
    read_u32,
    read_u64,
    value_text,
)

_BROKEN_PROMISE: Final = (
    "a return is missing behind this, or a promise (noreturn, __builtin_unreachable) is broken"
)
_NEWEST_UNTYPED: Final = 2  # a record that begins so has no place: it is of an old clang


class GuestNames(Protocol):
    """What a message may ask about the program."""

    def function_at(self, address: int) -> Frame:
        """The function whose code begins at an address."""

    def type_of_table(self, table: int) -> str:
        """The class that a vtable is of, "" for no vtable."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed check.

    check       its word in -fsanitize=
    place_at    address of the record of its place, 0 for none: then the stack says where it is
    object_type the linkage name of the type of the object in question (vptr)
    """

    kind: str
    check: str
    message: str
    place_at: int = 0
    notes: tuple[str, ...] = ()
    object_type: str = ""


Explain = Callable[[Sequence[int], GuestNames], Failure]


def place_text(place: SourcePlace) -> str:
    """`file:line:column`; zeros are left out."""
    if not place.file:
        return "<unknown>"
    return ":".join([place.file, *(str(n) for n in (place.line, place.column) if n)])


def note_at(place: SourcePlace, text: str) -> str:
    """The line of a note about a place in the source."""
    return f"{place_text(place)}: note: {text}"


def note_on_code(frame: Frame, text: str) -> str:
    """The line of a note about a function."""
    if frame.file:
        return note_at(SourcePlace(frame.file, frame.line, frame.column), text)
    return f"({frame.module}+{frame.module_offset:#x}): note: {text}"


def notes_on_memory(addr: int, text: str, marked: MarkedRange | None = None) -> tuple[str, ...]:
    """The lines of a note about memory, with the bytes there."""
    return (f"{addr:#014x}: note: {text}", *snippet_lines(addr, marked))


def _types(record: int, count: int = 1, offset: int = PLACE_BYTES) -> list[TypeRecord]:
    """The types that a record names, from `offset` on."""
    return [read_type(read_u64(record + offset + 8 * number)) for number in range(count)]


def _overflow(operator: str) -> Explain:
    def explain(words: Sequence[int], _guest: GuestNames) -> Failure:
        record, left, right = words[:3]
        (type_,) = _types(record)
        sign = "signed" if type_.is_signed else "unsigned"
        operation = f"{value_text(type_, left)} {operator} {value_text(type_, right)}"
        message = f"{sign} integer overflow: {operation} cannot be represented in type {type_.name}"
        return Failure(f"{sign}-integer-overflow", f"{sign}-integer-overflow", message, record)

    return explain


def _negate_overflow(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, value = words[:2]
    (type_,) = _types(record)
    shown = value_text(type_, value)
    message = f"negation of {shown} cannot be represented in type {type_.name}"
    if type_.is_signed:
        message += "; cast to an unsigned type to negate this value to itself"
    kind = f"{'signed' if type_.is_signed else 'unsigned'}-integer-overflow"
    return Failure(kind, kind, message, record)


def _division(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, left, right = words[:3]
    (type_,) = _types(record)
    if type_.is_signed and integer_value(type_, right) == -1:
        shown = value_text(type_, left)
        message = f"division of {shown} by -1 cannot be represented in type {type_.name}"
        return Failure("signed-integer-overflow", "signed-integer-overflow", message, record)
    kind = f"{'integer' if type_.is_integer else 'float'}-divide-by-zero"
    return Failure(kind, kind, "division by zero", record)


def _shift(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, left, right = words[:3]
    shifted, amount = _types(record, 2)
    base, exponent = integer_value(shifted, left), integer_value(amount, right)
    if exponent < 0:
        message = f"shift exponent {exponent} is negative"
        return Failure("invalid-shift-exponent", "shift-exponent", message, record)
    if exponent >= shifted.width_bits:
        message = (
            f"shift exponent {value_text(amount, right)} is too large for "
            f"{shifted.width_bits}-bit type {shifted.name}"
        )
        return Failure("invalid-shift-exponent", "shift-exponent", message, record)
    message = f"left shift of negative value {value_text(shifted, left)}"
    if base >= 0:
        message = (
            f"left shift of {value_text(shifted, left)} by {value_text(amount, right)} places "
            f"cannot be represented in type {shifted.name}"
        )
    return Failure("invalid-shift-base", "shift-base", message, record)


def _array_index(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, index = words[:2]
    array, type_ = _types(record, 2)
    message = f"index {value_text(type_, index)} out of bounds for type {array.name}"
    return Failure("out-of-bounds-index", "bounds", message, record)


def _local_access(words: Sequence[int], _guest: GuestNames) -> Failure:
    return Failure("local-out-of-bounds", "local-bounds", "access out of bounds", words[0])


def _unreachable(words: Sequence[int], _guest: GuestNames) -> Failure:
    message = "execution reached an unreachable program point"
    note = note_at(read_place(words[0]), _BROKEN_PROMISE)
    return Failure("unreachable-call", "unreachable", message, words[0], (note,))


def _missing_return(words: Sequence[int], _guest: GuestNames) -> Failure:
    message = (
        "execution reached the end of a value-returning function without returning a value"
    )
    return Failure("missing-return", "return", message, words[0])


def _array_length(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, length = words[:2]
    (type_,) = _types(record)
    shown = value_text(type_, length)
    message = f"variable length array bound evaluates to non-positive value {shown}"
    return Failure("non-positive-vla-index", "vla-bound", message, record)


def _float_cast(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, value = words[:2]
    place_at, offset = (0, 0) if _has_no_place(record) else (record, PLACE_BYTES)
    source, target = _types(record, 2, offset)
    shown = value_text(source, value)
    message = f"{shown} is outside the range of representable values of type {target.name}"
    return Failure("float-cast-overflow", "float-cast-overflow", message, place_at)


def _has_no_place(record: int) -> bool:
    """Whether a record of a cast begins with a type: a file's name is no small number."""
    first = read_u16(read_u64(record)) if read_u64(record) else _NEWEST_UNTYPED
    return (first & 0xFF) + (first >> 8) < _NEWEST_UNTYPED or 0xFF in (first & 0xFF, first >> 8)


_BOOLEANS: Final = ("'bool'", "'_Bool'")  # the original takes C's for an enumeration


def _invalid_value(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, value = words[:2]
    (type_,) = _types(record)
    is_bool = type_.name in _BOOLEANS or type_.name.startswith("'BOOL'")
    shown = value_text(type_, value)
    message = f"load of value {shown}, which is not a valid value for type {type_.name}"
    name = "bool" if is_bool else "enum"
    return Failure(f"invalid-{name}-load", name, message, record)


_CONVERSION_CHECKS: Final = {
    1: "implicit-unsigned-integer-truncation",
    2: "implicit-signed-integer-truncation",
    3: "implicit-integer-sign-change",
    4: "implicit-signed-integer-truncation,implicit-integer-sign-change",
}
_CONVERSION_KINDS: Final = {
    **_CONVERSION_CHECKS,
    4: "implicit-signed-integer-truncation-or-sign-change",
}


def _conversion(words: Sequence[int], _guest: GuestNames) -> Failure:
    record, before, after = words[:3]
    source, target = _types(record, 2)
    sort = read_u32(record + PLACE_BYTES + 16) & 0xFF
    if sort == 0:  # clang 7
        sort = 2 if source.is_signed or target.is_signed else 1
    n_bits = read_u32(record + PLACE_BYTES + 20)
    form = f"{n_bits}-bit bitfield" if n_bits else f"{target.width_bits}-bit"
    message = (
        f"implicit conversion from type {source.name} of value {value_text(source, before)} "
        f"({source.width_bits}-bit, {_signedness(source)}) to type {target.name} changed the value "
        f"to {value_text(target, after)} ({form}, {_signedness(target)})"
    )
    return Failure(_CONVERSION_KINDS[sort], _CONVERSION_CHECKS[sort], message, record)


def _signedness(type_: TypeRecord) -> str:
    return "signed" if type_.is_signed else "unsigned"


_BUILTINS: Final = {
    0: "passing zero to ctz(), which is not a valid argument",
    1: "passing zero to clz(), which is not a valid argument",
    2: "assumption is violated during execution",
}


def _builtin(words: Sequence[int], _guest: GuestNames) -> Failure:
    message = _BUILTINS[read_u16(words[0] + PLACE_BYTES) & 0xFF]
    return Failure("invalid-builtin-use", "invalid-builtin-use", message, words[0])


def _objc_cast(words: Sequence[int], _guest: GuestNames) -> Failure:
    (type_,) = _types(words[0])
    message = f"invalid ObjC cast, object is a '<unknown type>', but expected a {type_.name}"
    return Failure("invalid-objc-cast", "invalid-objc-cast", message, words[0])


def _function_type(words: Sequence[int], guest: GuestNames) -> Failure:
    record, address = words[:2]
    (type_,) = _types(record)
    function = guest.function_at(address)
    name = function.function or "(unknown)"
    message = f"call to function {name} through pointer to incorrect function type {type_.name}"
    notes = (note_on_code(function, f"{name} defined here"),)
    return Failure("function-type-mismatch", "function", message, record, notes)


VALUE_FAILURES: Mapping[str, Explain] = {
    "add_overflow": _overflow("+"),
    "sub_overflow": _overflow("-"),
    "mul_overflow": _overflow("*"),
    "negate_overflow": _negate_overflow,
    "divrem_overflow": _division,
    "shift_out_of_bounds": _shift,
    "out_of_bounds": _array_index,
    "local_out_of_bounds": _local_access,
    "builtin_unreachable": _unreachable,
    "missing_return": _missing_return,
    "vla_bound_not_positive": _array_length,
    "float_cast_overflow": _float_cast,
    "load_invalid_value": _invalid_value,
    "implicit_conversion": _conversion,
    "invalid_builtin": _builtin,
    "invalid_objc_cast": _objc_cast,
    "function_type_mismatch": _function_type,
}
