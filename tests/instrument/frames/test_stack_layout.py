"""Frames: every variable aligned, redzones between all, the shadow as a naive twin has it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.frames.stack_layout import (
    HEADER_BYTES,
    MINIMUM_ALIGNMENT,
    StackVariable,
    lay_out,
)
from irsan.runtime.views.stack_frames import parse_description
from tests.oracles.stack_frame import shadow_by_bytes

VARIABLES = st.lists(
    st.builds(
        StackVariable,
        name=st.text("abcäß_.0", max_size=6),
        size_bytes=st.integers(1, 600) | st.sampled_from([4096, 5000]),
        alignment=st.sampled_from([1, 2, 4, 8, 16, 32, 64, 256]),
        line=st.integers(0, 500),
        starts_dead=st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


def variable(size: int, alignment: int = 1, name: str = "v") -> StackVariable:
    return StackVariable(name, size, alignment)


@given(VARIABLES)
def test_the_shadow_is_that_of_the_naive_twin(variables: list[StackVariable]) -> None:
    layout = lay_out(variables)
    places = [
        (offset, one.size_bytes)
        for offset, one in zip(layout.offsets, layout.variables, strict=True)
    ]
    dead = [one.starts_dead for one in layout.variables]
    assert layout.shadow() == shadow_by_bytes(places, layout.frame_bytes)
    assert layout.shadow_at_entry() == shadow_by_bytes(places, layout.frame_bytes, dead)


@given(VARIABLES)
def test_variables_are_aligned_and_apart(variables: list[StackVariable]) -> None:
    layout = lay_out(variables)
    assert sorted(map(id, layout.variables)) == sorted(map(id, variables))
    assert layout.offsets[0] >= HEADER_BYTES and layout.frame_bytes % HEADER_BYTES == 0
    end = HEADER_BYTES - 8
    for offset, one in zip(layout.offsets, layout.variables, strict=True):
        assert offset % one.alignment == 0 and offset % MINIMUM_ALIGNMENT == 0
        assert layout.alignment % one.alignment == 0
        assert offset - end >= 8  # at least a granule of redzone
        end = offset + one.size_bytes
    assert layout.frame_bytes - end >= 8


@given(VARIABLES)
def test_the_description_reads_back(variables: list[StackVariable]) -> None:
    layout = lay_out(variables)
    found = parse_description(layout.description())
    if all(one.name.isascii() and one.name for one in variables):
        assert [(o.name, o.begin, o.end, o.line) for o in found] == [
            (one.name, offset, offset + one.size_bytes, one.line)
            for offset, one in zip(layout.offsets, layout.variables, strict=True)
        ]


def test_redzones_grow_with_the_variable() -> None:
    sizes = [1, 4, 5, 16, 17, 128, 129, 512, 513, 4096, 4097]
    taken = [lay_out([variable(size)]).frame_bytes - HEADER_BYTES for size in sizes]
    rounded = [32, 32, 32, 32, 64, 160, 224, 576, 672, 4224, 4384]
    assert taken == rounded


def test_large_alignments_come_first() -> None:
    layout = lay_out([variable(4, 4, "a"), variable(8, 64, "b"), variable(40, 32, "c")])
    assert [one.name for one in layout.variables] == ["b", "c", "a"]
    assert layout.offsets == (64, 96, 176) and layout.alignment == 64
