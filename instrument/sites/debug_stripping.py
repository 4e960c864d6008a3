"""Takes debug info out of a module whose site numbers already say where everything is.

Locations, `#dbg` records, `llvm.dbg.*` calls, attachments and the compile units go; module flags
about debug info go too, so that LLVM does not look for debug info that is gone. Makes the text
shorter and code generation faster.

Soundness: run it after `SiteMarking`; nothing behind it can name a line.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.ir.instruction import Instruction
from irsan.ir.metadata import (
    Attachments,
    DebugNode,
    DILocation,
    Metadata,
    MetadataNode,
    MetadataString,
    MetadataTuple,
)
from irsan.ir.module import Module
from irsan.ir.values import Function, MetadataAsValue

_ATTACHMENTS = ("dbg", "heapallocsite", "DIAssignID", "srcloc")
_DEBUG_FLAGS = ("Debug Info Version", "Dwarf Version", "CodeView", "debug-info-assignment-tracking")


@dataclass(frozen=True, slots=True)
class DebugStripping:
    """Removes all debug info."""

    def apply(self, module: Module) -> None:
        """Strip every function, global and named node."""
        kept: set[Metadata] = set()
        for function in module.functions:
            _strip_function(function, kept)
        for value in (*module.globals, *module.functions):
            if value.metadata:
                value.metadata = tuple([p for p in value.metadata if p[0] not in _ATTACHMENTS])
        if _still_used(module, kept):
            return
        flags = module.named_metadata.get("llvm.module.flags")
        if flags is not None:
            flags.operands = [node for node in flags.operands if not _is_debug_flag(node)]


def _still_used(module: Module, kept: set[Metadata]) -> bool:
    """Whether something else than debug info refers to a compile unit; else the list goes."""
    units = module.named_metadata.pop("llvm.dbg.cu", None)
    if units is None:
        return False
    for value in (*module.globals, *module.functions):
        kept.update([node for _, node in value.metadata])
    for named in module.named_metadata.values():
        kept.update(named.operands)
    is_used = any(
        isinstance(node, DebugNode) and node.kind == "DICompileUnit" for node in _reachable(kept)
    )
    if is_used:
        module.named_metadata["llvm.dbg.cu"] = units
    return is_used


def _reachable(roots: set[Metadata]) -> set[Metadata]:
    """All metadata that `roots` lead to."""
    seen, work = set(roots), list(roots)
    while work:
        node = work.pop()
        if isinstance(node, MetadataNode):
            new = {item for item in node.metadata_operands() if item is not None} - seen
            seen |= new
            work += new
    return seen


def _strip_function(function: Function, kept: set[Metadata]) -> None:
    """`kept` gets the metadata that instructions still refer to."""
    for block in function.blocks:
        instructions = block.instructions
        for instruction in instructions:
            instruction.debug_location = None
            instruction.debug_records = ()
            if instruction.metadata:
                instruction.metadata = _stripped(instruction.metadata)
                kept.update([node for _, node in instruction.metadata])
        calls = [i for i in instructions if i.opcode == "call"]
        dropped = {call for call in calls if _is_debug_call(call)}
        if dropped:
            block.instructions = [i for i in instructions if i not in dropped]
        for call in calls:
            if call not in dropped:
                kept.update([o.metadata for o in call.operands if type(o) is MetadataAsValue])


def _stripped(attachments: Attachments) -> Attachments:
    """Loop metadata names its place in the source; only its hints stay."""
    for kind, node in attachments:
        if kind == "llvm.loop" and isinstance(node, MetadataTuple):
            node.operands = [item for item in node.operands if not isinstance(item, DILocation)]
    return tuple([pair for pair in attachments if pair[0] not in _ATTACHMENTS])


def _is_debug_call(instruction: Instruction) -> bool:
    callee = instruction.operands[0]
    return isinstance(callee, Function) and callee.name.startswith("llvm.dbg.")


def _is_debug_flag(node: Metadata) -> bool:
    if not isinstance(node, MetadataTuple) or len(node.operands) < 2:
        return False
    name = node.operands[1]
    return isinstance(name, MetadataString) and name.text in _DEBUG_FLAGS
