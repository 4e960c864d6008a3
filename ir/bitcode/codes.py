"""Numbers of LLVM bitcode: block ids and record codes, as LLVM 22 writes them.

Source: the LLVM bitcode file format; observed with llvm-bcanalyzer.
"""

from __future__ import annotations

# Blocks.
MODULE = 8
PARAMATTR = 9
PARAMATTR_GROUP = 10
CONSTANTS = 11
FUNCTION = 12
IDENTIFICATION = 13
VALUE_SYMTAB = 14
METADATA = 15
METADATA_ATTACHMENT = 16
TYPE_NEW = 17
USELIST = 18
OPERAND_BUNDLE_TAGS = 21
METADATA_KIND = 22
STRTAB = 23
SYNC_SCOPE_NAMES = 26

# Module records.
MODULE_VERSION = 1
MODULE_TRIPLE = 2
MODULE_DATALAYOUT = 3
MODULE_ASM = 4
MODULE_SECTIONNAME = 5
MODULE_GLOBALVAR = 7
MODULE_FUNCTION = 8
MODULE_GCNAME = 11
MODULE_COMDAT = 12
MODULE_VSTOFFSET = 13
MODULE_ALIAS = 14
MODULE_SOURCE_FILENAME = 16
MODULE_HASH = 17
MODULE_IFUNC = 18

# Type records.
TYPE_NUMENTRY = 1
TYPE_OPAQUE = 6
TYPE_INTEGER = 7
TYPE_ARRAY = 11
TYPE_VECTOR = 12
TYPE_STRUCT_ANON = 18
TYPE_STRUCT_NAME = 19
TYPE_STRUCT_NAMED = 20
TYPE_FUNCTION = 21
TYPE_OPAQUE_POINTER = 25
TYPE_TARGET = 26

# Constant records.
CST_SETTYPE = 1
CST_NULL = 2
CST_UNDEF = 3
CST_INTEGER = 4
CST_WIDE_INTEGER = 5
CST_FLOAT = 6
CST_AGGREGATE = 7
CST_STRING = 8
CST_CSTRING = 9
CST_CE_BINOP = 10
CST_CE_CAST = 11
CST_CE_EXTRACTELT = 14
CST_CE_INSERTELT = 15
CST_CE_SHUFFLEVEC = 16
CST_CE_SHUFVEC_EX = 19
CST_BLOCKADDRESS = 21
CST_DATA = 22
CST_POISON = 26
CST_DSO_LOCAL_EQUIVALENT = 27
CST_NO_CFI = 29
CST_INLINEASM = 30
CST_CE_GEP_WITH_INRANGE = 31
CST_CE_GEP = 32
CST_PTRAUTH = 33
CST_PTRAUTH2 = 34

# Metadata records.
MD_VALUE = 2
MD_NODE = 3
MD_NAME = 4
MD_DISTINCT_NODE = 5
MD_KIND = 6
MD_LOCATION = 7
MD_NAMED_NODE = 10
MD_GENERIC_DEBUG = 12
MD_ENUMERATOR = 14
MD_EXPRESSION = 29
MD_STRINGS = 35
MD_GLOBAL_DECL_ATTACHMENT = 36
MD_INDEX_OFFSET = 38
MD_INDEX = 39
MD_ARG_LIST = 46
MD_FIXED_POINT_TYPE = 49

# Function records.
FUNC_DECLAREBLOCKS = 1
FUNC_DEBUG_LOC_AGAIN = 33
FUNC_DEBUG_LOC = 35
FUNC_OPERAND_BUNDLE = 55
FUNC_BLOCKADDR_USERS = 60
FUNC_DEBUG_RECORD_VALUE = 61
FUNC_DEBUG_RECORD_DECLARE = 62
FUNC_DEBUG_RECORD_ASSIGN = 63
FUNC_DEBUG_RECORD_VALUE_SIMPLE = 64
FUNC_DEBUG_RECORD_LABEL = 65
FUNC_DEBUG_RECORD_DECLARE_VALUE = 66

LINKAGES: dict[int, str] = {
    0: "external", 2: "appending", 3: "internal", 5: "external", 6: "external", 7: "extern_weak",
    8: "common", 9: "private", 12: "available_externally", 13: "private", 14: "private",
    15: "external", 16: "weak", 17: "weak_odr", 18: "linkonce", 19: "linkonce_odr",
}  # fmt: skip
VISIBILITIES = ("", "hidden", "protected")
DLL_STORAGE = ("", "dllimport", "dllexport")
UNNAMED_ADDR = ("", "unnamed_addr", "local_unnamed_addr")
THREAD_LOCAL = ("", "generaldynamic", "localdynamic", "initialexec", "localexec")
COMDAT_KINDS = ("", "any", "exactmatch", "largest", "nodeduplicate", "samesize")
CODE_MODELS = ("", "tiny", "small", "kernel", "medium", "large")
SANITIZER_FLAGS = (
    "no_sanitize_address",
    "no_sanitize_hwaddress",
    "sanitize_memtag",
    "sanitize_address_dyninit",
)
ORDERINGS: tuple[str | None, ...] = (
    None, "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst",
)  # fmt: skip


def signed_vbr(raw: int) -> int:
    """A signed number as records hold it: the sign is the lowest bit, and 1 alone is -2**63."""
    if raw & 1:
        return -(raw >> 1) if raw != 1 else -(1 << 63)
    return raw >> 1


def alignment_bytes(encoded: int) -> int:
    """log2 + 1, with 0 for "none", as bytes; ValueError when absurd."""
    if encoded == 0:
        return 0
    if encoded > 33:
        raise ValueError(f"alignment of 2**{encoded - 1} bytes")
    return 1 << (encoded - 1)


def characters(operands: list[int]) -> bytes:
    """A string given one character per operand; ValueError when one is no byte."""
    return bytes(operands)
