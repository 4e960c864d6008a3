"""The host's list of mappings and the kernels' table of them."""

from __future__ import annotations

import ctypes
from itertools import pairwise
from mmap import MAP_ANONYMOUS as ANONYMOUS
from mmap import MAP_PRIVATE as PRIVATE
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.kernels.checks import foreign
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.views import mappings
from irsan.runtime.views.mappings import MAPPINGS_MAY_BE_STALE, READABLE, WRITABLE, Mapping

FIXED = 0x10
FAR, PAGE = 0x5000_0000_0000, 4096
MOST_BY_DEFAULT = 65_530  # vm.max_map_count; some systems are set to a million


@pytest.mark.parametrize("n_mappings", [MOST_BY_DEFAULT, 200_000])
def test_kernels_know_as_many_mappings_as_there_are(
    guest: Any, monkeypatch: pytest.MonkeyPatch, n_mappings: int
) -> None:
    """One that is left out would be asked for again and again."""
    kinds = (READABLE, READABLE | WRITABLE)
    rows = [
        Mapping(lo, lo + PAGE, kinds[number % 2])
        for number, lo in enumerate(range(FAR, FAR + n_mappings * PAGE, PAGE))
    ]
    monkeypatch.setattr(mappings, "read_mappings", lambda: rows)
    monkeypatch.setattr(mappings, "read_areas", lambda _lo, _hi: None)  # an older kernel
    guest.ctx["fault"][:4] = [FaultKind.WILD_ACCESS, rows[-1].lo, 8, MAPPINGS_MAY_BE_STALE]
    assert not mappings.confirm_fault(guest.ctx)
    assert foreign.foreign_allows(guest.ctx, rows[-1].lo, 8, READABLE | WRITABLE)
    assert not foreign.foreign_allows(guest.ctx, rows[-1].hi, 8, READABLE)


SAME_GUEST = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
PROTECTIONS = [0, 1, 3, 5]
PAGES = st.lists(st.sampled_from([None, *PROTECTIONS]), min_size=4, max_size=12)
N_PAGES = 14
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_uint64
libc.mmap.argtypes = [ctypes.c_uint64] * 2 + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_uint64] * 2


def lay_out(pages: list[int | None]) -> None:
    """Pages from FAR on, with a protection or none at all."""
    libc.munmap(FAR, N_PAGES * PAGE)
    for number, protection in enumerate(pages):
        if protection is not None:
            at = FAR + number * PAGE
            assert libc.mmap(at, PAGE, protection, PRIVATE | ANONYMOUS | FIXED, -1, 0) == at


def table_of(ctx: Any) -> list[Mapping]:
    words = arena.view_words(foreign.TABLE, 3 * int(ctx["foreign"]["n_ranges"])).tolist()
    return [Mapping(*words[at : at + 3]) for at in range(0, len(words), 3)]


@SAME_GUEST
@given(before=PAGES, now=PAGES, first=st.integers(0, 11), n_bytes=st.integers(1, 5 * PAGE))
def test_a_part_of_the_list_says_what_the_whole_says(
    guest: Any, before: list[int | None], now: list[int | None], first: int, n_bytes: int
) -> None:
    """The naive twin reads all mappings; afterwards the table is right where it was asked."""
    lay_out(before)
    try:
        mappings.refresh_mappings(guest.ctx)
        lay_out(now)
        lo = FAR + first * PAGE
        if mappings.read_areas(lo, lo + n_bytes) is None:
            pytest.skip("this kernel tells only the whole list of mappings (Linux before 6.11)")
        whole = mappings._merged(mappings.read_mappings())
        for flags, wanted in ((0, READABLE), (1, READABLE | WRITABLE)):
            stale = flags | MAPPINGS_MAY_BE_STALE
            guest.ctx["fault"][:4] = [FaultKind.WILD_ACCESS, lo, n_bytes, stale]
            is_fine = mappings.allows(whole, lo, n_bytes, wanted)
            assert mappings.confirm_fault(guest.ctx) != is_fine
            assert foreign.foreign_allows(guest.ctx, lo, n_bytes, wanted) == is_fine
        rows = table_of(guest.ctx)
        assert all(one.hi <= following.lo for one, following in pairwise(rows))
    finally:
        libc.munmap(FAR, N_PAGES * PAGE)


def test_the_heap_is_entered_as_the_whole_list_says_it(guest: Any) -> None:
    lo, hi = mappings.enter_heap(guest.ctx)
    [row] = table_of(guest.ctx)
    whole = [one for one in mappings.read_mappings() if one.kind & mappings.LIBC_HEAP]
    assert (row.lo, row.hi) == (lo, hi) == (whole[0].lo, mappings.heap_end())
    assert {one.kind for one in whole} == {row.kind}


