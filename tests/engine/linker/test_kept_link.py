"""Kept links: what is mapped is what a link would have made, wherever native libraries lie."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.engine.linker import kept_link
from irsan.engine.linker.kept_link import KeptLink, Record, record_of
from irsan.engine.linker.linked import Linked
from irsan.engine.linker.linker import Linker
from irsan.engine.linker.native_symbols import host_symbol
from irsan.runtime import arena
from irsan.sealed import keep_beside_seal, open_kept
from tests.engine.linker.test_archives import archive_bytes
from tests.support.jit import call, compile_text, linked

#: native functions that are called, taken by address, held in data, and are not there
PROGRAM = """
@table = global [4 x ptr] [ptr @one, ptr @two, ptr getelementptr (i8, ptr @data, i64 24), ptr null]
@own = global i64 5
@pointer = constant ptr @own
@data = external global i64
@zeros = global [9000 x i64] zeroinitializer
@local = internal thread_local global i32 7
declare i32 @one(i32)
declare i32 @two(i32)
declare i32 @ours(i32)
declare extern_weak i32 @maybe(i32)
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]
  [{ i32, ptr, ptr } { i32 101, ptr @begin, ptr null }]
define void @begin() { ret void }
define i32 @main() {
  %a = call i32 @one(i32 -7)
  %b = call i32 @ours(i32 %a)
  ret i32 %b
}
define ptr @taken() { ret ptr @two }
define ptr @maybe_taken() { ret ptr @maybe }
define i64 @read() { %v = load i64, ptr @data ret i64 %v }
"""
NAMES = ("one", "two", "data")
FAR = st.integers(1 << 33, (1 << 46) - 1).map(lambda word: word & ~7)
OURS = 0x4000_1000


def natives_of(addresses: Mapping[str, int]) -> Any:
    return lambda name: addresses.get(name)


def resolve(name: str) -> int | None:
    return OURS if name == "ours" else None


def memory_of(link: Linked) -> list[tuple[int, int, bytes]]:
    return [
        (one.lo, one.prot, bytes(arena.view_bytes(one.lo, one.hi - one.lo)))
        for one in link.own_segments
    ]


def facts_of(link: Linked) -> tuple[Any, ...]:
    return (
        link.places, dict(link.symbols), link.undefined_names, link.defined_names,
        link.initializers(), link.finalizers(), link.placed_symbols(), link.archive_names,
        link.symbol_addresses(0).tolist(), link.native_names(),
    )  # fmt: skip


def recorded(*objects: bytes, native: Any) -> Record | None:
    with linked(*objects, resolve=resolve, native=native) as linker:
        return record_of(linker)


@contextmanager
def mapped(record: Record, folder: Path, native: Any, ours: Any = resolve) -> Iterator[Any]:
    """What becomes of a record in a process whose native names lie elsewhere."""
    keep_beside_seal(folder / "body", record.body)
    body = open_kept(folder / "body")
    assert body is not None
    link = KeptLink.of(record.head, body, ours, native)
    body.close()
    try:
        yield link
    finally:
        if link is not None:
            link.unload()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(before=st.tuples(FAR, FAR, FAR), now=st.tuples(FAR, FAR, FAR))
@pytest.mark.parametrize("reloc", ["static", "pic"])
def test_a_kept_link_is_the_link(
    tmp_path: Path, reloc: str, before: tuple[int, ...], now: tuple[int, ...]
) -> None:
    """Each byte, and all that can be asked, as a link of the same objects makes it."""
    raw = compile_text(PROGRAM, reloc)
    record = recorded(raw, native=natives_of(dict(zip(NAMES, before, strict=True))))
    assert record is not None
    native = natives_of(dict(zip(NAMES, now, strict=True)))
    with linked(raw, resolve=resolve, native=native) as linker:
        wanted = memory_of(linker), facts_of(linker)
    with mapped(record, tmp_path, native) as link:
        assert (memory_of(link), facts_of(link)) == wanted


def test_a_kept_link_runs(tmp_path: Path) -> None:
    raw = compile_text("""
    declare i32 @abs(i32)
    @held = global ptr @abs
    define i32 @main() {
      %f = load volatile ptr, ptr @held
      %a = call i32 %f(i32 -7)
      %b = call i32 @abs(i32 -3)
      %s = add i32 %a, %b
      ret i32 %s
    }""")
    with linked(raw) as linker:
        record = record_of(linker)
    assert record is not None
    with mapped(record, tmp_path, host_symbol) as link:
        assert call(link.symbols["main"]) == 10
        assert link.native_calls() == {"abs": 1}
        name, distance = link.address_to_symbol(link.symbols["main"] + 1)
        assert (name, distance) == ("main", 1)


def test_zero_pages_at_the_end_are_not_kept() -> None:
    record = recorded(compile_text(PROGRAM), native=natives_of(dict.fromkeys(NAMES, 1 << 40)))
    assert record is not None and sum(map(len, record.body)) < 9000 * 8
    assert json.loads(record.head)["symbols"]["zeros"]


def changed(addresses: dict[str, int], **others: int | None) -> Any:
    return natives_of({k: v for k, v in {**addresses, **others}.items() if v is not None})


@pytest.mark.parametrize(
    "others",
    [{"two": None}, {"maybe": 1 << 41}, {"one": 0x1000}],
    ids=["a name is gone", "a weak name has come", "one is within reach of 32 bits"],
)
def test_another_outside_needs_another_link(tmp_path: Path, others: dict[str, int | None]) -> None:
    addresses = dict.fromkeys(NAMES, 1 << 40)
    record = recorded(compile_text(PROGRAM), native=natives_of(addresses))
    assert record is not None
    with mapped(record, tmp_path, changed(addresses, **others)) as link:
        assert link is None


def test_names_within_reach_of_32_bits_are_not_kept() -> None:
    """Code would reach them without a stub, and another time would not."""
    native = natives_of({**dict.fromkeys(NAMES, 1 << 40), "two": 0x1000})
    assert recorded(compile_text(PROGRAM), native=native) is None


def test_another_runtime_needs_another_link(tmp_path: Path) -> None:
    native = natives_of(dict.fromkeys(NAMES, 1 << 40))
    record = recorded(compile_text(PROGRAM), native=native)
    assert record is not None
    with mapped(record, tmp_path, native, lambda _: None) as link:
        assert link is None


def test_memory_is_as_before_where_a_file_cannot_be_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a file system from which nothing may be executed: the link is made instead."""
    native = natives_of(dict.fromkeys(NAMES, 1 << 40))
    raw = compile_text(PROGRAM)
    record = recorded(raw, native=native)
    assert record is not None
    protect = arena.protect

    def refuse(lo: int, size_bytes: int, protection: int) -> None:
        if protection & 4:
            raise OSError(13, "Permission denied")
        protect(lo, size_bytes, protection)

    with linked(raw, resolve=resolve, native=native) as linker:
        wanted = memory_of(linker)
    with monkeypatch.context() as patch:
        patch.setattr(kept_link.arena, "protect", refuse)
        with pytest.raises(PermissionError), mapped(record, tmp_path, native):
            pass
    with linked(raw, resolve=resolve, native=native) as linker:
        assert memory_of(linker) == wanted


