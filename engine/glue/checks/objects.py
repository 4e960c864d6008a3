"""Glue for pointer provenance that is not inlined: objects, globals, copies, results, and findings.

    __irsan_prov_stack(p, n, site)    a variable is born; _end(id), _begin(id), _popped(lo, hi)
    __irsan_prov_copy(p, q, n)        memory is copied, with the ids of the pointers in it
    __irsan_prov_result(f, v)         the id of what a call of f has returned

Most are a call of the kernel with addresses for pointers.
"""

from __future__ import annotations

from irsan.engine.glue.checks.provenance import (
    SLOW,
    at_address,
    is_meant,
    passed_pair,
    same_pointer,
)
from irsan.engine.glue.text import at_site
from irsan.runtime.records import provenance_records as pr


def outlined_provenance() -> str:
    """Definitions that live in the runtime object only."""
    return "\n".join([_slow(), _ranges(), _objects(), _globals(), _copies(), _result()])


def _slow() -> str:
    return "\n".join(
        [
            f"define preserve_mostcc void @{SLOW}(i64 %a, i64 %id, i64 %info, i32 %site)"
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
            f"define void @__irsan_prov_popped(ptr %p, ptr %q) nounwind {{\n{at}"
            "%b = ptrtoint ptr %q to i64\ncall void @k.provenance_popped(i64 %a, i64 %b)\n"
            "ret void\n}",
            "define void @__irsan_prov_expose_slow(i64 %id) nounwind {\n"
            "call void @k.provenance_expose(i64 %id)\nret void\n}",
            "define i64 @__irsan_prov_from_int(i64 %a) nounwind {\n"
            "%r = call i64 @k.provenance_from_int(i64 %a)\nret i64 %r\n}",
            f"define void @__irsan_prov_wipe_range(ptr %p, i64 %n) nounwind {{\n{at}"
            "call void @k.slots_wipe(i64 %a, i64 %n)\nret void\n}",
            f"define void @__irsan_prov_show_range(ptr %p, i64 %n) nounwind {{\n{at}"
            "call void @k.provenance_show(i64 %a, i64 %n)\nret void\n}",
            f"define void @__irsan_prov_expose_pointer(ptr %p, i64 %id) nounwind {{\n{at}"
            "call void @k.provenance_expose_pointer(i64 %a, i64 %id)\nret void\n}",
            *_calls(at),
            "define i64 @__irsan_prov_take_variadic(ptr %p, ptr %self, i64 %named) nounwind {\n"
            f"{at}%f = ptrtoint ptr %self to i64\n"
            "%r = call i64 @k.provenance_variadic(i64 %a, i64 %f, i64 %named)\nret i64 %r\n}",
            "define void @__irsan_prov_forward_variadic(ptr %p, ptr %f, i64 %named, i64 %n)"
            f" nounwind {{\n{at}%b = ptrtoint ptr %f to i64\n"
            "call void @k.provenance_forward(i64 %a, i64 %b, i64 %named, i64 %n)\nret void\n}",
            f"define void @__irsan_prov_refresh(ptr %p) nounwind {{\n{at}"
            "call void @k.provenance_refresh(i64 %a)\nret void\n}",
        ]
    )


def _calls(at: str) -> list[str]:
    """What functions get that are not checked, and arrays that they sort."""
    return [
        f"define i64 @__irsan_prov_sorting(ptr %p, i64 %n) nounwind {{\n{at}"
        "%r = call i64 @k.provenance_sorting(i64 %a, i64 %n)\nret i64 %r\n}",
        f"define void @__irsan_prov_sorted(i64 %note, ptr %p, i64 %n) nounwind {{\n{at}"
        "call void @k.provenance_sorted(i64 %note, i64 %a, i64 %n)\nret void\n}",
        f"define void @__irsan_prov_called(ptr %f, ptr %p, i64 %id) nounwind {{\n{at}"
        "%b = ptrtoint ptr %f to i64\n"
        "call void @k.provenance_called(i64 %b, i64 %a, i64 %id)\nret void\n}",
        f"define void @__irsan_prov_functions(ptr %p, i64 %n) nounwind {{\n{at}"
        "call void @k.provenance_functions(i64 %a, i64 %n)\nret void\n}",
        f"define void @__irsan_prov_vectors(ptr %p, i64 %n) nounwind {{\n{at}"
        "call void @k.provenance_vectors(i64 %a, i64 %n)\nret void\n}",
        f"define void @__irsan_prov_messages(ptr %p, i64 %n, i64 %stride) nounwind {{\n{at}"
        "call void @k.provenance_messages(i64 %a, i64 %n, i64 %stride)\nret void\n}",
    ]


