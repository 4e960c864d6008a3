"""Units are built once, at site numbers that never meet within a program."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.cache import Cache, open_cache
from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.engine.front_end.ir_input import text_to_bitcode
from irsan.engine.linker.elf import STT_FUNC, ObjectFile
from irsan.engine.program_image import code_workers, unit_image
from irsan.engine.program_image.unit_image import UnitBuilder, UnitImage
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.engine.runtime_image.stored import load_or_build_runtime
from irsan.errors import UnsupportedError
from irsan.instrument.sites.sites import SiteTable, StoredSites, sites_of

CHECKS = frozenset({"address", "thread"})


@pytest.fixture(scope="module")
def runtime() -> RuntimeImage:
    return load_or_build_runtime(open_cache(os.environ), lambda _: None)


def unit(name: str) -> CompiledUnit:
    text = f"define void @{name}(ptr %p) {{ store i32 1, ptr %p ret void }}"
    return CompiledUnit(Path(f"{name}.ll"), text_to_bitcode(text.encode(), Path(name)), "ir", name)


def ranges(images: list[UnitImage]) -> list[tuple[int, int]]:
    return sorted((one.first_site, one.next_site) for one in images)


def test_what_the_cache_has_is_not_made_again(runtime: RuntimeImage, tmp_path: Path) -> None:
    cache, said = Cache(tmp_path), list[str]()
    units = [unit("f"), unit("g")]
    first = UnitBuilder(CHECKS, runtime, cache=cache, progress=said.append).images(units)
    n_said = len(said)
    builder = UnitBuilder(CHECKS, runtime, cache=cache, progress=said.append)
    assert builder.images([*units, unit("h")])[:2] == first
    assert said[n_said:] == ["instrumenting h.ll", "generating code for h.ll"]


def test_units_that_meet_move(
    runtime: RuntimeImage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unit_image, "_N_SLOTS", 3)
    images = UnitBuilder(CHECKS, runtime, cache=Cache(tmp_path)).images(
        [unit("f"), unit("g"), unit("h")]
    )
    placed = ranges(images)
    assert all(hi <= lo for (_, hi), (lo, _) in pairwise(placed))


def test_one_unit_begins_at_one(runtime: RuntimeImage) -> None:
    (image,) = UnitBuilder(CHECKS, runtime).images([unit("f")])
    assert image.first_site == 1 and image.functions == ("f",)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5), st.integers(1, 9))
def test_joined_tables_answer_as_each_would(counts: list[int], gap: int) -> None:
    tables, first = [], gap
    for number, count in enumerate(counts):
        table = SiteTable(first)
        for index in range(count):
            table.add(((f"f{number}", "a.c", index + 1, 0),), index, f"e{index}")
        tables.append(table)
        first = table.next_site + gap
    joined = sites_of([StoredSites.of(table) for table in reversed(tables)])
    for site in range(first + 1):
        owners = [table for table in tables if table.site_to_frames(site)]
        assert joined.site_to_frames(site) == (owners[0].site_to_frames(site) if owners else ())
        assert joined.site_to_size(site) == sum(one.site_to_size(site) for one in owners)
        assert joined.site_to_expression(site) == "".join(
            one.site_to_expression(site) for one in owners
        )
    ranges_of = [range(table.first_site, table.next_site) for table in reversed(tables)]
    sites = [site for one in ranges_of for site in one]
    assert [joined.site_to_place(site) for site in sites] == list(range(1, 1 + len(sites)))


def many_functions() -> CompiledUnit:
    functions = [
        f"define internal i32 @f{n}(ptr %p) noinline {{ store i32 {n}, ptr %p ret i32 {n} }}\n"
        f"define i32 @g{n}(ptr %p) {{ %v = call i32 @f{(n + 7) % 40}(ptr %p) ret i32 %v }}"
        for n in range(40)
    ]
    text = "\n".join(functions)
    return CompiledUnit(Path("many.ll"), text_to_bitcode(text.encode(), Path("m")), "ir", "many")


def test_a_big_unit_is_one_object_of_several_parts_whoever_makes_them(
    runtime: RuntimeImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    (whole,) = UnitBuilder(CHECKS, runtime).images([many_functions()])
    monkeypatch.setattr(unit_image, "_PART_BYTES", 1000)
    monkeypatch.setattr(unit_image, "_PART_INSTRUCTIONS", 50)
    monkeypatch.setattr(code_workers, "_MIN_BYTES", 0)
    made = []
    for n_idle in (1, 2):
        monkeypatch.setattr(code_workers, "_idle_processors", lambda n=n_idle: n)
        (image,) = UnitBuilder(CHECKS, runtime).images([many_functions()])
        made.append(image)
    assert made[0] == made[1] and made[0].object != whole.object
    assert replace(made[0], object=b"") == replace(whole, object=b"")
    parts, one = (ObjectFile.parse(image.object) for image in (made[0], whole))
    assert parts.section_names.count(".text") > 1 == one.section_names.count(".text")
    assert functions_of(parts) == functions_of(one)


def functions_of(item: ObjectFile) -> list[tuple[str, int, int]]:
    """(name, binding, size) of functions."""
    return sorted(
        (item.symbol_name(at), int(row["info"]) >> 4, int(row["size"]))
        for at, row in enumerate(item.symbols)
        if int(row["info"]) & 15 == STT_FUNC
    )


def test_no_room_is_said(
    runtime: RuntimeImage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unit_image, "_N_SLOTS", 1)
    with pytest.raises(UnsupportedError, match=r"g\.ll: no room"):
        UnitBuilder(CHECKS, runtime, cache=Cache(tmp_path)).images([unit("f"), unit("g")])