KINDS = st.sampled_from([0, READABLE, READABLE | WRITABLE, mappings.ANONYMOUS])
SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4), KINDS), max_size=12)


@SAME_GUEST
@given(spans=SPANS)
def test_what_the_program_maps_is_known(guest: Any, spans: list[tuple[int, int, int]]) -> None:
    """The naive twin knows each page: the newest mapping of it counts."""
    pages = {-9: READABLE}
    mappings._write_rows(guest.ctx, [Mapping(FAR - 9 * PAGE, FAR - 8 * PAGE, READABLE)])
    for start, n, kind in spans:
        pages |= dict.fromkeys(range(start, start + n), kind)
        lo = FAR + start * PAGE
        foreign.foreign_mapped(guest.ctx, lo, lo + n * PAGE, kind)
        rows = table_of(guest.ctx)
        assert all(one.hi <= following.lo for one, following in pairwise(rows))
        assert all(one.lo < one.hi and one.kind for one in rows)
        for page in range(-10, 18):
            assert foreign.foreign_kind(guest.ctx, FAR + page * PAGE) == pages.get(page, 0)


@SAME_GUEST
@given(n=st.integers(1, 6), kind=KINDS)
def test_what_grows_is_one_row(guest: Any, n: int, kind: int) -> None:
    mappings._write_rows(guest.ctx, [Mapping(FAR - 9 * PAGE, FAR - 8 * PAGE, READABLE)])
    for lo in range(FAR, FAR + n * PAGE, PAGE):
        foreign.foreign_mapped(guest.ctx, lo, lo + PAGE, kind)
    assert len(table_of(guest.ctx)) == 1 + (kind != 0)


WORDS = st.tuples(st.integers(0, 12), st.integers(1, 3), st.sampled_from(["r--p", "rw-p", "---p"]),
                  st.sampled_from(["", "/a file", "[heap]"]))  # fmt: skip


@given(words=st.lists(WORDS, unique_by=lambda one: one[0]))
def test_neighbours_that_are_alike_are_one_and_nothing_else_changes(words: Any) -> None:
    pages: dict[int, tuple[str, str]] = {}
    lines, end = [], 0
    for start, n, permissions, name in sorted(words):
        lo = max(start * 2, end)
        end = lo + n
        pages |= dict.fromkeys(range(lo, end), (permissions, name))
        lines.append(f"{lo:x}-{end:x} {permissions} 0000 fe:00 7 {name}".rstrip())
    found = list(mappings.joined_areas("\n".join(lines)))
    assert pages == {
        page: (permissions, name)
        for lo, hi, permissions, name in found for page in range(int(lo, 16), int(hi, 16))
    }  # fmt: skip
    for one, following in pairwise(found):
        assert one[1] != following[0] or one[2:] != following[2:]


def test_the_heap_is_one_by_its_place_whatever_it_is_mapped_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    libc.malloc.restype = ctypes.c_uint64
    lo, hi = mappings.heap_range()
    assert lo <= libc.malloc(24) < hi == mappings.heap_end()
    monkeypatch.setattr(mappings, "heap_range", lambda: (FAR, FAR + 2 * PAGE))
    text = "".join(
        f"{FAR + at * PAGE:x}-{FAR + (at + 1) * PAGE:x} {permissions} 0 00:00 1 {name}\n"
        for at, permissions, name in (
            (-1, "rw-p", "/a file"), (0, "rw-p", "/pages"), (1, "r--p", ""), (2, "rw-p", ""))
    )  # fmt: skip
    writable = READABLE | WRITABLE
    assert [row.kind for row in mappings._parse(text)] == [
        writable, writable | mappings.LIBC_HEAP, READABLE | mappings.LIBC_HEAP,
        writable | mappings.ANONYMOUS,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "is_steady"),
    [("/usr/lib/x86_64-linux-gnu/libc.so.6", True), ("/opt/libx.so", True), ("[stack]", True),
     ("/usr/lib/locale/C.utf8/LC_CTYPE", True), ("/c/0.1.0/tools/run-1%2Fa/pages", True),
     ("/tmp/data", False), ("/home/x/notes.some", False), ("/tmp/pages", False), ("[vvar]", False)],
)  # fmt: skip
def test_files_that_nobody_makes_shorter(name: str, is_steady: bool) -> None:
    assert (mappings._kind("r--p", name) & mappings.STEADY != 0) == is_steady


def test_the_kinds_are_those_of_the_kernels() -> None:
    names = ("READABLE", "WRITABLE", "LIBC_HEAP", "ANONYMOUS", "STEADY")
    assert [getattr(mappings, name) for name in names] == [getattr(foreign, name) for name in names]
