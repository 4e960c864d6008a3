"""Glue for pointer provenance: ids from and to memory and calls, and the comparison at accesses.

    __irsan_prov_load(p, v)           slot of p holds v ?  its id  :  0          no branch
    __irsan_bounds_of_id(p, id, info, site)
                                      id 0, or p inside of the id's row ?  done  :  the kernel asks
    __irsan_prov_pass(n, v, id)       parameter n of the function that __irsan_prov_call names

The slow way puts the site back that was known before: code behind a check relies on it.
"""

from __future__ import annotations

from irsan.engine.jit.glue_text import LIKELY, at_site
from irsan.instrument.hooks import HOOKS
from irsan.runtime import provenance_records as pr

_INLINE = "alwaysinline nounwind"
_SLOW = "__irsan_slow_provenance"


def inlined_provenance() -> str:
    """Definitions of what is inlined into programs."""
    return "\n".join([_memory(), _calls(), _of_global(), _expose(), _check()])


def inlined_provenance_names() -> list[str]:
    """Names that `inlined_provenance` defines."""
    return [hook.name for hook in HOOKS.values() if hook.group == "ids"]


def provenance_declarations() -> str:
    """Declarations of what the inlined hooks call."""
    return (
        f"declare preserve_mostcc void @{_SLOW}(i64, i64, i64, i32) cold\n"
        "declare void @__irsan_prov_expose_slow(i64)"
    )


def outlined_provenance() -> str:
    """Definitions that live in the runtime object only."""
    return "\n".join([_slow(), _ranges(), _objects(), _thread_variable(), _result()])


def _at(addr: str) -> str:
    return f"inttoptr (i64 {addr} to ptr)"


def _slot(elsewhere: int) -> list[str]:
    return [
        "%a = ptrtoint ptr %p to i64",
        "%odd = and i64 %a, 7",
        "%whole = icmp eq i64 %odd, 0",
        f"%low = icmp ult i64 %a, {pr.COVERED_BYTES}",
        "%covered = and i1 %whole, %low",
        "%twice = shl i64 %a, 1",
        f"%there = add i64 %twice, {pr.SLOTS}",
        f"%where = select i1 %covered, i64 %there, i64 {elsewhere}",
        "%slot = inttoptr i64 %where to ptr",
        "%behind = getelementptr i8, ptr %slot, i64 8",
    ]


def _same(slot: str, behind: str) -> list[str]:
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
            *_same("%slot", "%behind"),
            "ret i64 %r\n}",
            f"define void @__irsan_prov_store(ptr %p, ptr %v, i64 %id) {_INLINE} {{",
            *_slot(pr.ANYWHERE),
            "store ptr %v, ptr %slot",
            "store i64 %id, ptr %behind",
            "ret void\n}",
            f"define void @__irsan_prov_wipe(ptr %q) {_INLINE} {{",
            "%p = call ptr @llvm.ptrmask.p0.i64(ptr %q, i64 -8)",
            *_slot(pr.ANYWHERE),
            "store ptr null, ptr %slot",
            "ret void\n}",
            "declare ptr @llvm.ptrmask.p0.i64(ptr, i64)",
        ]
    )


def _calls() -> str:
    pair = [
        "%twice = shl i64 %n, 4",
        f"%where = add i64 %twice, {pr.PASSED}",
        "%slot = inttoptr i64 %where to ptr",
        "%behind = getelementptr i8, ptr %slot, i64 8",
    ]
    return "\n".join(
        [
            f"define void @__irsan_prov_pass(i64 %n, ptr %v, i64 %id) {_INLINE} {{",
            *pair,
            "store ptr %v, ptr %slot",
            "store i64 %id, ptr %behind",
            "ret void\n}",
            f"define void @__irsan_prov_call(ptr %f) {_INLINE} {{",
            f"store ptr %f, ptr {_at(str(pr.ARGUMENTS_FOR))}",
            "ret void\n}",
            f"define i64 @__irsan_prov_take(i64 %n, ptr %v, ptr %self) {_INLINE} {{",
            *pair,
            *_same("%slot", "%behind"),
            f"%meant = load ptr, ptr {_at(str(pr.ARGUMENTS_FOR))}",
            "%mine = icmp eq ptr %meant, %self",
            "%taken = select i1 %mine, i64 %r, i64 0",
            "ret i64 %taken\n}",
            f"define void @__irsan_prov_taken() {_INLINE} {{",
            f"store ptr null, ptr {_at(str(pr.ARGUMENTS_FOR))}",
            "ret void\n}",
            f"define void @__irsan_prov_return(ptr %self, ptr %v, i64 %id) {_INLINE} {{",
            f"store ptr %self, ptr {_at(str(pr.RESULT_OF))}",
            f"store ptr %v, ptr {_at(str(pr.RESULT))}",
            f"store i64 %id, ptr {_at(str(pr.RESULT + 8))}",
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
            f"call preserve_mostcc void @{_SLOW}(i64 %a, i64 %id, i64 %info, i32 %site)",
            "br label %done",
            "done:\nret void\n}",
        ]
    )


