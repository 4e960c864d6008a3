"""Metadata of the result: rewritten in place, named metadata of all modules in module order.

Nodes stay the objects they are; only values in them change. A node that speaks of a symbol that is
not kept has null in its place: metadata keeps nothing alive.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from irsan.ir.constants import BlockAddress
from irsan.ir.linker.transfer import Transfer
from irsan.ir.metadata import (
    DebugNode,
    DIArgList,
    Metadata,
    MetadataNode,
    MetadataTuple,
    NamedMetadata,
    ValueAsMetadata,
)
from irsan.ir.module import Module
from irsan.ir.values import Constant, GlobalValue

MODULE_FLAGS: Final = "llvm.module.flags"


def append_named(modules: Iterable[Module]) -> dict[str, NamedMetadata]:
    """The named metadata of all modules but their flags."""
    made: dict[str, NamedMetadata] = {}
    for module in modules:
        for name, named in module.named_metadata.items():
            if name != MODULE_FLAGS:
                made.setdefault(name, NamedMetadata(name)).operands += named.operands
    return made


def rewrite_nodes(roots: Iterable[MetadataNode], transfer: Transfer) -> None:
    """Rewrites these nodes and all nodes within them, each once."""
    seen: set[Metadata] = set()
    stack: list[Metadata] = list(roots)
    while stack:
        node = stack.pop()
        if node in seen or not isinstance(node, MetadataNode):
            continue
        seen.add(node)
        if isinstance(node, MetadataTuple):
            node.operands = [_rewritten(one, transfer) for one in node.operands]
        elif isinstance(node, DebugNode):
            _rewrite_fields(node, transfer)
        stack += [child for child in node.metadata_operands() if child is not None]


def _rewrite_fields(node: DebugNode, transfer: Transfer) -> None:
    for name, field in node.fields.items():
        if isinstance(field, Metadata):
            node.fields[name] = _rewritten(field, transfer)
        elif type(field) is list:
            node.fields[name] = [
                _rewritten(one, transfer) if isinstance(one, Metadata) else one for one in field
            ]


def _rewritten(item: Metadata | None, transfer: Transfer) -> Metadata | None:
    """An operand of a node; None when the symbol in it is not kept."""
    if isinstance(item, ValueAsMetadata) and isinstance(item.value, Constant):
        if not _is_kept(item.value, transfer):
            return None
        item.value = transfer.constant(item.value)
    elif isinstance(item, DIArgList):
        kept = [_rewritten(one, transfer) for one in item.arguments]
        item.arguments = [one for one in kept if isinstance(one, ValueAsMetadata)]
    return item


def _is_kept(constant: Constant, transfer: Transfer) -> bool:
    """Whether all symbols in a constant are kept."""
    if isinstance(constant, GlobalValue):
        return transfer.symbols.meaning(constant) in transfer.kept
    if isinstance(constant, BlockAddress):
        return constant.function in transfer.kept
    inside = getattr(constant, "elements", None) or getattr(constant, "operands", None) or ()
    return all(_is_kept(one, transfer) for one in inside)
