"""Lowering of a whole module: instrumented IR in, LLVM text of stubs, helpers, code and pools out.

The text is compiled, linked and run like an instrumented module of the JIT engine; only bodies of
functions are data now.  `naked` functions stay native: they are assembly and have no frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from irsan.engine.interp import (
    hook_runs,
    lower_calls,
    lower_control,
    lower_floats,
    lower_integers,
    lower_memory,
)
from irsan.engine.interp.code import Label, Register
from irsan.engine.interp.dispatch import DECLARATIONS, SYMBOL
from irsan.engine.interp.function_lowering import FunctionLowering, Lower
from irsan.engine.interp.registers import PoolConstant
from irsan.engine.interp.shapes import Shapes
from irsan.engine.interp.sites import tell_sites
from irsan.engine.interp.stubs import StubWriter, declared, stub_attributes
from irsan.instrument.sites.debug_stripping import DebugStripping
from irsan.instrument.sites.fault_sites import has_site_lines
from irsan.ir.constants import BlockAddress, ConstantAggregate, ConstantExpr
from irsan.ir.datalayout import DataLayout
from irsan.ir.module import Module
from irsan.ir.printing import print_module
from irsan.ir.printing.attributes import AttributeTexts
from irsan.ir.printing.numbering import number_globals, number_locals
from irsan.ir.types import Type
from irsan.ir.values import Constant, Function

_LOWERINGS: Final[Mapping[str, Lower]] = {
    **lower_integers.LOWERINGS, **lower_floats.LOWERINGS, **lower_memory.LOWERINGS,
    **lower_control.LOWERINGS, **lower_calls.LOWERINGS,
}  # fmt: skip
_NEAR_WORDS: Final = (1 << 15) - 1


class CodeAddress(Constant):
    """The address of a block, as a place in its function's code; printed when that is known."""

    __slots__ = ("label", "symbol", "type")

    def __init__(self, pointer: Type, symbol: str, label: Label) -> None:
        self.type = pointer
        self.symbol = symbol
        self.label = label

    @property
    def ref(self) -> str:
        return f"getelementptr (i8, ptr @{self.symbol}, i64 {8 * self.label.position})"


