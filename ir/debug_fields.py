"""One table of the specialised metadata nodes, read by the bitcode reader and by the printer.

Each line is a node kind: its record code and its fields in record order, each `name:kind`, as they
stand in the record after the leading flag word.

    ref      metadata or null         bound    a constant printed as its number, or metadata
    str      string or null           -        an unused slot
    int sint bool                     numbers
    tag flags spflags lang lname encoding emission nametable checksum cc macinfo enumkind
                                      numbers with names

`!` after a kind: printed even when empty (LLVM's parser requires the field). `~`: printed when
false (default true).

Records that do not fit the scheme have functions of their own in `irsan.ir.bitcode.debug_nodes`:
DIEnumerator, DIExpression, DIFixedPointType, GenericDINode, DILocation; extra flag bits are listed
in FLAG_BITS.

Source: the LLVM Language Reference, "Specialized Metadata Nodes"; record layouts observed with
llvm-bcanalyzer.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a node: `always` prints it even when empty, `default` is what the parser
    assumes.
    """

    name: str
    kind: str
    always: bool = False
    default: object = None


@dataclass(frozen=True, slots=True)
class NodeLayout:
    """A node kind: record code, fields in record order, named bits of the flag word."""

    kind: str
    code: int
    fields: tuple[Field, ...]
    flag_bits: tuple[tuple[int, Field], ...] = ()


_LAYOUTS = """
DISubrange 13 count:bound lowerBound:bound upperBound:bound stride:bound
DIBasicType 15 tag:tag! name:str size:bound align:int encoding:encoding flags:flags num_extra_inhabitants:int dataSize:int
DIFile 16 filename:str! directory:str! checksumkind:checksum checksum:str source:str
DIDerivedType 17 tag:tag! name:str file:ref line:int scope:ref baseType:ref! size:bound align:int offset:bound flags:flags extraData:ref dwarfAddressSpace:plus1 annotations:ref ptrauth:ptrauth
DICompositeType 18 tag:tag! name:str file:ref line:int scope:ref baseType:ref size:bound align:int offset:bound flags:flags elements:ref runtimeLang:lang vtableHolder:ref templateParams:ref identifier:str discriminator:ref dataLocation:ref associated:ref allocated:ref rank:bound annotations:ref num_extra_inhabitants:int specification:ref enumKind:enumkind bitStride:ref
DISubroutineType 19 flags:flags types:ref! cc:cc
DICompileUnit 20 language:lang file:ref! producer:str isOptimized:bool! flags:str runtimeVersion:int! splitDebugFilename:str emissionKind:emission! enums:ref retainedTypes:ref -:- globals:ref imports:ref dwoId:int macros:ref splitDebugInlining:bool~ debugInfoForProfiling:bool nameTableKind:nametable rangesBaseAddress:bool sysroot:str sdk:str sourceLanguageVersion:int sourceLanguageName:lname
DISubprogram 21 scope:ref name:str linkageName:str file:ref line:int type:ref scopeLine:int containingType:ref spFlags:spflags! virtualIndex:int flags:flags unit:ref templateParams:ref declaration:ref retainedNodes:ref thisAdjustment:sint thrownTypes:ref annotations:ref targetFuncName:str keyInstructions:bool
DILexicalBlock 22 scope:ref! file:ref line:int column:int
DILexicalBlockFile 23 scope:ref! file:ref discriminator:int!
DINamespace 24 scope:ref! name:str
DITemplateTypeParameter 25 name:str type:ref! defaulted:bool
DITemplateValueParameter 26 tag:tag name:str type:ref defaulted:bool value:ref!
DIGlobalVariable 27 scope:ref name:str linkageName:str file:ref line:int type:ref isLocal:bool! isDefinition:bool! declaration:ref templateParams:ref align:int annotations:ref
DILocalVariable 28 scope:ref! name:str file:ref line:int type:ref arg:int flags:flags align:int annotations:ref
DIObjCProperty 30 name:str file:ref line:int setter:str getter:str attributes:int type:ref
DIImportedEntity 31 tag:tag! scope:ref! entity:ref line:int name:str file:ref elements:ref
DIModule 32 file:ref scope:ref! name:str! configMacros:str includePath:str apinotes:str line:int isDecl:bool
DIMacro 33 type:macinfo! line:int name:str! value:str
DIMacroFile 34 type:macinfo! line:int file:ref! nodes:ref
DIGlobalVariableExpression 37 var:ref! expr:ref!
DILabel 40 scope:ref! name:str! file:ref! line:int! column:int coroSuspendIdx:suspend
DIStringType 41 tag:tag name:str stringLength:ref stringLengthExpression:ref stringLocationExpression:ref size:bound align:int encoding:encoding
DICommonBlock 44 scope:ref! declaration:ref name:str file:ref line:int
DIGenericSubrange 45 count:bound lowerBound:bound upperBound:bound stride:bound
DIAssignID 47
DISubrangeType 48 name:str file:ref line:int scope:ref size:bound align:int flags:flags baseType:ref lowerBound:bound upperBound:bound stride:bound bias:bound
"""  # noqa: E501

FLAG_BITS: dict[str, tuple[tuple[int, Field], ...]] = {
    "DINamespace": ((1, Field("exportSymbols", "bool")),),
    "DILabel": ((1, Field("isArtificial", "bool")),),
}
"""Fields that live in a bit of the leading flag word, where bit 0 is `distinct`."""

OPTIONAL_TAIL = {"DIFile": 1, "DICompileUnit": 1}
"""Trailing fields a record may lack; sourceLanguageName has no operand, it is a bit of language."""


def _field(text: str) -> Field:
    name, _, kind = text.partition(":")
    if kind.endswith("~"):
        return Field(name, kind[:-1], default=True)
    return Field(name, kind.rstrip("!"), always=kind.endswith("!"))


def _layout(line: str) -> NodeLayout:
    kind, code, *fields = line.split()
    parsed = tuple(_field(field) for field in fields)
    return NodeLayout(kind, int(code), parsed, FLAG_BITS.get(kind, ()))


LAYOUTS: dict[str, NodeLayout] = {
    layout.kind: layout for layout in map(_layout, _LAYOUTS.strip().splitlines())
}
LAYOUT_BY_CODE: dict[int, NodeLayout] = {layout.code: layout for layout in LAYOUTS.values()}