def _slow() -> str:
    return "\n".join(
        [
            f"define preserve_mostcc void @{_SLOW}(i64 %a, i64 %id, i64 %info, i32 %site)"
            " noinline cold nounwind {",
            *at_site("call void @k.provenance_use(i64 %a, i64 %id, i64 %info)"),
        ]
    )


def _ranges() -> str:
    return "\n".join(
        [
            "define void @__irsan_bounds_of_range(ptr %p, i64 %id, i64 %n, i64 %info, i32 %site)"
            " nounwind {",
            "%a = ptrtoint ptr %p to i64",
            *at_site("call void @k.provenance_range(i64 %a, i64 %id, i64 %n, i64 %info)"),
        ]
    )


def _objects() -> str:
    at = "%a = ptrtoint ptr %p to i64\n"
    return "\n".join(
        [
            "define i64 @__irsan_prov_stack(ptr %p, i64 %n, i32 %site) nounwind {\n"
            f"{at}%r = call i64 @k.provenance_stack(i64 %a, i64 %n, i32 %site)\nret i64 %r\n}}",
            "define void @__irsan_prov_begin(i64 %id) nounwind {\n"
            "call void @k.provenance_begin(i64 %id)\nret void\n}",
            "define void @__irsan_prov_end(i64 %id) nounwind {\n"
            "call void @k.provenance_end(i64 %id)\nret void\n}",
            "define void @__irsan_prov_expose_slow(i64 %id) nounwind {\n"
            "call void @k.provenance_expose(i64 %id)\nret void\n}",
            "define i64 @__irsan_prov_from_int(i64 %a) nounwind {\n"
            "%r = call i64 @k.provenance_from_int(i64 %a)\nret i64 %r\n}",
            f"define void @__irsan_prov_global(ptr %p, i64 %n) nounwind {{\n{at}"
            "call void @k.provenance_global(i64 %a, i64 %n)\nret void\n}",
            f"define void @__irsan_prov_copy(ptr %p, ptr %q, i64 %n) nounwind {{\n{at}"
            "%b = ptrtoint ptr %q to i64\ncall void @k.slots_copy(i64 %a, i64 %b, i64 %n)\n"
            "ret void\n}",
            f"define void @__irsan_prov_wipe_range(ptr %p, i64 %n) nounwind {{\n{at}"
            "call void @k.slots_wipe(i64 %a, i64 %n)\nret void\n}",
            f"define void @__irsan_prov_va_start(ptr %p) nounwind {{\n{at}"
            "call void @k.provenance_va_start(i64 %a)\nret void\n}",
            f"define void @__irsan_prov_refresh(ptr %p) nounwind {{\n{at}"
            "call void @k.provenance_refresh(i64 %a)\nret void\n}",
        ]
    )


def _thread_variable() -> str:
    """The id of the current thread's copy of a variable, which becomes an object here."""
    return "\n".join(
        [
            "define i64 @__irsan_prov_thread_variable(ptr %p, i64 %n) nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "%known = call i64 @k.provenance_beginning(i64 %a)",
            "%is.new = icmp eq i64 %known, 0",
            "br i1 %is.new, label %new, label %old",
            "new:",
            "call void @k.provenance_global(i64 %a, i64 %n)",
            "%made = call i64 @k.provenance_beginning(i64 %a)",
            "ret i64 %made",
            "old:\nret i64 %known\n}",
        ]
    )


def _result() -> str:
    """What the callee says of its result; of code that says nothing, the block that begins there.
    """
    return "\n".join(
        [
            "define i64 @__irsan_prov_result(ptr %f, ptr %v) nounwind {",
            f"%whose = load ptr, ptr {_at(str(pr.RESULT_OF))}",
            f"store ptr null, ptr {_at(str(pr.RESULT_OF))}",
            "%told = icmp eq ptr %whose, %f",
            "br i1 %told, label %own, label %foreign",
            "own:",
            *_same(_at(str(pr.RESULT)), _at(str(pr.RESULT + 8))),
            "ret i64 %r",
            "foreign:",
            "%a = ptrtoint ptr %v to i64",
            "%found = call i64 @k.provenance_beginning(i64 %a)",
            "ret i64 %found\n}",
        ]
    )