@dataclass(slots=True)
class ModuleLowering:
    """The state of one module's lowering."""

    module: Module
    layout: DataLayout
    texts: AttributeTexts = field(default_factory=AttributeTexts)
    shapes: Shapes = field(init=False)
    has_lines: bool = field(init=False)
    lowered: dict[Function, FunctionLowering] = field(default_factory=dict)
    codes: dict[Function, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shapes = Shapes(self.texts)
        self.has_lines = not has_site_lines(self.module)

    def text(self) -> str:
        """The module as LLVM text."""
        tell_sites(self.module)
        number_globals(self.module)
        self._declare()
        for function in self._wanted():
            number_locals(function, self.module.types.void)  # constants speak of blocks
            self.codes[function] = f"irsan.code.{len(self.codes)}"
        for function in self.codes:
            self.lowered[function] = self._lower(function)
        for variable in self.module.globals:
            if variable.initializer is not None:
                variable.initializer = self._resolved(variable.initializer)
        bodies, added = {}, [DECLARATIONS]
        for function, lowering in self.lowered.items():
            bodies[function], data = self._written(function, lowering)
            added += data
        for function in self.codes:
            _empty(function)
        DebugStripping().apply(self.module)
        return print_module(
            self.module, bodies, [*added, *self.shapes.definitions()], self.texts
        )

    def _wanted(self) -> list[Function]:
        """The functions to interpret; those that only serve inlining are declarations now."""
        for function in self.module.functions:
            if function.linkage == "available_externally" and not function.is_declaration:
                declared(function)
        return [function for function in self.module.functions if _is_interpreted(function)]

    def _declare(self) -> None:
        types = self.module.types
        word, pointer = types.integer(64), types.ptr()
        self.module.declare_function(SYMBOL, types.function(word, [pointer, pointer]))
        copy = types.function(types.void, [pointer, pointer, word, types.integer(1)])
        signatures = {
            "llvm.eh.typeid.for.p0": types.function(types.integer(32), [pointer]),
            "_Unwind_Resume": types.function(types.void, [pointer]),
            "llvm.trap": types.function(types.void, []),
            "llvm.memcpy.p0.p0.i64": copy,
            "llvm.memcpy.inline.p0.p0.i64": copy,
        }
        for name, signature in signatures.items():
            self.module.declare_function(name, signature)

    def _lower(self, function: Function) -> FunctionLowering:
        self.shapes.enter(function.attributes)
        for has_far_jumps in (False, True):
            made = FunctionLowering(
                function, self.layout, self.shapes, _LOWERINGS, has_far_jumps,
                self.has_lines,
            )
            lower_control.find_fused(made)
            lower_memory.find_folded(made)
            hook_runs.find_runs(made)
            made.run()
            if made.code.n_words <= _NEAR_WORDS:
                break
        return made

    def _written(self, function: Function, lowering: FunctionLowering) -> tuple[str, list[str]]:
        """A stub's body, and the definitions of its code and its pool."""
        code = self.codes[function]
        pool = code.replace("code", "pool", 1)
        frame = lowering.registers.frame(function.name)
        frame.check_size()
        words = lowering.code.encode(frame)
        listed = ", ".join([f"i64 {_signed(word)}" for word in words])
        constants = [self._pooled(one) for one in lowering.registers.constants]
        constants += [("ptr", f"ptr @{name}") for name in lowering.helpers]
        kinds = ", ".join([kind for kind, _ in constants])
        values = ", ".join([value for _, value in constants])
        data = [
            f"@{code} = private unnamed_addr constant [{len(words)} x i64] [{listed}], align 8",
            f"@{pool} = private unnamed_addr constant <{{ {kinds} }}> <{{ {values} }}>, align 8",
        ]
        computed = [
            (Register(index, is_constant=True), self._resolved(one.value))
            for index, one in enumerate(lowering.registers.constants)
            if one.value is not None and one.is_computed
        ]
        return StubWriter(lowering, frame, self.texts, code, pool, computed).body(), data

    def _pooled(self, constant: PoolConstant) -> tuple[str, str]:
        """A constant's type and value in the pool, whole slots long."""
        if constant.value is None:
            return "i64", f"i64 {_signed(constant.number)}"
        if constant.is_computed:
            return f"[{constant.n_slots} x i64]", f"[{constant.n_slots} x i64] zeroinitializer"
        value = self._resolved(constant.value)
        kind = value.type.text
        padding = 8 * constant.n_slots - self.layout.alloc_size(value.type)
        if not padding:
            return kind, f"{kind} {value.ref}"
        zeros = f"[{padding} x i8]"
        return f"{kind}, {zeros}", f"{kind} {value.ref}, {zeros} zeroinitializer"

    def _resolved(self, value: Constant) -> Constant:
        """A constant in which addresses of blocks are places in code."""
        if isinstance(value, BlockAddress):
            if value.function not in self.lowered:
                return value
            lowering = self.lowered[value.function]
            label = lowering.edges.arrival(value.block)
            if label.position < 0:  # nothing jumps to it, but blocks may be distinguished
                label = lowering.label(value.block)
            return CodeAddress(value.type, self.codes[value.function], label)
        if isinstance(value, ConstantAggregate):
            elements = [self._resolved(one) for one in value.elements]
            if any(new is not old for new, old in zip(elements, value.elements, strict=True)):
                return ConstantAggregate(value.type, elements)
        if isinstance(value, ConstantExpr):
            operands = [self._resolved(one) for one in value.operands]
            if any(new is not old for new, old in zip(operands, value.operands, strict=True)):
                value.operands = operands
        return value


def _is_interpreted(function: Function) -> bool:
    return not function.is_declaration and not function.attributes.has_function("naked")


def _empty(function: Function) -> None:
    """Nothing but what the header says is left of a function."""
    function.blocks = function.blocks[:1]
    function.blocks[0].instructions = []
    # What calls through pointers compare: its type's hash stands in front of the code.
    function.metadata = tuple([one for one in function.metadata if one[0] == "func_sanitize"])
    function.attributes = stub_attributes(function.attributes)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def lower_module(module: Module) -> str:
    """LLVM text of a module whose functions run on the virtual machine.

    Raises UnsupportedError (status 69) naming function, line and construct.
    """
    return ModuleLowering(module, DataLayout.of(module.data_layout)).text()


