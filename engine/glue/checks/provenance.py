"""Glue for pointer provenance: ids from and to memory and calls, and the comparison at accesses.

    __irsan_prov_load(p, v)           slot of p holds v ?  its id  :  0          no branch
    __irsan_prov_wipe_part(p)         the slot of p says nothing, unless its pointer begins behind p
    __irsan_prov_show(p, n)           the slot of p, or one that ends in it, says something ?  the
                                      kernel looks
    __irsan_bounds_of_id(p, id, info, site)
                                      id 0, or p inside of the id's row ?  done  :  the kernel asks
    __irsan_prov_pass(n, v, id)       parameter n of the function that __irsan_prov_call names

The slow way puts the site back that was known before: code behind a check relies on it.
"""

from __future__ import annotations

from irsan.engine.glue.text import LIKELY
from irsan.instrument.hooks import HOOKS
from irsan.runtime.records import provenance_records as pr

_INLINE = "alwaysinline nounwind"
SLOW = "__irsan_slow_provenance"


def inlined_provenance() -> str:
    """Definitions of the hooks that are inlined into programs."""
    return "\n".join([_memory(), _calls(), _of_global(), _show(), _expose(), _check()])


def inlined_provenance_names() -> list[str]:
    """Names that `inlined_provenance` defines."""
    return [hook.name for hook in HOOKS.values() if hook.group == "ids"]


def provenance_declarations() -> str:
    """Declarations of what the inlined hooks call."""
    return (
        f"declare preserve_mostcc void @{SLOW}(i64, i64, i64, i32) cold\n"
        "declare void @__irsan_prov_expose_slow(i64)\n"
        "declare void @__irsan_prov_show_range(ptr, i64)"
    )


def at_address(addr: str) -> str:
    """A pointer to an address that is known here."""
    return f"inttoptr (i64 {addr} to ptr)"


def _slot(elsewhere: int) -> list[str]:
    return [
        "%a = ptrtoint ptr %p to i64",
        "%group = and i64 %a, -8",
        f"%covered = icmp ult i64 %a, {pr.COVERED_BYTES}",
        "%twice = shl i64 %group, 1",
        f"%there = add i64 %twice, {pr.SLOTS}",
        f"%where = select i1 %covered, i64 %there, i64 {elsewhere}",
        "%slot = inttoptr i64 %where to ptr",
        "%behind = getelementptr i8, ptr %slot, i64 8",
    ]


def _key() -> list[str]:
    """%key: the first word of the slot of a place %a that holds the pointer %v."""
    return [
        "%pointer = ptrtoint ptr %v to i64",
        f"%odd = shl i64 %a, {pr.PLACE_SHIFT}",
        "%key = xor i64 %pointer, %odd",
    ]


def same_pointer(slot: str, behind: str) -> list[str]:
    """%r: the id of a pair if it is that of the pointer %v."""
    return [
        f"%known = load ptr, ptr {slot}",
        f"%id = load i64, ptr {behind}",
        "%same = icmp eq ptr %known, %v",
        "%r = select i1 %same, i64 %id, i64 0",
    ]


def _memory() -> str:
    return "\n".join(
        [
            f"define i64 @__irsan_prov_load(ptr %p, ptr %v) {_INLINE} {{",
            *_slot(pr.NOWHERE),
            *_key(),
            "%known = load i64, ptr %slot",
            "%id = load i64, ptr %behind",
            "%same = icmp eq i64 %known, %key",
            "%r = select i1 %same, i64 %id, i64 0",
            "ret i64 %r\n}",
            f"define void @__irsan_prov_store(ptr %p, ptr %v, i64 %id) {_INLINE} {{",
            *_slot(pr.ANYWHERE),
            *_key(),
            "store i64 %key, ptr %slot",
            "store i64 %id, ptr %behind",
            "ret void\n}",
            f"define void @__irsan_prov_wipe(ptr %p) {_INLINE} {{",
            *_slot(pr.ANYWHERE),
            "store ptr null, ptr %slot",
            "ret void\n}",
            f"define void @__irsan_prov_wipe_part(ptr %p) {_INLINE} {{",
            *_slot(pr.ANYWHERE),
            "%known = load i64, ptr %slot",
            f"%begins = lshr i64 %known, {pr.PLACE_SHIFT}",
            "%here = and i64 %a, 7",
            "%is.later = icmp ugt i64 %begins, %here",
            "%left = select i1 %is.later, i64 %known, i64 0",
            "store i64 %left, ptr %slot",
            "ret void\n}",
        ]
    )


