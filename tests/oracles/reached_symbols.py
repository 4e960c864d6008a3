"""Naive twin of the search for what a program needs of libraries: all modules at once, to the end.

Module = (exported names, {name: names that its definition mentions}); a local name is one of the
module's definitions that is not exported.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Module = tuple[Collection[str], Mapping[str, Sequence[str]]]


def reached_names(modules: Sequence[Module], wanted: Collection[str]) -> list[set[str]]:
    """For each module its exported names that are reached from outside of it."""
    found: set[tuple[int, str]] = set()
    outside: set[tuple[int, str]] = set()
    for name in wanted:
        outside |= _first(modules, name)
    while True:
        before = (len(found), len(outside))
        found |= outside
        for number, (_, uses) in enumerate(modules):
            if any(at == number for at, _ in found):
                found |= {(number, name) for name in uses if name == "llvm.used"}
        for number, name in list(found):
            for used in modules[number][1].get(name, ()):
                if used in modules[number][1]:
                    found.add((number, used))
                else:
                    outside |= _first(modules, used)
        if (len(found), len(outside)) == before:
            return [{name for at, name in outside if at == number}
                    for number in range(len(modules))]  # fmt: skip


def _first(modules: Sequence[Module], name: str) -> set[tuple[int, str]]:
    for number, (exported, _) in enumerate(modules):
        if name in exported:
            return {(number, name)}
    return set()
