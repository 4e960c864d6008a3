"""Appending variables: the arrays of all modules as one, in module order.

`llvm.global_ctors` and `llvm.global_dtors` name in the third field of an entry the symbol that the
entry belongs to: an entry goes when another module's definition of that symbol stays. In
`llvm.used` and `llvm.compiler.used` a symbol stands once.

Source: the LLVM Language Reference, "Linkage Types" (appending), "The llvm.global_ctors Global
Variable".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from irsan.ir.constants import (
    ConstantAggregate,
    ConstantBytes,
    ConstantData,
    ConstantFP,
    ConstantInt,
    ConstantNull,
)
from irsan.ir.linker.comdats import base_object
from irsan.ir.linker.problems import Problems
from irsan.ir.linker.resolution import LOCAL
from irsan.ir.linker.symbols import SymbolTable
from irsan.ir.linker.type_map import TypeMap
from irsan.ir.types import ArrayType, IntegerType, PrimitiveType
from irsan.ir.values import Constant, GlobalValue, GlobalVariable

_STRUCTORS: Final = ("llvm.global_ctors", "llvm.global_dtors")
_LISTS: Final = ("llvm.used", "llvm.compiler.used")


def append_all(symbols: SymbolTable, types: TypeMap, problems: Problems) -> None:
    """Gives the first variable of each name the elements of all of that name."""
    for name, variables in symbols.appending.items():
        first, *others = variables
        for other in others:
            if difference := _difference(first, other, types):
                problems.errors.append(f"the appending variables `{name}` differ in {difference}")
        if problems.errors:
            return
        elements = [one for variable in variables for one in _elements(variable)]
        if name in _STRUCTORS:
            elements = [one for one in elements if _stays(one, symbols)]
        elif name in _LISTS:
            elements = list(_once(elements, symbols))
        _set_elements(first, elements, types)


def _set_elements(variable: GlobalVariable, elements: list[Constant], types: TypeMap) -> None:
    assert isinstance(variable.value_type, ArrayType)
    element = types.map_type(variable.value_type.element)
    array = types.target.array(element, len(elements))
    variable.value_type = array
    variable.initializer = ConstantAggregate(array, elements) if elements else ConstantNull(array)


def _difference(one: GlobalVariable, other: GlobalVariable, types: TypeMap) -> str:
    """What keeps two variables from being one array; empty when nothing does."""
    kinds = [variable.value_type for variable in (one, other)]
    elements = [
        types.map_type(kind.element) if isinstance(kind, ArrayType) else None for kind in kinds
    ]
    if elements[0] is not elements[1] or None in elements:
        return "their element types"
    facts = {
        "being constant": (one.is_constant, other.is_constant),
        "their alignment": (one.alignment, other.alignment),
        "their visibility": (one.visibility, other.visibility),
        "unnamed_addr": (one.unnamed_addr == "unnamed_addr", other.unnamed_addr == "unnamed_addr"),
        "their section": (one.section, other.section),
        "their address space": (one.type.text, other.type.text),
    }
    return next((what for what, (left, right) in facts.items() if left != right), "")


def _elements(variable: GlobalVariable) -> list[Constant]:
    """The initializer of an array, element by element."""
    initializer, array = variable.initializer, variable.value_type
    assert isinstance(array, ArrayType)
    element = array.element
    if isinstance(initializer, ConstantAggregate):
        return initializer.elements
    if isinstance(initializer, ConstantBytes):
        assert isinstance(element, IntegerType)
        return [ConstantInt(element, byte) for byte in initializer.contents]
    if isinstance(initializer, ConstantData):
        return [_number(element, value) for value in initializer.values]
    return [type(initializer)(element) for _ in range(array.count)]  # type: ignore[misc,call-arg]


def _number(element: object, value: int) -> Constant:
    if isinstance(element, IntegerType):
        return ConstantInt(element, value)
    assert isinstance(element, PrimitiveType)
    return ConstantFP(element, value)


def _stays(entry: Constant, symbols: SymbolTable) -> bool:
    """Whether the symbol that a constructor belongs to is the one that stays."""
    key = entry.elements[2] if isinstance(entry, ConstantAggregate) else None
    if not isinstance(key, GlobalValue) or key.linkage in LOCAL or not key.name:
        return True
    return symbols.meaning(key) is key and not key.is_declaration


def _once(elements: list[Constant], symbols: SymbolTable) -> Iterator[Constant]:
    seen = set[Constant]()
    for element in elements:
        held = element if isinstance(element, GlobalValue) else base_object(element)
        meant = symbols.meaning(held) if isinstance(held, GlobalValue) else element
        if meant not in seen:
            seen.add(meant)
            yield element