def _globals() -> str:
    """Globals and the pointers in them; a thread's copy of a variable becomes an object when its
    address is taken, and has the pointers of the variable's initial value.
    """
    return "\n".join(
        [
            "define void @__irsan_prov_global(ptr %p, i64 %n) nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "call void @k.provenance_global(i64 %a, i64 %n)\nret void\n}",
            "define void @__irsan_prov_weak(ptr %p, ptr %own, i64 %n) nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "%is.chosen = icmp eq ptr %p, %own",
            "br i1 %is.chosen, label %tell, label %done",
            "tell:\ncall void @k.provenance_global(i64 %a, i64 %n)\nbr label %done",
            "done:\nret void\n}",
            "define void @__irsan_prov_common(ptr %p, i64 %n) nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "call void @k.provenance_common(i64 %a, i64 %n)\nret void\n}",
            "define void @__irsan_prov_initial(ptr %p, i64 %n) nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "call void @k.provenance_initial(i64 %a, i64 %n)\nret void\n}",
            "define i64 @__irsan_prov_thread_variable(ptr %p, ptr %image, i64 %n) nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "%known = call i64 @k.provenance_beginning(i64 %a)",
            "%is.new = icmp eq i64 %known, 0",
            "br i1 %is.new, label %new, label %old",
            "new:",
            "call void @k.provenance_global(i64 %a, i64 %n)",
            "%b = ptrtoint ptr %image to i64",
            "call void @k.slots_copy(i64 %a, i64 %b, i64 %n)",
            "%made = call i64 @k.provenance_beginning(i64 %a)",
            "ret i64 %made",
            "old:\nret i64 %known\n}",
        ]
    )


def _copies() -> str:
    """Bytes that are copied bring their pointers' ids along.  An argument that is a copy has those
    of what the caller named, and none if that is not known: no memory has an address of -8.
    """
    return "\n".join(
        [
            "define void @__irsan_prov_copy(ptr %p, ptr %q, i64 %n) nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "%b = ptrtoint ptr %q to i64\ncall void @k.slots_copy(i64 %a, i64 %b, i64 %n)",
            "ret void\n}",
            "define void @__irsan_prov_take_copy(i64 %n, ptr %p, ptr %self, i64 %size) nounwind {",
            *passed_pair(),
            *is_meant(),
            "%named = load i64, ptr %slot",
            "%source = select i1 %mine, i64 %named, i64 -8",
            "%a = ptrtoint ptr %p to i64",
            "call void @k.slots_copy(i64 %a, i64 %source, i64 %size)",
            "ret void\n}",
        ]
    )


def _result() -> str:
    """What the callee says of its result; of code that says nothing, the block that begins there.
    """
    return "\n".join(
        [
            "define i64 @__irsan_prov_result(ptr %f, ptr %v) nounwind {",
            f"%whose = load ptr, ptr {at_address(str(pr.RESULT_OF))}",
            f"store ptr null, ptr {at_address(str(pr.RESULT_OF))}",
            "%told = icmp eq ptr %whose, %f",
            "br i1 %told, label %own, label %foreign",
            "own:",
            *same_pointer(at_address(str(pr.RESULT)), at_address(str(pr.RESULT + 8))),
            "ret i64 %r",
            "foreign:",
            "%a = ptrtoint ptr %v to i64",
            "%found = call i64 @k.provenance_beginning(i64 %a)",
            "ret i64 %found\n}",
        ]
    )
