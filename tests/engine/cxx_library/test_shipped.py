"""Members that a wheel brings along are the ones that were made, with this machine's paths."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.cxx_library import library, shipped
from irsan.engine.cxx_library.building import Job
from irsan.engine.cxx_library.members import Member, MemberStore, Variant
from irsan.engine.cxx_library.shipped import (
    read_shipped,
    shipped_key,
    shipped_members,
    write_shipped,
)

THERE, HERE = Path("/there/zig/lib"), Path("/here/lib")
ZIG = [sys.executable, "-m", "ziglang", "c++"]
VARIANT = Variant(HERE, "zig 1", None, frozenset({"address"}), "jit", 1, {})
names = st.text("ab/\"\\é ", max_size=5)
members = st.dictionaries(names, st.tuples(st.binary(max_size=9), st.integers(0, 9), names))


def made(name: str, raw: bytes, n_sites: int, file: str, folder: Path) -> tuple[Member, str]:
    where = f"{folder}/{file}"
    sites = json.dumps({"strings": [where, file]})
    return Member(raw, 7, n_sites, {name: (name, where, 3), "own": (name, "/other.h", 1)}), sites


@given(members)
def test_all_come_back_with_the_folder_of_now(rows: dict[str, tuple[bytes, int, str]]) -> None:
    file = write_shipped({name: made(name, *row, THERE) for name, row in rows.items()}, THERE)
    found = read_shipped(file, HERE)
    for name, row in rows.items():
        assert found.get(name) == made(name, *row, HERE)
    assert found.get("missing") is None


def test_the_key_is_of_checks_level_and_engine_but_of_no_folder() -> None:
    key = shipped_key(VARIANT, ZIG)
    assert key is not None
    assert shipped_key(replace(VARIANT, folder=THERE), ZIG) == key
    changes = ({"checks": frozenset({"memory"})}, {"level": 2}, {"engine": "interp"})
    others = {shipped_key(replace(VARIANT, **one), ZIG) for one in changes}  # type: ignore[arg-type]
    assert len(others | {key}) == 4
    assert shipped_key(VARIANT, ["zig", "c++"]) is None


def test_a_checkout_has_none() -> None:
    assert shipped_members(VARIANT, ZIG) is None


def test_what_came_along_is_kept_and_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three members one is there already, one came along, and one has to be made."""
    from irsan.engine.cache import Cache

    kept, came, new = (made(name, name.encode(), 1, f"{name}.cpp", HERE) for name in "abc")
    raw = write_shipped({"a": new, "b": came}, HERE)
    monkeypatch.setattr(shipped, "packaged", lambda _kind, _key: raw)
    monkeypatch.setattr(shipped, "package_key", lambda _compiler: "key")
    compiled: list[str] = []

    def build(jobs: list[Job], *rest: object) -> None:
        store = rest[3]
        assert isinstance(store, MemberStore)
        for name, _, _ in jobs:
            compiled.append(name)
            store.put(name, *new)

    monkeypatch.setattr(library, "build_members", build)
    sources = {name: Path(f"{name}.cpp") for name in "abc"}
    monkeypatch.setattr(library, "library_sources", lambda _folder: sources)
    one = library.CheckedLibrary(
        VARIANT, [], None, Cache(None), lambda _: None  # type: ignore[arg-type]
    )
    one._store.put("a", *kept)
    one._make(dict.fromkeys("abc", 0))
    assert compiled == ["c"]
    assert one.made() == {"a": kept, "b": came, "c": new}