THROWS = """
@_ZTISt9exception = external constant ptr
@type = global ptr @_ZTISt9exception
declare i32 @__gxx_personality_v0(...)
declare void @callee()
define i32 @main() personality ptr @__gxx_personality_v0 {
  invoke void @callee() to label %fine unwind label %caught
fine:
  ret i32 0
caught:
  %pad = landingpad { ptr, i32 } catch ptr @_ZTISt9exception
  ret i32 1
}
define void @callee_() { ret void }
"""


def test_copies_of_type_information_are_made_anew(tmp_path: Path) -> None:
    """What the tables of exceptions hold in 32 bits: a copy of the object, and a stub."""
    library = ctypes.CDLL("libstdc++.so.6")
    raw = compile_text(THROWS.replace("@callee()", "@callee_()").replace(
        "declare void @callee_()\n", ""))  # fmt: skip

    def native(name: str) -> int | None:
        try:
            return ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        except AttributeError:
            return None

    record = recorded(raw, native=native)
    assert record is not None
    head = json.loads(record.head)
    assert head["copies"] and head["direct"]
    at, _, size = head["copies"][0]
    with mapped(record, tmp_path, native) as link:
        assert link is not None
        address = native("_ZTISt9exception") or 0
        assert ctypes.string_at(at, size) == ctypes.string_at(address, size)
    moved = ctypes.create_string_buffer(64)
    elsewhere = ctypes.addressof(moved)  # no symbol, so of no known size
    with mapped(
        record, tmp_path, lambda name: elsewhere if name.startswith("_ZTI") else native(name)
    ) as link:
        assert link is None


@pytest.mark.parametrize(
    ("text", "archives"),
    [
        ("@i = ifunc i32 (), ptr @r\ndefine ptr @r() { ret ptr @m }\ndefine i32 @m() { ret i32 1 }"
         "\ndefine i32 @main() { %a = call i32 @i() ret i32 %a }", {}),
        ("declare i32 @who()\ndefine i32 @main() { %a = call i32 @who() ret i32 %a }",
         {"a.o": "define i32 @who() { ret i32 1 }"}),
    ],
    ids=["indirect functions", "members of archives"],
)  # fmt: skip
def test_what_depends_on_more_is_not_kept(text: str, archives: dict[str, str]) -> None:
    members = {name: compile_text(one) for name, one in archives.items()}
    made = [archive_bytes(members, dict.fromkeys(["who"], "a.o"))] if members else []
    with linked(compile_text(text), archives=made) as linker:
        assert isinstance(linker, Linker)
        assert record_of(linker) is None


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    native = natives_of(dict.fromkeys(NAMES, 1 << 40))
    record = recorded(compile_text(PROGRAM), native=native)
    assert record is not None
    before = sorted(Path("/proc/self/fd").iterdir())
    with mapped(record, tmp_path, native):
        assert sorted(Path("/proc/self/fd").iterdir()) == before
