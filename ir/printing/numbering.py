"""Numbers and unique names: locals' `ref`, unnamed globals' `ref`, metadata nodes' `number`.

Locals: arguments, blocks and instructions with a result share one count per function, in text
order. Metadata: named metadata first, then globals, then functions in order; depth first, so equal
modules number alike.

Soundness: two locals of one name (a pass may make them) get `.N`, as LLVM would rename them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from irsan.ir.calls import Call, CallTerminator
from irsan.ir.instruction import DebugRecord, Instruction
from irsan.ir.metadata import DebugNode, DIArgList, DILocation, Metadata, MetadataNode
from irsan.ir.metadata_text import INLINE_KINDS
from irsan.ir.module import Module
from irsan.ir.text import quote_name
from irsan.ir.types import Type
from irsan.ir.values import Function, GlobalValue, LocalValue, MetadataAsValue

_REFS = [f"%{number}" for number in range(4096)]


def number_globals(module: Module) -> None:
    """Gives every unnamed global its `@N`."""
    count = 0
    groups: tuple[list[GlobalValue], ...] = (
        [*module.globals], [*module.aliases], [*module.ifuncs], [*module.functions],
    )  # fmt: skip
    for group in groups:
        for value in group:
            if not value.name:
                value.ref = f"@{count}"
                count += 1


def number_locals(function: Function, void: Type) -> None:
    """Sets the `ref` of every argument, block and instruction of `function`."""
    refs, count, taken = _REFS, 0, set[str]()
    for value in _named_or_numbered(function, void):
        name = value.name
        if name:
            if name in taken:
                name = _free_name(name, taken)
            taken.add(name)
            value.ref = f"%{quote_name(name)}"
            continue
        if count == len(refs):
            refs.extend([f"%{number}" for number in range(count, 2 * count)])
        value.ref = refs[count]
        count += 1


def _named_or_numbered(function: Function, void: Type) -> Iterator[LocalValue]:
    yield from function.arguments
    for block in function.blocks:
        yield block
        for instruction in block.instructions:
            if instruction.type is not void:
                yield instruction


def _free_name(name: str, taken: set[str]) -> str:
    suffix = 0
    while f"{name}.{suffix}" in taken:
        suffix += 1
    return f"{name}.{suffix}"


def number_metadata(module: Module) -> list[MetadataNode]:
    """Numbers all nodes the module uses; returns them in order of their numbers."""
    numbered: list[MetadataNode] = []
    seen: set[int] = set()
    for named in module.named_metadata.values():
        _visit(named.operands, seen, numbered)
    for value in (*module.globals, *module.functions):
        _visit([node for _, node in value.metadata], seen, numbered)
    for function in module.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                _visit_instruction(instruction, seen, numbered)
    for number, node in enumerate(numbered):
        node.number = number
    return numbered


def _visit_instruction(
    instruction: Instruction, seen: set[int], numbered: list[MetadataNode]
) -> None:
    for record in instruction.debug_records:
        _visit(_record_metadata(record), seen, numbered)
    location = instruction.debug_location
    if location is not None and id(location) not in seen:
        _visit_location(location, seen, numbered)
    if instruction.metadata:
        _visit([node for _, node in instruction.metadata], seen, numbered)
    if isinstance(instruction, (Call, CallTerminator)):
        operands = instruction.operands
        for bundle in instruction.bundles:
            operands = [*operands, *bundle.operands]
        for operand in operands:
            if type(operand) is MetadataAsValue:
                _visit((operand.metadata,), seen, numbered)


def _visit_location(location: MetadataNode, seen: set[int], numbered: list[MetadataNode]) -> None:
    """As `_visit`, without a walk when the location's parts are numbered, as they mostly are."""
    if type(location) is DILocation and id(location.scope) in seen:
        inlined_at = location.inlined_at
        if inlined_at is None or id(inlined_at) in seen:
            seen.add(id(location))
            numbered.append(location)
            return
    _visit((location,), seen, numbered)


def _record_metadata(record: DebugRecord) -> list[Metadata | None]:
    return [*record.operands, record.debug_location]


def _visit(roots: Iterable[Metadata | None], seen: set[int], numbered: list[MetadataNode]) -> None:
    """Depth first, parents before children, with a stack of its own (graphs are deep)."""
    stack = [node for node in roots if node is not None]
    stack.reverse()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        if isinstance(node, DIArgList) or not isinstance(node, MetadataNode):
            continue
        seen.add(id(node))
        if not (type(node) is DebugNode and node.kind in INLINE_KINDS):
            numbered.append(node)
        children = [child for child in node.metadata_operands() if child is not None]
        children.reverse()
        stack.extend(children)
