"""The dynamic type of a C++ object, read from its vtable: is it what its static type says?

    object  -> vptr -> table:   [-2] offset of the table's part from the whole object, negated
                                [-1] type_info of the whole object
    type_info               {vtable, name}
    __si_class_type_info    ... {one base at offset 0}
    __vmi_class_type_info   ... {u32 flags, u32 n; n * {base, offset << 8 | flags}}

Which of the three a type_info is, its own vtable says.  Everything is read by the kernel: a vptr
may be anything.  Whether a virtual base is at the right place is not looked up, as in the original:
it counts as being there.

Source: the Itanium C++ ABI, "Run-Time Type Information"; compiler-rt's ubsan_type_hash_itanium.cpp
for the checks, ubsan_handlers_cxx.cpp for the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from irsan.reports.model.names import demangled
from irsan.runtime.diagnosis.memory_snippet import MarkedRange, read_memory
from irsan.runtime.diagnosis.undefined_data import PLACE_BYTES, read_type, read_u32, read_u64
from irsan.runtime.diagnosis.undefined_failures import Failure, notes_on_memory
from irsan.runtime.diagnosis.undefined_pointers import USES

CACHE_WORDS: Final = 128
"""Of `__ubsan_vptr_type_cache`: a hash that is found there needs no call of the handler."""
_MAX_OFFSET_TO_TOP: Final = 1 << 20
_MAX_BASES: Final = 1 << 12
_MAX_DEPTH: Final = 64
_NAME_BYTES: Final = 64
_VIRTUAL_BASE, _OFFSET_SHIFT = 1, 8
_CLASS: Final = "N10__cxxabiv117__class_type_infoE"
_SINGLE: Final = "N10__cxxabiv120__si_class_type_infoE"
_MULTIPLE: Final = "N10__cxxabiv121__vmi_class_type_infoE"


@dataclass(frozen=True, slots=True)
class TypeInfo:
    """A type_info: where it is, its linkage name, its direct bases (offset None: virtual)."""

    addr: int
    name: str
    bases: tuple[tuple[int, int | None], ...] = ()


@dataclass(frozen=True, slots=True)
class DynamicType:
    """What a vtable says: the type of the whole object, and where in it this part begins."""

    whole: TypeInfo | None = None
    offset: int = 0

    @property
    def has_wild_offset(self) -> bool:
        return abs(self.offset) > _MAX_OFFSET_TO_TOP


def read_table(table: int) -> DynamicType:
    """The dynamic type that a vtable is for."""
    words = _words(table - 16, 2)
    if words is None or not words[1]:
        return DynamicType()
    offset = -_signed(words[0])
    if abs(offset) > _MAX_OFFSET_TO_TOP:
        return DynamicType(None, offset)
    return DynamicType(read_type_info(words[1]), offset)


def read_type_info(addr: int) -> TypeInfo | None:
    """The type_info of a class at `addr`; None when there is none."""
    words = _words(addr, 2)
    sort = _sort_of(words[0]) if words else ""
    if words is None or sort not in (_CLASS, _SINGLE, _MULTIPLE):
        return None
    return TypeInfo(addr, _text(words[1]), tuple(_bases(addr, sort)))


def has_part(whole: TypeInfo, part: TypeInfo, offset: int, depth: int = 0) -> bool:
    """Whether a `whole` has a `part` at an offset; a virtual base may be anywhere."""
    if whole.addr == part.addr or whole.name == part.name:
        return offset == 0
    if depth > _MAX_DEPTH:
        return False
    for addr, distance in whole.bases:
        if distance is None:
            return True
        base = read_type_info(addr)
        if base is not None and has_part(base, part, offset - distance, depth + 1):
            return True
    return False


def part_at(whole: TypeInfo, offset: int, depth: int = 0) -> TypeInfo | None:
    """The base that begins at an offset of a `whole`; virtual ones are not looked at."""
    if not offset:
        return whole
    for addr, distance in whole.bases if depth <= _MAX_DEPTH else ():
        base = read_type_info(addr) if distance is not None else None
        found = part_at(base, offset - (distance or 0), depth + 1) if base is not None else None
        if found is not None:
            return found
    return None


def base_offset(whole: TypeInfo, name: str, depth: int = 0) -> int | None:
    """Where the base with a linkage name begins in a `whole`; virtual ones are not looked at."""
    if whole.name == name:
        return 0
    for addr, distance in whole.bases if depth <= _MAX_DEPTH else ():
        base = read_type_info(addr) if distance is not None else None
        found = base_offset(base, name, depth + 1) if base is not None else None
        if found is not None:
            return (distance or 0) + found
    return None


def type_name(info: TypeInfo | None) -> str:
    """The name as in the source."""
    if info is None:
        return "<unknown>"
    return demangled(f"_ZTI{info.name}").removeprefix("typeinfo for ")


def explain_cache_miss(words: Sequence[int]) -> Failure | None:
    """dynamic_type_cache_miss(record, pointer, hash); None when the object is what it should be."""
    record, pointer = words[:2]
    wanted = read_type_info(read_u64(record + PLACE_BYTES + 8))
    table = _words(pointer, 1)
    found = read_table(table[0]) if table else DynamicType()
    whole = found.whole
    if whole is not None and wanted is not None and has_part(whole, wanted, found.offset):
        return None
    number = read_u32(record + PLACE_BYTES + 16) & 0xFF
    name = read_type(read_u64(record + PLACE_BYTES)).name
    message = (
        f"{USES[number]} address {pointer:#014x} which does not point to an object of type {name}"
    )
    notes = _notes(pointer, found)
    object_type = whole.name if whole else ""
    return Failure("dynamic-type-mismatch", "vptr", message, record, notes, object_type)


def _notes(pointer: int, found: DynamicType) -> tuple[str, ...]:
    """What the object is instead."""
    vptr = (pointer, pointer + 8)
    if found.whole is None:
        told = "object has invalid vptr"
        if found.has_wild_offset:
            told = "object has a possibly invalid vptr: abs(offset to top) too big"
        named = "possibly invalid vptr" if found.has_wild_offset else "invalid vptr"
        return notes_on_memory(pointer, told, MarkedRange(*vptr, named))
    whole = type_name(found.whole)
    if not found.offset:
        told = f"object is of type '{whole}'"
        return notes_on_memory(pointer, told, MarkedRange(*vptr, f"vptr for '{whole}'"))
    part = type_name(part_at(found.whole, found.offset))
    told = f"object is base class subobject at offset {found.offset} within object of type"
    named = f"vptr for '{part}' base class of '{whole}'"
    marked = MarkedRange(*vptr, named)
    return notes_on_memory(pointer - found.offset, f"{told} '{whole}'", marked)


def _bases(addr: int, sort: str) -> Iterator[tuple[int, int | None]]:
    if sort == _SINGLE:
        words = _words(addr + 16, 1)
        if words is not None:
            yield words[0], 0
    elif sort == _MULTIPLE:
        head = _words(addr + 16, 1)
        count = head[0] >> 32 if head is not None else 0
        rows = _words(addr + 24, 2 * count) if 0 < count < _MAX_BASES else None
        for base, facts in zip(rows[::2], rows[1::2], strict=True) if rows else ():
            is_virtual = bool(facts & _VIRTUAL_BASE)
            yield base, None if is_virtual else _signed(facts) >> _OFFSET_SHIFT


def _sort_of(table: int) -> str:
    """Linkage name of the class whose vtable this is, for the vtables of type_infos."""
    words = _words(table - 8, 1)
    own = _words(words[0], 2) if words else None
    return _text(own[1]) if own else ""


def _words(addr: int, count: int) -> tuple[int, ...] | None:
    raw = read_memory(addr, 8 * count) if 0 < addr < 1 << 63 else None
    if raw is None:
        return None
    return tuple(int.from_bytes(raw[at : at + 8], "little") for at in range(0, 8 * count, 8))


def _text(addr: int) -> str:
    """A name, "" when it cannot be read; a leading `*` says that it is not unique."""
    raw = b""
    while b"\0" not in raw:
        step = _NAME_BYTES - (addr + len(raw)) % _NAME_BYTES
        more = read_memory(addr + len(raw), step) if 0 < addr < 1 << 63 else None
        if more is None:
            return ""
        raw += more
    return raw.partition(b"\0")[0].decode("utf-8", "replace").removeprefix("*")


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word
