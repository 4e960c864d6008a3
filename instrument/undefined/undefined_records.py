"""The records that handlers of undefined behaviour read, as globals of the module.

    place   { ptr file, i32 line, i32 column }     of the instruction's debug location
    type    { i16 kind, i16 info, [n x i8] name }  LLVM's own name in quotes: 'i32'
    record  { place, fields... }, writable: the handler notes there that the place was reported

The layout is clang's, so that the output links with the native run-time as well. Integers whose
width is no power of two are described as a `_BitInt`.

Source: compiler-rt's ubsan_value.h.
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.sites.source_frames import function_to_frames, location_to_frames
from irsan.ir.constants import ConstantAggregate, ConstantBytes, ConstantInt, ConstantNull
from irsan.ir.instruction import Instruction
from irsan.ir.metadata import DILocation
from irsan.ir.module import Module
from irsan.ir.types import IntegerType, PrimitiveType, Type
from irsan.ir.values import Constant, Function, GlobalVariable

_INTEGER, _FLOAT, _BIT_INTEGER, _UNKNOWN = 0, 1, 2, 0xFFFF
_NAME = "__irsan_undefined"  # so that it gets no redzone


class UndefinedRecords:
    """Makes the records of one module; files and types are made once."""

    __slots__ = ("_files", "_module", "_types", "sizes")

    def __init__(self, module: Module) -> None:
        self._module = module
        self.sizes = TypeSizes(module)
        self._files: dict[str, Constant] = {}
        self._types: dict[tuple[str, bool, str], Constant] = {}

    def record(
        self, function: Function, instruction: Instruction | None, fields: Sequence[Constant]
    ) -> GlobalVariable:
        """A new record of an instruction of `function`; of a declaration when that is None."""
        return self._add(self.struct([self.place(function, instruction), *fields]), False)

    def place(self, function: Function, instruction: Instruction | None) -> Constant:
        """The place of an instruction; without one, a place that is not known."""
        file, line, column = "", 0, 0
        if instruction is not None:
            location = instruction.debug_location
            frames = function_to_frames(function)
            if isinstance(location, DILocation):
                frames = location_to_frames(location, function)
            _, file, line, column = frames[0]
        known = self._file(file) if file and line else ConstantNull(self._module.types.ptr_default)
        return self.struct([known, self.integer(32, line), self.integer(32, column)])

    def unknown_place(self) -> Constant:
        """A place that is not known: a declaration's."""
        pointer = self._module.types.ptr_default
        return self.struct([ConstantNull(pointer), self.integer(32, 0), self.integer(32, 0)])

    def new_place(self, function: Function, instruction: Instruction) -> GlobalVariable:
        """The place of an instruction as a record of its own."""
        return self._add(self.place(function, instruction), False)

    def type_of(self, value_type: Type, *, is_signed: bool = False, name: str = "") -> Constant:
        """The description of a type; `name` in place of LLVM's own."""
        key = (value_type.text, is_signed, name)
        found = self._types.get(key)
        if found is None:
            found = self._types[key] = self._describe(value_type, is_signed, name)
        return found

    def integer(self, width: int, value: int) -> ConstantInt:
        """The constant `iWIDTH value`."""
        return ConstantInt(self._module.types.integer(width), value)

    def struct(self, elements: Sequence[Constant]) -> Constant:
        """A constant structure."""
        types = self._module.types
        return ConstantAggregate(types.struct([each.type for each in elements]), list(elements))

    def _describe(self, value_type: Type, is_signed: bool, name: str) -> Constant:
        kind, info, raw = _UNKNOWN, 0, f"'{name or value_type.text}'\0".encode()
        if isinstance(value_type, IntegerType):
            width = value_type.width
            is_whole = width >= 8 and width & (width - 1) == 0
            kind = _INTEGER if is_whole else _BIT_INTEGER
            info = (max(width, 8) - 1).bit_length() << 1 | is_signed
            raw += b"" if is_whole else width.to_bytes(4, "little")
        elif isinstance(value_type, PrimitiveType) and value_type.is_float:
            kind, info = _FLOAT, value_type.float_bits
        text = ConstantBytes(self._array(len(raw)), raw)
        return self._add(self.struct([self.integer(16, kind), self.integer(16, info), text]), True)

    def _file(self, name: str) -> Constant:
        found = self._files.get(name)
        if found is None:
            raw = name.encode("utf-8", "surrogateescape") + b"\0"
            found = self._add(ConstantBytes(self._array(len(raw)), raw), True)
            self._files[name] = found
        return found

    def _array(self, length: int) -> Type:
        types = self._module.types
        return types.array(types.i8, length)

    def _add(self, value: Constant, is_constant: bool) -> GlobalVariable:
        made = self._module.add_global(value.type, _NAME, value, "private", is_constant)
        made.sanitizer = ("no_sanitize_address",)
        return made
