"""Random sets of modules that share symbols, linked by irsan and by LLVM."""

from __future__ import annotations

from hypothesis import event, given, settings

from tests.support.linked_modules import Facts, linked_by_irsan, linked_by_llvm, symbol_facts
from tests.support.random_linkage import Shape, module_sets


def comparable(facts: Facts) -> dict[str, object]:
    """Facts without what LLVM decides by the order of modules: extern_weak of a declaration."""
    return {
        name: (kind, "external" if linkage == "extern_weak" else linkage, *rest)
        for name, (kind, linkage, *rest) in facts.items()
    }


def check(texts: list[str]) -> None:
    ours, theirs = linked_by_irsan(texts), linked_by_llvm(texts)
    event("refused" if theirs is None else "linked")
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None:
        assert comparable(symbol_facts(ours)) == comparable(symbol_facts(theirs))


@settings(max_examples=100, deadline=None)
@given(module_sets(Shape(conflicts=False, data=False)))
def test_symbols_are_those_of_llvm(texts: list[str]) -> None:
    check(texts)


@settings(max_examples=100, deadline=None)
@given(module_sets(Shape()))
def test_refusals_are_those_of_llvm(texts: list[str]) -> None:
    check(texts)
