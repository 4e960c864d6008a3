"""What the bundled LLVM knows: its opcodes, its intrinsics, and declarations that it makes itself.

llvmlite exports no C API, but its library keeps its symbol table: LLVM's own functions are found
there by name and called at their addresses.  Names of intrinsics stand in one table of strings,
the target-independent ones first; the position of a name is the intrinsic's number.

The types of an overloaded intrinsic are chosen by LLVM's description of it (`IITDescriptor` in
llvm/IR/Intrinsics.h: which types are free, and of what kind); LLVM makes the declaration.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from llvmlite import binding

from irsan.engine.linker.elf import SECTION_DTYPE, SHT_SYMTAB, SYMBOL_DTYPE

# Of IITDescriptor: the kinds that name a free type, and those that name a part of one.
_ARGUMENT, _PART_OF_VECTOR, _POINTERS = 14, 17, 19
_MATCHES: Final = 7
_CHOICES: Final[dict[int, tuple[str, ...]]] = {
    0: ("i32", "ptr", "<4 x i32>", "<4 x float>", "float", "<4 x i1>", "<4 x ptr>"),
    1: ("i32", "i64", "<4 x i32>", "i8", "<4 x i8>", "<4 x i1>"),
    2: ("float", "double", "<4 x float>"),
    3: ("<4 x i32>", "<4 x float>", "<4 x i1>", "<4 x ptr>", "<2 x i32>", "<16 x i32>",
        "<4 x double>", "<16 x float>"),
    4: ("ptr",),
}
_MOST_TRIED: Final = 400

_OPCODE_NAME: Final = "_ZN4llvm11Instruction13getOpcodeNameEj"
_DESCRIPTORS: Final = (
    "_ZN4llvm9Intrinsic28getIntrinsicInfoTableEntriesEjRNS_15SmallVectorImplINS0_13IITDescriptorEEE"
)
_EXPORTED: Final = "LLVMPY_GetOpcodeName"
_C_API: Final = (
    "LLVMContextCreate", "LLVMModuleCreateWithNameInContext", "LLVMDisposeModule",
    "LLVMContextDispose", "LLVMGetIntrinsicDeclaration", "LLVMPrintValueToString",
    "LLVMDisposeMessage", "LLVMInt1TypeInContext", "LLVMInt8TypeInContext",
    "LLVMInt32TypeInContext", "LLVMInt64TypeInContext", "LLVMFloatTypeInContext",
    "LLVMDoubleTypeInContext", "LLVMPointerTypeInContext", "LLVMVectorType",
)  # fmt: skip


def library_path() -> Path:
    """The shared library in which llvmlite has LLVM."""
    return next(Path(binding.__file__).parent.glob("libllvmlite.*"))


@functools.cache
def all_intrinsic_names() -> tuple[str, ...]:
    """LLVM's intrinsics, without suffixes; the first has number 1, those of targets come last."""
    raw = library_path().read_bytes()
    at = raw.find(b"\0not_intrinsic\0llvm.")
    if at < 0:
        return ()
    names = _strings(raw, raw.index(b"\0", at + 1) + 1)
    return tuple(itertools.takewhile(lambda name: name.startswith("llvm."), names))


@functools.cache
def intrinsic_names() -> tuple[str, ...]:
    """The target-independent ones."""
    names = itertools.takewhile(
        lambda name: not name.startswith("llvm.aarch64."), all_intrinsic_names()
    )
    return tuple(names)


def _strings(raw: bytes, at: int) -> Iterator[str]:
    while True:
        end = raw.index(b"\0", at)
        yield raw[at:end].decode()
        at = end + 1


@functools.cache
def functions() -> dict[str, Callable[..., Any]] | None:
    """LLVM's functions that are called here, None when the library has no symbols."""
    wanted = (_EXPORTED, _OPCODE_NAME, _DESCRIPTORS, *_C_API)
    offsets = _offsets(library_path().read_bytes(), wanted)
    if len(offsets) < len(wanted):
        return None
    exported = getattr(ctypes.CDLL(str(library_path())), _EXPORTED)
    base = (ctypes.cast(exported, ctypes.c_void_p).value or 0) - offsets[_EXPORTED]
    results: dict[str, Any] = {_OPCODE_NAME: ctypes.c_char_p}
    made = {}
    for name in wanted:
        function = ctypes.CFUNCTYPE(results.get(name, ctypes.c_void_p))(base + offsets[name])
        function.argtypes = None
        made[name] = function
    return made


