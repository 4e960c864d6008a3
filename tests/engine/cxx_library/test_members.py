"""Members of the checked library: their keys, their entries, their front end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from irsan.engine.cache import Cache
from irsan.engine.cxx_library.members import Member, MemberStore, Variant, library_level

VARIANT = Variant(Path("/zig/lib"), "id", None, frozenset({"address", "thread"}), "jit", 1, {})


@pytest.mark.parametrize(
    "changed",
    [
        {"identity": "another"}, {"checks": frozenset({"memory"})}, {"engine": "interp"},
        {"level": 2}, {"folder": Path("/other/lib")},
    ],
)  # fmt: skip
def test_everything_that_shapes_a_member_is_in_the_key(changed: dict[str, object]) -> None:
    assert VARIANT.key() == replace(VARIANT).key()
    assert replace(VARIANT, **changed).key() != VARIANT.key()  # type: ignore[arg-type]


def test_the_front_end_marks_what_is_checked() -> None:
    options = replace(VARIANT, checks=frozenset({"memory"})).frontend()
    assert (options.marks_races, options.marks_uninitialised) == (False, True)
    assert VARIANT.frontend().marks_races
    assert options.stdlib == "checked"


def test_an_entry_comes_back_as_it_was(tmp_path: Path) -> None:
    store = MemberStore(VARIANT, Cache(tmp_path))
    member = Member(b"\x7fELF", 77, 3, {"_ZSt4cout": ("std::cout", "iostream.cpp", 4)})
    assert store.get("iostream") is None
    store.put("iostream", member, "sites")
    again = MemberStore(VARIANT, Cache(tmp_path))
    assert again.get("iostream") == member
    assert again.sites("iostream") == "sites"
    assert MemberStore(replace(VARIANT, level=2), Cache(tmp_path)).get("iostream") is None


def test_without_a_cache_members_stay_in_this_process() -> None:
    store = MemberStore(VARIANT, Cache(None))
    store.put("ios", Member(b"x", 1, 0, {}), "{}")
    assert store.get("ios") is not None
    assert store.sites("ios") == "{}"
    assert store.sites("lost") == ""


def test_levels_of_programs_share_two_libraries() -> None:
    assert [library_level(level) for level in range(4)] == [1, 1, 2, 2]