def _show() -> str:
    """A pointer in the 8 bytes before reaches into these unless it begins where they do."""
    return "\n".join(
        [
            f"define void @__irsan_prov_show(ptr %p, i64 %n) {_INLINE} {{",
            *_slot(pr.NOWHERE),
            f"%before.at = getelementptr i8, ptr %slot, i64 -{pr.SLOT_BYTES}",
            "%known = load i64, ptr %slot",
            "%before = load i64, ptr %before.at",
            f"%begins = lshr i64 %before, {pr.PLACE_SHIFT}",
            "%either = or i64 %known, %begins",
            "%none = icmp eq i64 %either, 0",
            f"br i1 %none, label %done, label %look, !prof {LIKELY}",
            "look:\ncall void @__irsan_prov_show_range(ptr %p, i64 %n)\nbr label %done",
            "done:\nret void\n}",
        ]
    )


def passed_pair() -> list[str]:
    """%slot, %behind: pointer number %n of the area of arguments, and its id."""
    return [
        "%twice = shl i64 %n, 4",
        f"%where = add i64 %twice, {pr.PASSED}",
        "%slot = inttoptr i64 %where to ptr",
        "%behind = getelementptr i8, ptr %slot, i64 8",
    ]


def is_meant() -> list[str]:
    """%mine: whether what was passed is meant for the function %self."""
    return [
        f"%meant = load ptr, ptr {at_address(str(pr.ARGUMENTS_FOR))}",
        "%mine = icmp eq ptr %meant, %self",
    ]


def _variadic() -> list[str]:
    """Row %n of those for variable arguments, and whom all rows are meant for."""
    return [
        "define void @__irsan_prov_pass_variadic(i64 %n, i64 %place, ptr %v, i64 %id)"
        f" {_INLINE} {{",
        f"%far = mul i64 %n, {pr.VARIADIC_ROW_BYTES}",
        f"%where = add i64 %far, {pr.VARIADIC}",
        "%row = inttoptr i64 %where to ptr",
        "%pointer.at = getelementptr i8, ptr %row, i64 8",
        "%id.at = getelementptr i8, ptr %row, i64 16",
        "store i64 %place, ptr %row",
        "store ptr %v, ptr %pointer.at",
        "store i64 %id, ptr %id.at",
        "ret void\n}",
        f"define void @__irsan_prov_call_variadic(ptr %f, i64 %rows, i64 %n) {_INLINE} {{",
        f"store ptr %f, ptr {at_address(str(pr.VARIADIC_FOR))}",
        f"store i64 %rows, ptr {at_address(str(pr.N_VARIADIC))}",
        f"store i64 %n, ptr {at_address(str(pr.VARIADIC_BYTES))}",
        "ret void\n}",
    ]


