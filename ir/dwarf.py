"""Names of the DWARF and LLVM debug-info constants that appear in metadata text.

Only for the spelling: a number without a name here is printed as a number, which LLVM reads as
well.

Source: the DWARF 5 standard, section 7; the LLVM Language Reference, "Specialized Metadata Nodes".
"""

from __future__ import annotations

TAGS: dict[int, str] = {
    0x01: "array_type", 0x02: "class_type", 0x03: "entry_point", 0x04: "enumeration_type",
    0x05: "formal_parameter", 0x08: "imported_declaration", 0x0A: "label", 0x0B: "lexical_block",
    0x0D: "member", 0x0F: "pointer_type", 0x10: "reference_type", 0x11: "compile_unit",
    0x12: "string_type", 0x13: "structure_type", 0x15: "subroutine_type", 0x16: "typedef",
    0x17: "union_type", 0x18: "unspecified_parameters", 0x19: "variant", 0x1A: "common_block",
    0x1B: "common_inclusion", 0x1C: "inheritance", 0x1D: "inlined_subroutine", 0x1E: "module",
    0x1F: "ptr_to_member_type", 0x20: "set_type", 0x21: "subrange_type", 0x22: "with_stmt",
    0x23: "access_declaration", 0x24: "base_type", 0x25: "catch_block", 0x26: "const_type",
    0x27: "constant", 0x28: "enumerator", 0x29: "file_type", 0x2A: "friend", 0x2B: "namelist",
    0x2C: "namelist_item", 0x2D: "packed_type", 0x2E: "subprogram",
    0x2F: "template_type_parameter", 0x30: "template_value_parameter", 0x31: "thrown_type",
    0x32: "try_block", 0x33: "variant_part", 0x34: "variable", 0x35: "volatile_type",
    0x36: "dwarf_procedure", 0x37: "restrict_type", 0x38: "interface_type", 0x39: "namespace",
    0x3A: "imported_module", 0x3B: "unspecified_type", 0x3C: "partial_unit",
    0x3D: "imported_unit", 0x3F: "condition", 0x40: "shared_type", 0x41: "type_unit",
    0x42: "rvalue_reference_type", 0x43: "template_alias", 0x44: "coarray_type",
    0x45: "generic_subrange", 0x46: "dynamic_type", 0x47: "atomic_type", 0x48: "call_site",
    0x49: "call_site_parameter", 0x4A: "skeleton_unit", 0x4B: "immutable_type",
    0x4106: "GNU_template_template_param", 0x4107: "GNU_template_parameter_pack",
    0x4108: "GNU_formal_parameter_pack", 0x4200: "APPLE_property",
}  # fmt: skip

LANGUAGES: dict[int, str] = {
    0x01: "C89", 0x02: "C", 0x03: "Ada83", 0x04: "C_plus_plus", 0x05: "Cobol74", 0x06: "Cobol85",
    0x07: "Fortran77", 0x08: "Fortran90", 0x09: "Pascal83", 0x0A: "Modula2", 0x0B: "Java",
    0x0C: "C99", 0x0D: "Ada95", 0x0E: "Fortran95", 0x0F: "PLI", 0x10: "ObjC",
    0x11: "ObjC_plus_plus", 0x12: "UPC", 0x13: "D", 0x14: "Python", 0x15: "OpenCL", 0x16: "Go",
    0x17: "Modula3", 0x18: "Haskell", 0x19: "C_plus_plus_03", 0x1A: "C_plus_plus_11",
    0x1B: "OCaml", 0x1C: "Rust", 0x1D: "C11", 0x1E: "Swift", 0x1F: "Julia", 0x20: "Dylan",
    0x21: "C_plus_plus_14", 0x22: "Fortran03", 0x23: "Fortran08", 0x24: "RenderScript",
    0x25: "BLISS", 0x26: "Kotlin", 0x27: "Zig", 0x28: "Crystal", 0x2A: "C_plus_plus_17",
    0x2B: "C_plus_plus_20", 0x2C: "C17", 0x2D: "Fortran18", 0x2E: "Ada2005", 0x2F: "Ada2012",
}  # fmt: skip

LANGUAGE_NAMES: dict[int, str] = dict(
    enumerate(
        (
            "Ada", "BLISS", "C", "C_plus_plus", "Cobol", "Crystal", "D", "Dylan", "Fortran", "Go",
            "Haskell", "Java", "Julia", "Kotlin", "Modula2", "Modula3", "ObjC", "ObjC_plus_plus",
            "OCaml", "OpenCL_C", "Pascal", "PLI", "Python", "RenderScript", "Rust", "Swift", "UPC",
            "Zig",
        ),
        start=1,
    )
)  # fmt: skip
"""DWARF 6 language names, whose version is a number of its own."""

ENCODINGS: dict[int, str] = {
    0x01: "address", 0x02: "boolean", 0x03: "complex_float", 0x04: "float", 0x05: "signed",
    0x06: "signed_char", 0x07: "unsigned", 0x08: "unsigned_char", 0x09: "imaginary_float",
    0x0A: "packed_decimal", 0x0B: "numeric_string", 0x0C: "edited", 0x0D: "signed_fixed",
    0x0E: "unsigned_fixed", 0x0F: "decimal_float", 0x10: "UTF", 0x11: "UCS", 0x12: "ASCII",
}  # fmt: skip

