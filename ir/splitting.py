"""A module as several texts, each with a share of the functions, for as many code generators.

    split = split_module(module, 4)     None when it is to stay whole
    for text in split.texts(): ...      LLVM text of each part, in order

The first part has the variables and aliases, and the functions that cannot leave them: those with
an alias, in a comdat with others, or with a block whose address is known elsewhere. The others are
dealt out in their order, in runs of about as many instructions. Every part declares what others
define. So what was local to the module has to be visible between parts: it becomes external and
hidden, under its name. Joining the objects makes it local again: `local` and `private` have the
names. One that an assembler would not keep in its symbol table gets another name.

A module stays whole when it has assembly, which may name anything, ifuncs, or variables that go
with the section of a function; and when one part would have all functions.

Splitting changes the module: print the parts, then drop it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import BlockAddress, ConstantAggregate, ConstantExpr
from irsan.ir.declarations import declared_function, declared_variable
from irsan.ir.module import Module
from irsan.ir.printing.attributes import AttributeTexts
from irsan.ir.printing.functions import function_text
from irsan.ir.printing.globals import global_definition
from irsan.ir.printing.module import print_module
from irsan.ir.types import FunctionType
from irsan.ir.values import (
    Alias,
    Function,
    GlobalObject,
    GlobalVariable,
    Value,
)

_MAY_HOLD: Final = frozenset((BlockAddress, ConstantExpr, ConstantAggregate))
_ASSOCIATED: Final = "associated"
_TEMPORARY: Final = (".L", "\x01.L")  # symbols that an assembler forgets
_KEPT_NAME: Final = "irsan.split"
_APPENDING: Final = "appending"


@dataclass(frozen=True, slots=True)
class Split:
    """The parts of a module.

    local: names of symbols that were local to it;  private: of these, those without a symbol.
    """

    module: Module
    parts: list[list[Function]]
    local: frozenset[str]
    private: frozenset[str]

    def texts(self) -> Iterator[str]:
        """LLVM text of each part, to be taken in order."""
        texts = AttributeTexts()
        printed = _Declarations(self.module, texts)
        for number, functions in enumerate(self.parts):
            part = _part(self.module, functions, with_data=not number)
            part.functions += printed.functions
            part.globals += printed.variables
            defined = {one.name for one in (*part.functions, *part.globals, *part.aliases)}
            yield print_module(part, None, printed.but(defined), texts)


def split_module(module: Module, n_parts: int) -> Split | None:
    """At most `n_parts` parts of a module, None when it stays as it is."""
    functions = [one for one in module.functions if not one.is_declaration]
    n_parts = min(n_parts, len(functions))
    if n_parts < 2 or not _can_split(module):
        return None
    parts = _dealt(functions, _bound_to_data(module, functions), n_parts)
    if len(parts) < 2:
        return None
    local, private = _shown(module)
    return Split(module, parts, local, private)


def count_instructions(module: Module) -> int:
    """Instructions of all functions."""
    return sum(map(_weight, module.functions))


def _can_split(module: Module) -> bool:
    return not (
        module.assembly
        or module.ifuncs
        or any(kind == _ASSOCIATED for one in module.globals for kind, _ in one.metadata)
    )


def _weight(function: Function) -> int:
    return sum([len(block.instructions) for block in function.blocks])


def _dealt(functions: list[Function], bound: set[Function], n_parts: int) -> list[list[Function]]:
    """Runs of functions of about the same weight, what is bound to data in the first one."""
    weights = {function: _weight(function) for function in functions}
    total = max(1, sum(weights.values()))
    before = sum([weights[function] for function in bound])
    parts: list[list[Function]] = [[] for _ in range(n_parts)]
    for function in functions:
        if function in bound:
            parts[0].append(function)
            continue
        middle = before + weights[function] // 2
        parts[min(n_parts - 1, middle * n_parts // total)].append(function)
        before += weights[function]
    return [parts[0], *filter(None, parts[1:])]


def _bound_to_data(module: Module, functions: list[Function]) -> set[Function]:
    """Functions that stay with variables and aliases."""
    bound = set(_address_takers(module, functions))
    for alias in module.aliases:
        bound |= _functions_in([alias.aliasee])
    objects: list[GlobalObject] = [*module.globals, *functions]
    sizes = Counter(one.comdat.name for one in objects if one.comdat is not None)
    bound |= {one for one in functions if one.comdat is not None and sizes[one.comdat.name] > 1}
    return bound & set(functions)


def _address_takers(module: Module, functions: list[Function]) -> Iterator[Function]:
    """Functions with a block whose address is known outside, and functions that know one."""
    for variable in module.globals:
        yield from _blocks_in([variable.initializer])
    for function in functions:
        others = _blocks_in(_constants_of(function)) - {function}
        if others:
            yield function
            yield from others


def _constants_of(function: Function) -> set[Value]:
    """Constants among the operands that may hold others."""
    found: set[Value] = set()
    for block in function.blocks:
        for op in block.instructions:
            found.update([value for value in op.operands if type(value) in _MAY_HOLD])
            if isinstance(op, (Call, CallTerminator)):
                found.update([value for bundle in op.bundles for value in bundle.operands])
    return found


def _blocks_in(values: Iterable[Value | None]) -> set[Function]:
    """Functions of which these constants hold the address of a block."""
    return {one.function for one in _leaves(values) if isinstance(one, BlockAddress)}


def _functions_in(values: Iterable[Value | None]) -> set[Function]:
    """Functions whose address these constants hold, also by an alias of an alias."""
    return {one for one in _leaves(values) if isinstance(one, Function)}


def _leaves(values: Iterable[Value | None]) -> Iterator[Value]:
    stack = [value for value in values if value is not None]
    while stack:
        value = stack.pop()
        if isinstance(value, ConstantAggregate):
            stack += value.elements
        elif isinstance(value, ConstantExpr):
            stack += value.operands
        elif isinstance(value, Alias):
            stack += [value.aliasee] if value.aliasee is not None else []
        else:
            yield value


def _shown(module: Module) -> tuple[frozenset[str], frozenset[str]]:
    """Make local symbols visible between parts; the names of all, and of private ones."""
    local, private = set[str](), set[str]()
    for number, value in enumerate([*module.functions, *module.globals, *module.aliases]):
        is_forgotten = not value.name or value.name.startswith(_TEMPORARY)
        if value.is_declaration or not (is_forgotten or value.has_local_linkage):
            continue
        if is_forgotten:
            value.name = f"{_KEPT_NAME}.{number}"
        local.add(value.name)
        if is_forgotten or value.linkage == "private":
            private.add(value.name)
        value.linkage, value.visibility = "external", "hidden"
    module.reindex()
    return frozenset(local), frozenset(private)


def _part(module: Module, functions: list[Function], *, with_data: bool) -> Module:
    """A module of these functions, without what they use."""
    part = Module(module.source_filename, module.types)
    part.target_triple, part.data_layout = module.target_triple, module.data_layout
    part.named_metadata = module.named_metadata
    part.functions = list(functions)
    if with_data:
        part.globals = [one for one in module.globals if not one.is_declaration]
        part.aliases = list(module.aliases)
    used = (one.comdat for one in (*part.functions, *part.globals))
    part.comdats = {one.name: one for one in used if one is not None}
    return part


@dataclass(slots=True)
class _Declarations:
    """Declarations of all symbols: texts by name, made once.

    functions, variables: those with metadata, whose numbers are other ones in each part.
    """

    module: Module
    attributes: AttributeTexts
    functions: list[Function] = field(default_factory=list)
    variables: list[GlobalVariable] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for function in self.module.functions:
            if function.is_declaration and function.metadata:
                self.functions.append(function)
            else:
                self._add(declared_function(function))
        for variable in self.module.globals:
            if variable.is_declaration and variable.metadata:
                self.variables.append(variable)
            elif variable.linkage != _APPENDING:
                self._add(declared_variable(variable))
        for alias in self.module.aliases:
            is_function = isinstance(alias.value_type, FunctionType)
            self._add(declared_function(alias) if is_function else declared_variable(alias))

    def but(self, defined: set[str]) -> list[str]:
        """Declarations of what a part does not define itself."""
        return [text for name, text in self.texts.items() if name not in defined]

    def _add(self, value: Function | GlobalVariable) -> None:
        if isinstance(value, Function):
            text = function_text(value, self.module.types.void, self.attributes)
        else:
            text = global_definition(value, self.attributes)
        self.texts[value.name] = text
