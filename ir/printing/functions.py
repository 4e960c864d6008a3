"""Functions as text: the header, then block by block.

The body loop is the printer's hot path: one dispatch and one f-string per instruction.

Source: the LLVM Language Reference, "Functions".
"""

from __future__ import annotations

from irsan.ir.instruction import DebugRecord
from irsan.ir.metadata_text import metadata_ref
from irsan.ir.printing.attributes import AttributeTexts, CallTexts
from irsan.ir.printing.globals import (
    attachments_text,
    comdat_words,
    linkage_words,
    placement_words,
)
from irsan.ir.printing.instructions import PRINTERS, calling_convention_text
from irsan.ir.text import escape_name
from irsan.ir.types import PointerType, Type
from irsan.ir.values import Function


def function_text(
    function: Function, void: Type, texts: AttributeTexts, body: str | None = None
) -> str:
    """A definition with its body, or a declaration; ends without a newline.

    body: LLVM text to stand in the place of the function's own.
    """
    header = _header(function, texts)
    if function.is_declaration:
        return header
    lines = [f"{header} {{"]
    if body is not None:
        return "\n".join([*lines, body, "}"])
    _append_body(function, void, texts, lines)
    lines.append("}")
    return "\n".join(lines)


def _header(function: Function, texts: AttributeTexts) -> str:
    declared = function.is_declaration
    attributes = texts.of(function.attributes)
    words = ["declare" if declared else "define"]
    words += [attachments_text(function.metadata, " ").lstrip()] if declared else []
    words += linkage_words(function)
    words.append(calling_convention_text(function.calling_convention).rstrip())
    words.append(attributes.returns.rstrip())
    parameters = _parameters(function, attributes, declared)
    result = function.function_type.return_type.text
    words.append(f"{result} {function.ref}({parameters})")
    words.append(function.unnamed_addr)
    assert isinstance(function.type, PointerType)
    space = function.type.address_space
    words.append(f"addrspace({space})" if space else "")
    words.append(attributes.suffix.lstrip())
    words += placement_words(function) + comdat_words(function)
    words.append(f"align {function.alignment}" if function.alignment else "")
    words += _trailing_words(function)
    words += [] if declared else [attachments_text(function.metadata, " ").lstrip()]
    return " ".join([word for word in words if word])


def _parameters(function: Function, attributes: CallTexts, declared: bool) -> str:
    sets = attributes.parameters
    parts = []
    for argument in function.arguments:
        words = sets[argument.index] if argument.index < len(sets) else ""
        spelt = "" if declared else argument.ref
        parts.append(f"{argument.type.text} {words}{spelt}".rstrip())
    if function.function_type.is_vararg:
        parts.append("...")
    return ", ".join(parts)


def _trailing_words(function: Function) -> list[str]:
    words = []
    if function.garbage_collector:
        words.append(f'gc "{escape_name(function.garbage_collector)}"')
    constants = (
        ("prefix", function.prefix_data),
        ("prologue", function.prologue_data),
        ("personality", function.personality),
    )
    words += [f"{word} {value.typed_ref}" for word, value in constants if value is not None]
    return words


def _append_body(function: Function, void: Type, texts: AttributeTexts, lines: list[str]) -> None:
    printers, append = PRINTERS, lines.append
    for index, block in enumerate(function.blocks):
        if index:
            append("")
        if index or block.name:
            append(f"{block.ref[1:]}:")
        for op in block.instructions:
            if op.debug_records:
                lines.extend([_record_text(record) for record in op.debug_records])
            text = printers[op.__class__](op, texts)
            text = f"  {text}" if op.type is void else f"  {op.ref} = {text}"
            if op.debug_location is not None:
                text = f"{text}, !dbg !{op.debug_location.number}"
            if op.metadata:
                text += attachments_text(op.metadata, ", ")
            append(text)


def _record_text(record: DebugRecord) -> str:
    operands = [*record.operands, record.debug_location]
    inside = ", ".join([metadata_ref(operand) for operand in operands])
    return f"    #dbg_{record.kind}({inside})"
