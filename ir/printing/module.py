"""The whole module as text, in LLVM's order.

Source: the LLVM Language Reference, "Module Structure".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from irsan.ir.metadata import NamedMetadata
from irsan.ir.metadata_text import metadata_ref, node_definition
from irsan.ir.module import Module
from irsan.ir.printing.attributes import AttributeTexts
from irsan.ir.printing.functions import function_text
from irsan.ir.printing.globals import (
    comdat_definition,
    global_definition,
    indirect_definition,
    type_definition,
)
from irsan.ir.printing.numbering import number_globals, number_locals, number_metadata
from irsan.ir.text import escape_name, quote_name
from irsan.ir.values import Function


def print_module(
    module: Module,
    bodies: Mapping[Function, str] | None = None,
    added: Iterable[str] = (),
    texts: AttributeTexts | None = None,
) -> str:
    """The module as LLVM text that parses back to the same module.

    bodies: text that stands in the place of functions' own blocks; added: more definitions;
    texts: the attribute groups that these speak of.
    """
    return "\n".join(module_lines(module, bodies, added, texts)) + "\n"


def module_lines(
    module: Module,
    bodies: Mapping[Function, str] | None = None,
    added: Iterable[str] = (),
    texts: AttributeTexts | None = None,
) -> Iterator[str]:
    """The module's text in pieces (a function is one piece), without final newlines."""
    bodies = bodies or {}
    number_globals(module)
    for function in module.functions:
        number_locals(function, module.types.void)
    nodes = number_metadata(module)
    texts = AttributeTexts() if texts is None else texts
    yield from _header_lines(module)
    for variable in module.globals:
        yield global_definition(variable, texts)
    for alias in module.aliases:
        yield indirect_definition(alias)
    for ifunc in module.ifuncs:
        yield indirect_definition(ifunc)
    for function in module.functions:
        yield ""
        yield function_text(function, module.types.void, texts, bodies.get(function))
    yield from added
    yield ""
    yield from texts.definitions()
    yield ""
    for named in module.named_metadata.values():
        yield _named_metadata_line(named)
    yield ""
    for node in nodes:
        yield node_definition(node)


def _header_lines(module: Module) -> Iterator[str]:
    yield f"; ModuleID = '{escape_name(module.source_filename)}'"
    yield f'source_filename = "{escape_name(module.source_filename)}"'
    if module.data_layout:
        yield f'target datalayout = "{module.data_layout}"'
    if module.target_triple:
        yield f'target triple = "{escape_name(module.target_triple)}"'
    for piece in _assembly_pieces(module.assembly):
        yield f'module asm "{escape_name(piece)}"'
    yield ""
    for struct in module.types.identified:
        yield type_definition(struct)
    yield ""
    for comdat in module.comdats.values():
        yield comdat_definition(comdat)
    yield ""


def _assembly_pieces(assembly: str) -> Iterator[str]:
    """Assembly by lines; LLVM drops an empty one, so it joins the next as `\\0A`."""
    blank = ""
    for line in assembly.removesuffix("\n").split("\n") if assembly else ():
        if not line:
            blank += "\n"
            continue
        yield blank + line
        blank = ""
    if blank:
        yield blank


def _named_metadata_line(named: NamedMetadata) -> str:
    inside = ", ".join([metadata_ref(node) for node in named.operands])
    return f"!{_metadata_name(named.name)} = !{{{inside}}}"


def _metadata_name(name: str) -> str:
    bare = quote_name(name)
    if bare == name:
        return name
    return "".join([c if c.isalnum() or c in "-$._" else f"\\{ord(c):02X}" for c in name])


def print_function(module: Module, function: Function) -> str:
    """One function for people to read; attribute groups and metadata are referred to by number
    only.
    """
    number_globals(module)
    number_locals(function, module.types.void)
    number_metadata(module)
    return function_text(function, module.types.void, AttributeTexts())
