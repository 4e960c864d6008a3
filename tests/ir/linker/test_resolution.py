"""Which definition stays, for every pair of linkages, beside LLVM's own linker."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.ir.datalayout import DataLayout
from irsan.ir.linker.resolution import Choice, choose
from irsan.ir.reading import parse_ir_text
from tests.support.linked_modules import Facts, linked_by_irsan, linked_by_llvm, symbol_facts

DEFINING = ("", "weak", "weak_odr", "linkonce", "linkonce_odr", "available_externally", "internal",
            "private")  # fmt: skip
VARIABLES = {
    "declared": "@x = external global i32",
    "extern_weak": "@x = extern_weak global i32",
    "common": "@x = common global i32 0",
    **{word or "external": f"@x = {word} global i32 %d" for word in DEFINING},
}
FUNCTIONS = {
    "declared": "declare i32 @x()",
    "extern_weak": "declare extern_weak i32 @x()",
    **{
        word or "external": f"define {word} i32 @x() {{\n  ret i32 %d\n}}" for word in DEFINING
    },
}  # fmt: skip
ALIASES = {
    word or "external": f"@object = internal global i32 %d\n@x = {word} alias i32, ptr @object"
    for word in DEFINING
    if word != "available_externally"
}
USE = "\ndefine ptr @use%d() {\n  ret ptr @x\n}\n"


def both(old: str, new: str) -> list[str]:
    """Two modules: these lines, and a use of the symbol, with 1 and 2 for what tells them apart."""
    texts = [(old + USE), (new + USE)]
    return [text.replace("%d", str(number)) for number, text in enumerate(texts, 1)]


def facts_of_both(texts: list[str]) -> tuple[Facts | None, Facts | None]:
    """The symbols of both results, None for a refusal; what may differ made equal."""
    results = [linked_by_irsan(texts), linked_by_llvm(texts)]
    ours, theirs = [None if one is None else symbol_facts(one) for one in results]
    return ours, theirs


PAIRS = [
    pytest.param(table[old], table[new], id=f"{name}-{old}-{new}")
    for name, table in {"variable": VARIABLES, "function": FUNCTIONS, "alias": ALIASES}.items()
    for old, new in itertools.product(table, repeat=2)
    if (old, new) not in {("extern_weak", "declared"), ("available_externally",) * 2}
] + [
    pytest.param(one[old], other[new], id=f"{old}-then-{new}-alias" if other is ALIASES else
                 f"{old}-alias-then-{new}")
    for one, other in ((VARIABLES, ALIASES), (ALIASES, VARIABLES))
    for old, new in itertools.product(one, other)
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_the_choice_is_that_of_llvm(old: str, new: str) -> None:
    ours, theirs = facts_of_both(both(old, new))
    assert ours == theirs


def test_a_plain_reference_makes_a_weak_one_plain() -> None:
    """As for a linker of objects; LLVM's own takes whichever module comes first."""
    texts = both(VARIABLES["extern_weak"], VARIABLES["declared"])
    for order in (texts, texts[::-1]):
        ours = facts_of_both(order)[0]
        assert ours is not None and ours["x"][1] == "external"


def test_the_first_of_equal_definitions_stays() -> None:
    texts = both(*[VARIABLES["available_externally"]] * 2)
    ours = facts_of_both(texts)[0]
    assert ours is not None and ours["x"][1:6] == ("available_externally", "", "", "", "1")


VISIBILITIES = ("", "hidden", "protected")
ADDRESSES = ("", "local_unnamed_addr", "unnamed_addr")


@pytest.mark.parametrize("kind", ["external", "weak", "linkonce_odr"])
@pytest.mark.parametrize("words", list(itertools.product(VISIBILITIES, ADDRESSES)))
def test_words_of_all_declarations_hold(kind: str, words: tuple[str, str]) -> None:
    plain = f"@x = {kind.replace('external', '')} {' '.join(words)} global i32 %d"
    for visibility, address in itertools.product(VISIBILITIES, ADDRESSES):
        declared = f"@x = external {visibility} {address} global i32"
        for texts in (both(plain, declared), both(declared, plain)):
            ours, theirs = facts_of_both(texts)
            assert ours == theirs


COMMONS = st.sampled_from([
    f"@x = common global [{count} x i8] zeroinitializer{align}"
    for count in (1, 4, 9) for align in ("", ", align 8", ", align 32")
])  # fmt: skip


@settings(deadline=None, max_examples=30)
@given(st.lists(COMMONS, min_size=2, max_size=4))
def test_the_largest_common_variable_stays(lines: list[str]) -> None:
    texts = [f"{line}{USE}".replace("%d", str(number)) for number, line in enumerate(lines)]
    ours, theirs = facts_of_both(texts)
    assert ours == theirs and ours is not None


@pytest.mark.parametrize("table", [VARIABLES, FUNCTIONS], ids=["variables", "functions"])
def test_choosing_among_three_does_not_depend_on_who_came_first(table: Mapping[str, str]) -> None:
    """Of the linkages that are left no two are equal: one order stands behind all choices."""
    ordered = ["declared", "available_externally", "linkonce", "weak", "external"]
    values = [parse_ir_text(table[word].replace("%d", "1")).symbol("x") for word in ordered]
    layout = DataLayout.of("")
    for low, high in itertools.combinations(values, 2):
        assert low is not None and high is not None
        assert choose(low, high, layout) is Choice.NEW
        assert choose(high, low, layout) is Choice.OLD