def _offsets(raw: bytes, wanted: Sequence[str]) -> dict[str, int]:
    """Where functions lie in the library, by its symbol table."""
    header, n_sections = int.from_bytes(raw[40:48], "little"), int.from_bytes(raw[60:62], "little")
    sections = np.frombuffer(raw, SECTION_DTYPE, n_sections, header)
    found: dict[str, int] = {}
    for table in sections[sections["type"] == SHT_SYMTAB]:
        strings = sections[int(table["link"])]
        first = int(strings["offset"])
        text = raw[first : first + int(strings["size"])]
        n_symbols = int(table["size"]) // SYMBOL_DTYPE.itemsize
        rows = np.frombuffer(raw, SYMBOL_DTYPE, n_symbols, int(table["offset"]))
        for name in wanted:
            at = text.find(f"\0{name}\0".encode()) + 1
            values = rows["value"][rows["name"] == at]
            if at and len(values):
                found[name] = int(values[0])
    return found


def opcode_names() -> list[str]:
    """Names of LLVM's opcodes."""
    llvm = functions()
    assert llvm is not None
    names = [llvm[_OPCODE_NAME](number).decode() for number in range(1, 90)]
    return [name for name in names if name.isidentifier()]


class _Descriptor(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_uint32), ("info", ctypes.c_uint32), ("more", ctypes.c_uint32))


class _Descriptors(ctypes.Structure):
    """llvm::SmallVector<IITDescriptor, 64>"""

    _fields_ = (
        ("begin", ctypes.c_void_p), ("size", ctypes.c_uint32), ("capacity", ctypes.c_uint32),
        ("room", _Descriptor * 64),
    )  # fmt: skip


def _free_types(number: int) -> list[tuple[str, ...]]:
    """For each free type of an intrinsic what it may be."""
    llvm = functions()
    assert llvm is not None
    found = _Descriptors(capacity=64)
    found.begin = ctypes.addressof(found) + _Descriptors.room.offset
    llvm[_DESCRIPTORS](ctypes.c_uint(number), ctypes.byref(found))
    kinds: dict[int, tuple[str, ...]] = {}
    parts = 1
    for one in found.room[: found.size]:
        if one.kind == _ARGUMENT and one.info & 7 != _MATCHES:
            kinds[one.info >> 3] = _CHOICES[one.info & 7]
        elif one.kind == _POINTERS:
            kinds[one.info >> 16] = ("<4 x ptr>",)
        elif one.kind == _PART_OF_VECTOR:
            parts = one.info >> 16
    if parts > 1:
        kinds[0] = (f"<{4 * parts} x i32>",)
    return [kinds[index] for index in sorted(kinds)]


def declarations(name: str) -> Iterator[str]:
    """`declare` lines of an intrinsic, over the types that it is free to have."""
    llvm = functions()
    assert llvm is not None
    number = all_intrinsic_names().index(name) + 1
    choices = itertools.product(*_free_types(number))
    for chosen in itertools.islice(choices, _MOST_TRIED):
        yield _declaration(llvm, number, chosen)


def _declaration(llvm: dict[str, Callable[..., Any]], number: int, chosen: Sequence[str]) -> str:
    context = ctypes.c_void_p(llvm["LLVMContextCreate"]())
    module = ctypes.c_void_p(llvm["LLVMModuleCreateWithNameInContext"](b"", context))
    types = [_type(llvm, context, word) for word in chosen]
    array = (ctypes.c_void_p * max(1, len(types)))(*types)
    made = llvm["LLVMGetIntrinsicDeclaration"](
        module, ctypes.c_uint(number), array, ctypes.c_size_t(len(types))
    )
    text = llvm["LLVMPrintValueToString"](ctypes.c_void_p(made))
    line = ctypes.string_at(text).decode()
    llvm["LLVMDisposeMessage"](ctypes.c_void_p(text))
    llvm["LLVMDisposeModule"](module)
    llvm["LLVMContextDispose"](context)
    declared = next(part for part in line.splitlines() if part.startswith("declare "))
    return declared.partition(" #")[0]


def _type(llvm: dict[str, Callable[..., Any]], context: ctypes.c_void_p, word: str) -> int:
    if word.startswith("<"):
        count, _, element = word[1:-1].partition(" x ")
        of = ctypes.c_void_p(_type(llvm, context, element))
        return int(llvm["LLVMVectorType"](of, ctypes.c_uint(int(count))))
    if word == "ptr":
        return int(llvm["LLVMPointerTypeInContext"](context, ctypes.c_uint(0)))
    names = {"float": "Float", "double": "Double"}
    name = names.get(word, f"Int{word[1:]}")
    return int(llvm[f"LLVM{name}TypeInContext"](context))
