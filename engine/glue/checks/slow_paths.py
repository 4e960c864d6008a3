"""Glue for slow paths: what a check calls when its inlined questions have no answer.

    __irsan_slow_thread_r4(a, site):     race_read4_renewed ?  return         in a few steps
    __irsan_exact_thread_r4(a, site):    a frame for who has none
                                         another thread first, where schedules are explored
                                         race_read4_again ?  return
                                         race_access_slow, and what it asks for

    __irsan_slow_address_r4(a, site):    asan_access_slow in place of all questions

preserve_mostcc: a call leaves the caller's registers alone.  A site with its sign bit set
(`site_stores.BARE`) says that its function has no frame: the exact path makes one for so long.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.engine.glue.checks.check_kernels import READ_AGAIN, renewed_kernel
from irsan.engine.glue.text import LIKELY, UNLIKELY, asked, context_field
from irsan.instrument.hooks import ACCESS_SIZES, WIDE_SIZES

_WRITE = 1
_EXACT = {
    "address": "%allowed = call i8 @k.asan_access_slow",
    "thread": "call void @k.race_access_slow",
}


def slow_paths() -> str:
    """Definitions of the slow paths."""
    return "\n".join(path for kind in slow_kinds() for path in _paths(*kind))


def slow_kinds() -> Iterator[tuple[str, bool, int]]:
    """Tool, direction and size in bytes of each slow path."""
    for tool in ("address", "thread", "both"):
        for is_write in (False, True):
            for size in (*ACCESS_SIZES, *(WIDE_SIZES if tool == "address" else ())):
                yield tool, is_write, size


def slow_declarations() -> str:
    """Declarations of the slow paths for the module that is linked into programs."""
    return "\n".join(_head("declare", slow_name(*kind)) for kind in slow_kinds())


def slow_name(tool: str, is_write: bool, size_bytes: int) -> str:
    """Symbol of a slow path; `tool` is address, thread or both."""
    return f"__irsan_slow_{tool}_{'w' if is_write else 'r'}{size_bytes}"


def exact_name(tool: str, is_write: bool, size_bytes: int) -> str:
    """Symbol of what a slow path is behind the few steps that a cell may take: those of races."""
    slow = slow_name(tool, is_write, size_bytes)
    return slow.replace("_slow_", "_exact_") if tool == "thread" else slow


def _head(word: str, name: str) -> str:
    return f"{word} preserve_mostcc void @{name}(i64 %a, i32 %given) noinline cold nounwind"


def _paths(tool: str, is_write: bool, size_bytes: int) -> list[str]:
    exact = _exact_path(tool, is_write, size_bytes)
    return [exact, _renewing_path(is_write, size_bytes)] if tool == "thread" else [exact]


def renewing_lines(is_write: bool, size_bytes: int, instead: str) -> list[str]:
    """The rest of a function that knows %a and %given: the few steps, else the call `instead`."""
    kernel = renewed_kernel(size_bytes, is_write=is_write)
    return [
        "%wide = zext i32 %given to i64",
        *asked(f"call i8 @k.{kernel}(i64 %a, i64 %wide)", "renewed"),
        f"br i1 %renewed, label %done, label %exact, !prof {LIKELY}",
        "done:",
        "ret void",
        "exact:",
        f"musttail call {instead}",
        "ret void",
        "}",
    ]


def _renewing_path(is_write: bool, size_bytes: int) -> str:
    kind = "thread", is_write, size_bytes
    exact = f"preserve_mostcc void @{exact_name(*kind)}(i64 %a, i32 %given)"
    lines = renewing_lines(is_write, size_bytes, exact)
    return "\n".join([_head("define", slow_name(*kind)) + " {", *lines])


def _exact_path(tool: str, is_write: bool, size_bytes: int) -> str:
    tools = ("address", "thread") if tool == "both" else (tool,)
    lines = [
        _head("define", exact_name(tool, is_write, size_bytes)) + " {",
        *_begin_frame(),
        *(_point(tool, is_write, size_bytes) if "thread" in tools else ()),
        *(_read_again(size_bytes) if tool == "thread" and not is_write else ()),
        f"store i32 %site, {context_field('site')}",
    ]
    for one in tools:
        flags = _WRITE if is_write else 0
        lines += [
            f"{_EXACT[one]}(i64 %a, i64 {size_bytes}, i64 {flags})",
            "call void @__irsan_act_if_asked()",
        ]
    lines += _done() if "thread" in tools else ["br label %end"]
    return "\n".join([*lines, *_end_frame(), "}"])


def _begin_frame() -> list[str]:
    """Make the frame of a function that has none."""
    return [
        "%bare = icmp slt i32 %given, 0",
        "%site = and i32 %given, 2147483647",
        "br i1 %bare, label %enter, label %begin",
        "enter:",
        "%frame = call i64 @k.callstack_enter()",
        "br label %begin",
        "begin:",
    ]


def _end_frame() -> list[str]:
    """Drop it, and return."""
    return [
        "end:",
        "br i1 %bare, label %leave, label %out",
        "leave:",
        "call void @k.callstack_exit()",
        "br label %out",
        "out:",
        "ret void",
    ]


def _point(tool: str, is_write: bool, size_bytes: int) -> list[str]:
    """Another thread may go on before an access that is watched, where schedules are explored.

    The address was looked at before, and what it is may have changed then.
    """
    lines = [
        f"%exploring = load i64, {context_field('explore.is_on')}",
        "%explores = icmp ne i64 %exploring, 0",
        f"br i1 %explores, label %point, label %check, !prof {UNLIKELY}",
        "point:",
        "%wide.site = zext i32 %site to i64",
        *asked(f"call i8 @k.access_point(i64 %a, i64 {int(is_write)}, i64 %wide.site)", "other"),
        "br i1 %other, label %go, label %check",
        "go:",
        "call void @__irsan_reschedule()",
    ]
    if tool == "thread":
        lines += [
            f"%checked = load i64, {context_field('sanitize_address')}",
            "%has.shadow = icmp ne i64 %checked, 0",
            "br i1 %has.shadow, label %look, label %check",
            "look:",
            f"store i32 %site, {context_field('site')}",
            f"%looked = call i8 @k.asan_access_slow(i64 %a, i64 {size_bytes}, i64 {int(is_write)})",
            "call void @__irsan_act_if_asked()",
        ]
    return [*lines, "br label %check", "check:"]


def _done() -> list[str]:
    """Behind an access, where schedules are explored."""
    return [
        f"br i1 %explores, label %behind, label %end, !prof {UNLIKELY}",
        "behind:",
        "call void @k.access_done(i64 %a)",
        "br label %end",
    ]


def _read_again(size_bytes: int) -> list[str]:
    """Begin of a slow path: a read that the record of its cell answers is done at once."""
    if size_bytes not in READ_AGAIN:
        return []
    return [
        *asked(f"call i8 @k.{READ_AGAIN[size_bytes]}(i64 %a)", "again"),
        "br i1 %again, label %end, label %first",
        "first:",
    ]