def _calls() -> str:
    return "\n".join(
        [
            f"define void @__irsan_prov_pass(i64 %n, ptr %v, i64 %id) {_INLINE} {{",
            *passed_pair(),
            "store ptr %v, ptr %slot",
            "store i64 %id, ptr %behind",
            "ret void\n}",
            f"define void @__irsan_prov_call(ptr %f) {_INLINE} {{",
            f"store ptr %f, ptr {at_address(str(pr.ARGUMENTS_FOR))}",
            "ret void\n}",
            *_variadic(),
            f"define i64 @__irsan_prov_take(i64 %n, ptr %v, ptr %self) {_INLINE} {{",
            *passed_pair(),
            *same_pointer("%slot", "%behind"),
            *is_meant(),
            "%taken = select i1 %mine, i64 %r, i64 0",
            "ret i64 %taken\n}",
            f"define void @__irsan_prov_taken() {_INLINE} {{",
            f"store ptr null, ptr {at_address(str(pr.ARGUMENTS_FOR))}",
            "ret void\n}",
            f"define void @__irsan_prov_return(ptr %self, ptr %v, i64 %id) {_INLINE} {{",
            f"store ptr %self, ptr {at_address(str(pr.RESULT_OF))}",
            f"store ptr %v, ptr {at_address(str(pr.RESULT))}",
            f"store i64 %id, ptr {at_address(str(pr.RESULT + 8))}",
            "ret void\n}",
        ]
    )


def _row(number: str) -> list[str]:
    return [
        f"%index = and i64 {number}, {(1 << pr.INDEX_BITS) - 1}",
        f"%far = mul i64 %index, {pr.ROW_BYTES}",
        f"%where = add i64 %far, {pr.OBJECTS}",
        "%row = inttoptr i64 %where to ptr",
        "%own = load i64, ptr %row",
        f"%lo.at = getelementptr i8, ptr %row, i64 {pr.ROW_LO}",
        "%lo = load i64, ptr %lo.at",
    ]


def _of_global() -> str:
    return "\n".join(
        [
            f"define i64 @__irsan_prov_of_global(ptr %p) {_INLINE} {{",
            "%a = ptrtoint ptr %p to i64",
            "%group = and i64 %a, -8",
            f"%low = icmp ult i64 %a, {pr.COVERED_BYTES}",
            f"%there = add i64 %group, {pr.OWNERS}",
            f"%at = select i1 %low, i64 %there, i64 {pr.NOWHERE}",
            "%owner = inttoptr i64 %at to ptr",
            "%id = load i64, ptr %owner",
            *_row("%id"),
            "%begins = icmp eq i64 %lo, %a",
            "%r = select i1 %begins, i64 %id, i64 0",
            "ret i64 %r\n}",
        ]
    )


def _expose() -> str:
    return "\n".join(
        [
            f"define void @__irsan_prov_expose(i64 %id) {_INLINE} {{",
            f"%none = icmp ule i64 %id, {pr.UNEXPOSED}",
            f"br i1 %none, label %done, label %tell, !prof {LIKELY}",
            "tell:\ncall void @__irsan_prov_expose_slow(i64 %id)\nbr label %done",
            "done:\nret void\n}",
        ]
    )


def _check() -> str:
    return "\n".join(
        [
            "define void @__irsan_bounds_of_id(ptr %p, i64 %id, i64 %info, i32 %site)"
            f" {_INLINE} {{",
            "%none = icmp eq i64 %id, 0",
            "br i1 %none, label %done, label %look",
            "look:",
            "%a = ptrtoint ptr %p to i64",
            *_row("%id"),
            f"%extent.at = getelementptr i8, ptr %row, i64 {pr.ROW_EXTENT}",
            "%extent = load i64, ptr %extent.at",
            "%size = lshr i64 %info, 3",
            "%offset = sub i64 %a, %lo",
            "%left = sub i64 %extent, %offset",
            "%begins = icmp ult i64 %offset, %extent",
            "%ends = icmp ule i64 %size, %left",
            "%mine = icmp eq i64 %own, %id",
            "%inside = and i1 %begins, %ends",
            "%fine = and i1 %inside, %mine",
            f"br i1 %fine, label %done, label %slow, !prof {LIKELY}",
            "slow:",
            f"call preserve_mostcc void @{SLOW}(i64 %a, i64 %id, i64 %info, i32 %site)",
            "br label %done",
            "done:\nret void\n}",
        ]
    )
