"""Members on demand: made once, with all that a first one can need, native without a source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.cache import Cache
from irsan.engine.cxx_library import library as room
from irsan.engine.cxx_library.library import CheckedLibrary
from irsan.engine.cxx_library.members import Member, MemberStore, Variant
from irsan.engine.linker.archives import Archive
from irsan.instrument.sites.sites import SiteTable
from tests.support.jit import compile_text
from tests.support.library_archives import archive_bytes

TEXTS = {
    "one.o": "declare i32 @two()\ndefine i32 @one() { %a = call i32 @two() ret i32 %a }",
    "two.o": "declare i32 @native()\ndefine i32 @two() { %a = call i32 @native() ret i32 %a }",
    "native.o": "define i32 @native() { ret i32 3 }",
    "other.o": "define i32 @other() { ret i32 4 }",
}
SYMBOLS = {"one": "one.o", "two": "two.o", "native": "native.o", "other": "other.o"}
CHECKED = compile_text("define i32 @made() { ret i32 1 }")


@pytest.fixture
def variant(tmp_path: Path) -> Variant:
    sources = tmp_path / "libcxx" / "src"
    sources.mkdir(parents=True)
    for name in ("one", "two", "other", "new"):
        (sources / f"{name}.cpp").write_text("")
    return Variant(tmp_path, "id", None, frozenset({"address"}), "jit", 1, {})


@pytest.fixture
def library(
    variant: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[CheckedLibrary, list[list[str]]]:
    """A library whose members are made at once, and what was made at a time."""
    batches: list[list[str]] = []

    def build(jobs: Any, _variant: Any, _runtime: Any, _cache: Any, store: MemberStore,
              _progress: Any) -> None:  # fmt: skip
        batches.append([name for name, _, _ in jobs])
        for name, _, number in jobs:
            table = SiteTable(1000 * (number + 1))
            table.add(((name, f"{name}.cpp", 1, 2),))
            store.put(name, Member(CHECKED, table.first_site, 1, {}), table.to_json())

    monkeypatch.setattr(room, "build_members", build)
    raw = archive_bytes({name: compile_text(text) for name, text in TEXTS.items()}, SYMBOLS)
    native = Archive.parse(raw, "libc++.a")
    runtime: Any = None
    made = CheckedLibrary(
        variant, [native], runtime, Cache(tmp_path / "cache"), lambda _text: None
    )
    return made, batches


def test_all_that_a_member_can_need_is_made_at_once(
    library: tuple[CheckedLibrary, list[list[str]]],
) -> None:
    checked, batches = library
    item = checked.pull("one")
    assert item is not None and item.raw == CHECKED and item.name == "libc++.a(one.o)"
    assert sorted(batches[0]) == ["one", "two"]
    assert checked.pull("two") is not None
    assert len(batches) == 1
    assert [one.raw for one in checked.objects()] == [CHECKED, CHECKED]


def test_a_member_comes_once_and_a_foreign_name_never(
    library: tuple[CheckedLibrary, list[list[str]]],
) -> None:
    checked, _ = library
    assert checked.pull("other") is not None
    assert checked.pull("other") is None
    assert checked.pull("nowhere") is None


def test_without_a_source_the_native_member_comes(
    library: tuple[CheckedLibrary, list[list[str]]],
) -> None:
    checked, batches = library
    item = checked.pull("native")
    assert item is not None and item.raw == compile_text(TEXTS["native.o"])
    assert (batches, checked.objects(), checked.sites()) == ([], [], [])


def test_sites_are_read_from_the_store_when_they_are_asked_for(
    library: tuple[CheckedLibrary, list[list[str]]],
) -> None:
    checked, _ = library
    checked.pull("one")
    (late,) = checked.sites()
    assert len(late) == 1
    assert late.table().site_to_frames(late.first_site) == (("one", "one.cpp", 1, 2),)


def test_a_kept_member_is_not_made_again(
    library: tuple[CheckedLibrary, list[list[str]]], variant: Variant, tmp_path: Path
) -> None:
    checked, batches = library
    checked.pull("one")
    raw = archive_bytes({name: compile_text(text) for name, text in TEXTS.items()}, SYMBOLS)
    runtime: Any = None
    again = CheckedLibrary(
        variant, [Archive.parse(raw, "libc++.a")], runtime, Cache(tmp_path / "cache"),
        lambda _text: None,
    )  # fmt: skip
    assert again.pull("one") is not None
    assert len(batches) == 1
    (late,) = again.sites()
    assert late.table().site_to_frames(late.first_site) == (("one", "one.cpp", 1, 2),)


def test_what_another_process_makes_meanwhile_is_taken(
    library: tuple[CheckedLibrary, list[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    checked, batches = library

    @contextmanager
    def behind_another(_cache: Cache, name: str) -> Iterator[None]:
        assert name == checked.variant.key()
        for number, member in enumerate(("one", "two")):
            table = SiteTable(1000 * (number + 1))
            store = MemberStore(checked.variant, checked.cache)
            store.put(member, Member(CHECKED, table.first_site, 1, {}), table.to_json())
        yield

    monkeypatch.setattr(Cache, "alone", behind_another)
    assert checked.pull("one") is not None and checked.pull("two") is not None
    assert batches == []
