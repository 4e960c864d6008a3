"""Module flags: each behaviour, and random flags beside LLVM's own linker."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.ir.linker.linking import LinkError, link_modules
from irsan.ir.metadata import Metadata, MetadataString, MetadataTuple, ValueAsMetadata
from irsan.ir.module import Module
from irsan.ir.reading import parse_ir_text
from tests.support.linked_modules import linked_by_irsan, linked_by_llvm

FLAGS = "llvm.module.flags"


def module_text(flags: list[str]) -> str:
    """A module with flags, each `behaviour, name, value`."""
    nodes = "".join(f"!{number} = !{{{flag}}}\n" for number, flag in enumerate(flags))
    listed = ", ".join(f"!{number}" for number in range(len(flags)))
    return f"!{FLAGS} = !{{{listed}}}\n{nodes}" if flags else ""


def spelt(item: Metadata | None) -> object:
    """Metadata as plain Python values."""
    if isinstance(item, MetadataTuple):
        return tuple(spelt(one) for one in item.operands)
    if isinstance(item, MetadataString):
        return item.text
    return item.value.typed_ref if isinstance(item, ValueAsMetadata) else None


def flags_of(module: Module | None) -> set[object] | None:
    """The flags of a result; None when there is none."""
    if module is None:
        return None
    named = module.named_metadata.get(FLAGS)
    return {spelt(node) for node in named.operands} if named is not None else set()


def merged(*texts: list[str]) -> set[object] | None:
    modules = [module_text(flags) for flags in texts]
    ours, theirs = flags_of(linked_by_irsan(modules)), flags_of(linked_by_llvm(modules))
    assert ours == theirs
    return ours


def flag(behaviour: int, value: str, name: str = "x") -> str:
    return f'i32 {behaviour}, !"{name}", {value}'


def test_equal_values_of_an_error_flag_are_one() -> None:
    assert merged([flag(1, "i32 4")], [flag(1, "i32 4")]) == {("i32 1", "x", "i32 4")}
    assert merged([flag(1, "i32 4")], [flag(1, "i32 2")]) is None


def test_a_refusal_names_flag_files_and_values() -> None:
    texts = [module_text([flag(1, value)]) for value in ("i32 4", "i32 2")]
    named = [(f"{name}.ll", parse_ir_text(text)) for name, text in zip("ab", texts, strict=True)]
    with pytest.raises(LinkError, match=r"flag `x` is given 4 in a\.ll and 2 in b\.ll"):
        link_modules(named)


def test_other_values_of_a_warning_flag_are_said() -> None:
    texts = [module_text([flag(2, value)]) for value in ("i32 4", "i32 2")]
    named = [(f"{name}.ll", parse_ir_text(text)) for name, text in zip("ab", texts, strict=True)]
    linked = link_modules(named)
    assert linked.warnings == ("the module flag `x` is 4 in a.ll and 2 in b.ll",)
    assert flags_of(linked.module) == {("i32 2", "x", "i32 4")}


def test_override_beats_everything_but_another_one() -> None:
    first = {("i32 4", "x", "i32 9")}
    assert merged([flag(1, "i32 4")], [flag(4, "i32 9")]) == first
    assert merged([flag(4, "i32 9")], [flag(2, "i32 4")]) == first
    assert merged([flag(4, "i32 9")], [flag(4, "i32 8")]) is None


def test_largest_and_smallest() -> None:
    assert merged([flag(7, "i32 1")], [flag(7, "i32 3")]) == {("i32 7", "x", "i32 3")}
    assert merged([flag(8, "i32 1")], [flag(8, "i32 3")]) == {("i32 8", "x", "i32 1")}
    assert merged([flag(8, "i32 1")], [flag(7, "i32 1", "y")]) == {
        ("i32 8", "x", "i32 0"), ("i32 7", "y", "i32 1"),
    }  # fmt: skip


def test_lists_are_appended() -> None:
    pair = '!{!"a", !"b"}', '!{!"b", !"c"}'
    twice = {("i32 5", "x", ("a", "b", "b", "c"))}
    assert merged([flag(5, pair[0])], [flag(5, pair[1])]) == twice
    assert merged([flag(6, pair[0])], [flag(6, pair[1])]) == {("i32 6", "x", ("a", "b", "c"))}


def test_requirements_are_checked_when_all_are_known() -> None:
    first = [flag(7, "i32 2"), flag(3, '!{!"x", i32 2}', "needs")]
    assert merged(first, [flag(7, "i32 1")]) is not None
    assert merged(first, [flag(7, "i32 3")]) is None
    assert merged([flag(7, "i32 3")], first) is None


NUMBERS = st.sampled_from(("i32 0", "i32 1", "i32 2", "i32 2147483647"))
ITEMS = st.sampled_from(('!"a"', '!"b"', "i32 1"))
LISTS = st.lists(ITEMS, max_size=3, unique=True).map(  # LLVM leaves a list's own repetitions
    lambda items: f"!{{{', '.join(items)}}}"
)


@st.composite
def flag_lists(draw: st.DrawFn) -> list[str]:
    """Flags of one module, each name once; LLVM's verifier wants requirements met in it."""
    found = []
    for name in draw(st.lists(st.sampled_from("xyz"), unique=True, max_size=3)):
        kind, number = draw(st.sampled_from((1, 2, 4, 5, 6, 7, 8))), draw(NUMBERS)
        found.append(flag(kind, draw(LISTS) if kind in (5, 6) else number, name))
        if kind not in (5, 6) and draw(st.integers(0, 3)) == 0:
            found.append(flag(3, f'!{{!"{name}", {number}}}', f"needs {name}"))
    return found


@settings(deadline=None, max_examples=100)
@given(st.lists(flag_lists(), min_size=2, max_size=3))
def test_random_flags_merge_as_those_of_llvm(modules: list[list[str]]) -> None:
    merged(*modules)
