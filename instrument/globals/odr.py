"""One definition of each global: what several modules of a program define differently.

    a.c: int x[4] = {1};   b.c: int x[4] = {2};        two definitions: the link keeps the first
    a.cpp: inline int t[4];   b.cpp: inline int t[8];  one size is wrong for one of the modules

    definitions_of(module)          what a module defines for others, with true sizes and places
    find_copies([..., ...])         definitions of one name that are not the same
    find_conflicts(copies, scope)   pairs: the definition that the link keeps, and another

A pair is a conflict when both are full definitions, or when their sizes differ. A weak definition
may be replaced on purpose, by a bigger one as well; only a smaller one is a conflict. What a
library hides (visibility, a version script, -Bsymbolic) conflicts with nothing outside.

Source: LLVM's asan_globals.cpp for what counts; the C++ standard, [basic.def.odr].
Deviations: modules are compared when the program is built, so the differing sizes of definitions
that a linker merges are seen as well; types of one size are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.globals.global_descriptors import source_place
from irsan.instrument.globals.global_eligibility import is_own_name
from irsan.ir.constants import ConstantAggregate, ConstantInt
from irsan.ir.module import Module

_STRONG, _COMMON, _MERGED, _WEAK = "strong", "common", "merged", "weak"
_STRENGTHS = {
    "external": _STRONG, "common": _COMMON, "linkonce_odr": _MERGED, "weak_odr": _MERGED,
    "linkonce": _WEAK, "weak": _WEAK,
}  # fmt: skip
_DESCRIPTOR_SECTION, _DESCRIPTOR = "asan_globals", "__asan_global_"


class Definition(NamedTuple):
    """A global as one module defines it."""

    name: str
    strength: str
    size_bytes: int
    module: str
    file: str
    line: int


class Conflict(NamedTuple):
    """The definition that the link keeps, and one that differs from it or should not be there.

    symbol: the name under which the link knows both.
    """

    kept: Definition
    other: Definition
    symbol: str


Copies = list[tuple[int, Definition]]
"""Numbers of modules, and how they define one name."""


def definitions_of(module: Module) -> Iterator[Definition]:
    """Every variable that `module` defines and other modules can name."""
    sizes, described = TypeSizes(module), _described_sizes(module)
    for variable in module.globals:
        strength = _STRENGTHS.get(variable.linkage)
        if variable.is_declaration or strength is None or is_own_name(variable.name):
            continue
        size_bytes = described.get(variable.name, sizes.alloc_size(variable.value_type))
        if size_bytes is not None:
            place = source_place(variable)
            yield Definition(variable.name, strength, size_bytes, module.source_filename, *place)


def find_copies(modules: Iterable[Iterable[Definition]]) -> list[Copies]:
    """What the modules of a program, in link order, define differently: hardly ever anything."""
    by_name: dict[str, Copies] = {}
    for number, definitions in enumerate(modules):
        for one in definitions:
            by_name.setdefault(one.name, []).append((number, one))
    return [same for same in by_name.values() if _may_differ([one for _, one in same])]


def find_conflicts(
    copies: Iterable[Copies], scope: Callable[[str, int], str] = lambda name, _: name
) -> Iterator[Conflict]:
    """All conflicts, in link order.

    scope: the name under which the link knows what the module with a number defines
    """
    for same in copies:
        by_symbol: dict[str, list[Definition]] = {}
        for number, one in same:
            by_symbol.setdefault(scope(one.name, number), []).append(one)
        for symbol, ones in by_symbol.items():
            kept = _kept(ones)
            others = (each for each in ones if each is not kept)
            yield from (Conflict(kept, each, symbol) for each in others if _differ(kept, each))


def _may_differ(same: list[Definition]) -> bool:
    n_strong = sum(one.strength == _STRONG for one in same)
    return n_strong > 1 or len({one.size_bytes for one in same}) > 1


def _kept(same: list[Definition]) -> Definition:
    """The first full definition, else the largest common one, else the first."""
    strong = [each for each in same if each.strength == _STRONG]
    common = [each for each in same if each.strength == _COMMON]
    return next(iter(strong), None) or max(common, key=lambda c: c.size_bytes, default=same[0])


def _differ(kept: Definition, other: Definition) -> bool:
    if kept.strength == other.strength == _STRONG:
        return True
    if other.strength == _WEAK:
        return kept.size_bytes < other.size_bytes
    return kept.size_bytes != other.size_bytes


def _described_sizes(module: Module) -> dict[str, int]:
    """Sizes of objects in a module that was instrumented already, by name."""
    found = {}
    for variable in module.globals:
        fields = variable.initializer
        if variable.section != _DESCRIPTOR_SECTION or not isinstance(fields, ConstantAggregate):
            continue
        size = fields.elements[1]
        if isinstance(size, ConstantInt):
            found[variable.name.removeprefix(_DESCRIPTOR)] = size.value
    return found