CALLING_CONVENTIONS: dict[int, str] = {
    0x01: "normal", 0x02: "program", 0x03: "nocall", 0x04: "pass_by_reference",
    0x05: "pass_by_value",
}  # fmt: skip

MACRO_KINDS: dict[int, str] = {
    1: "define", 2: "undef", 3: "start_file", 4: "end_file", 255: "vendor_ext",
}  # fmt: skip

EMISSION_KINDS = ("NoDebug", "FullDebug", "LineTablesOnly", "DebugDirectivesOnly")
NAME_TABLE_KINDS = ("Default", "GNU", "None", "Apple")
CHECKSUM_KINDS = ("", "CSK_MD5", "CSK_SHA1", "CSK_SHA256")
FIXED_POINT_KINDS = ("Binary", "Decimal", "Rational")
ENUM_KINDS: dict[int, str] = {0: "Closed", 1: "Open"}

OPERATIONS: dict[int, tuple[str, int]] = {
    0x03: ("addr", 1), 0x06: ("deref", 0), 0x08: ("const1u", 1), 0x09: ("const1s", 1),
    0x0A: ("const2u", 1), 0x0B: ("const2s", 1), 0x0C: ("const4u", 1), 0x0D: ("const4s", 1),
    0x0E: ("const8u", 1), 0x0F: ("const8s", 1), 0x10: ("constu", 1), 0x11: ("consts", 1),
    0x12: ("dup", 0), 0x13: ("drop", 0), 0x14: ("over", 0), 0x15: ("pick", 1), 0x16: ("swap", 0),
    0x17: ("rot", 0), 0x18: ("xderef", 0), 0x19: ("abs", 0), 0x1A: ("and", 0), 0x1B: ("div", 0),
    0x1C: ("minus", 0), 0x1D: ("mod", 0), 0x1E: ("mul", 0), 0x1F: ("neg", 0), 0x20: ("not", 0),
    0x21: ("or", 0), 0x22: ("plus", 0), 0x23: ("plus_uconst", 1), 0x24: ("shl", 0),
    0x25: ("shr", 0), 0x26: ("shra", 0), 0x27: ("xor", 0), 0x28: ("bra", 1), 0x29: ("eq", 0),
    0x2A: ("ge", 0), 0x2B: ("gt", 0), 0x2C: ("le", 0), 0x2D: ("lt", 0), 0x2E: ("ne", 0),
    0x2F: ("skip", 1), 0x90: ("regx", 1), 0x92: ("bregx", 2), 0x94: ("deref_size", 1),
    0x97: ("push_object_address", 0), 0x9F: ("stack_value", 0),
    0x1000: ("LLVM_fragment", 2), 0x1001: ("LLVM_convert", 2), 0x1002: ("LLVM_tag_offset", 1),
    0x1003: ("LLVM_entry_value", 1), 0x1004: ("LLVM_implicit_pointer", 0),
    0x1005: ("LLVM_arg", 1), 0x1006: ("LLVM_extract_bits_sext", 2),
    0x1007: ("LLVM_extract_bits_zext", 2),
}  # fmt: skip
"""Operation code -> name and number of operands in a DIExpression."""

FLAGS: tuple[tuple[int, int, str], ...] = (
    (3, 1, "Private"), (3, 2, "Protected"), (3, 3, "Public"),
    (3 << 16, 1 << 16, "SingleInheritance"), (3 << 16, 2 << 16, "MultipleInheritance"),
    (3 << 16, 3 << 16, "VirtualInheritance"),
    *((1 << bit, 1 << bit, name) for bit, name in (
        (2, "FwdDecl"), (3, "AppleBlock"), (4, "ReservedBit4"), (5, "Virtual"),
        (6, "Artificial"), (7, "Explicit"), (8, "Prototyped"), (9, "ObjcClassComplete"),
        (10, "ObjectPointer"), (11, "Vector"), (12, "StaticMember"), (13, "LValueReference"),
        (14, "RValueReference"), (15, "ExportSymbols"), (18, "IntroducedVirtual"),
        (19, "BitField"), (20, "NoReturn"), (22, "TypePassByValue"),
        (23, "TypePassByReference"), (24, "EnumClass"), (25, "Thunk"), (26, "NonTrivial"),
        (27, "BigEndian"), (28, "LittleEndian"), (29, "AllCallsDescribed"),
    )),
)  # fmt: skip
"""(mask, value, name without "DIFlag") of the debug-info flags."""

SUBPROGRAM_FLAGS: tuple[tuple[int, int, str], ...] = (
    (3, 1, "Virtual"), (3, 2, "PureVirtual"),
    *((1 << bit, 1 << bit, name) for bit, name in (
        (2, "LocalToUnit"), (3, "Definition"), (4, "Optimized"), (5, "Pure"), (6, "Elemental"),
        (7, "Recursive"), (8, "MainSubprogram"), (9, "Deleted"), (11, "ObjCDirect"),
    )),
)  # fmt: skip
"""(mask, value, name without "DISPFlag") of the subprogram flags."""


def flags_text(value: int, table: tuple[tuple[int, int, str], ...], prefix: str) -> str:
    """`DIFlagA | DIFlagB`; bits without a name are added as one number."""
    words, rest = [], value
    for mask, wanted, name in table:
        if value & mask == wanted:
            words.append(prefix + name)
            rest &= ~mask
    if rest:
        words.append(str(rest))
    return " | ".join(words) if words else "0"
