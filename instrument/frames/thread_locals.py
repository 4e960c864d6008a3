"""Thread-local variables as offsets in a block that the engine gives each guest thread.

    @x = thread_local global i32 7              @x = global i32 7, section "irsan_tls"
    load i32, ptr @x                            %block = call ptr @__irsan_tls_block()
                                                %offset = sub @x, @__start_irsan_tls
                                                load i32, ptr (gep i8, %block, %offset)

All variables of a program meet in one section: its contents, relocated by the linker, are the
initial image of every thread's block, and `__start_irsan_tls` is where it begins. So variables of
several modules, inline variables and initialisers with addresses in them need nothing special.
`__irsan_tls_block` returns where the current thread's copy of the section begins.

A declaration may belong to another module of the program or to a native library: code compares
its address with the bounds of the section, and uses it as it is when it lies outside (one OS
thread runs all guest threads).

Soundness: all guest threads are on one OS thread, so a real thread-local would be shared by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from irsan.instrument.hook_calls import HookCalls
from irsan.ir.builder import Builder
from irsan.ir.calls import Call
from irsan.ir.constants import (
    ConstantAggregate,
    ConstantExpr,
    ConstantInt,
    ConstantSplat,
    Poison,
)
from irsan.ir.instruction import Instruction
from irsan.ir.memory import GetElementPtr
from irsan.ir.module import Module
from irsan.ir.operations import BinaryOp, Cast, ExtractElement, InsertElement, InsertValue
from irsan.ir.phi import Phi
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.types import VectorType
from irsan.ir.values import (
    BasicBlock,
    Constant,
    Function,
    GlobalValue,
    GlobalVariable,
    Value,
)

SECTION = "irsan_tls"
_START, _STOP = f"__start_{SECTION}", f"__stop_{SECTION}"
_ADDRESS_INTRINSIC = "llvm.threadlocal.address"


@dataclass(frozen=True, slots=True)
class ThreadLocals:
    """Lowers every thread-local variable of a module and every use of one."""

    def apply(self, module: Module) -> None:
        """Change uses first, while `thread_local` still distinguishes the variables."""
        lowered = _thread_local_symbols(module)
        if not lowered:
            return
        for function in module.functions[:]:
            if function.blocks:
                _FunctionLowering(module, function).run()
        for symbol in lowered:
            _make_plain(symbol)


def _thread_local_symbols(module: Module) -> list[GlobalValue]:
    symbols: Iterable[GlobalValue] = (*module.globals, *module.aliases)
    return [symbol for symbol in symbols if symbol.thread_local]


def _make_plain(symbol: GlobalValue) -> None:
    symbol.thread_local = ""
    if not isinstance(symbol, GlobalVariable) or _is_elsewhere(symbol):
        return
    symbol.section = SECTION
    symbol.is_constant = False  # all in one writable section
    if symbol.linkage == "common":
        symbol.linkage = "weak"  # common symbols have no section


def _is_elsewhere(symbol: GlobalValue) -> bool:
    """Whether this module does not decide where the variable lies."""
    return symbol.is_declaration or symbol.linkage == "available_externally"


class _FunctionLowering:
    """Rewrites one function; `_addresses` keeps one address per block and constant."""

    __slots__ = ("_addresses", "_function", "_hooks", "_mentions", "_module", "_replaced")

    def __init__(self, module: Module, function: Function) -> None:
        self._module, self._function = module, function
        self._hooks = HookCalls(module)
        self._addresses: dict[tuple[BasicBlock, str], Value] = {}
        self._mentions: dict[Constant, bool] = {}
        self._replaced: dict[Value, Value] = {}

    def run(self) -> None:
        for block in self._function.blocks:
            self._lower_block(block)
        for block in self._function.blocks:
            for phi in block.phis():
                self._lower_phi(phi)
        if self._replaced:
            replace_all_uses(self._function, self._replaced)

    def _lower_block(self, block: BasicBlock) -> None:
        if not any(self._uses(i) for i in block.instructions if i.opcode != "phi"):
            return
        out: list[Instruction] = []
        for instruction in block.instructions:
            if instruction.opcode == "phi" or not self._uses(instruction):
                out.append(instruction)
                continue
            self._lower_operands(block, instruction, out)
            if not self._is_address_of(instruction):
                out.append(instruction)
        block.instructions = out

    def _lower_operands(
        self, block: BasicBlock, instruction: Instruction, out: list[Instruction]
    ) -> None:
        at = Builder(self._module, out, instruction.debug_location)
        for index, operand in enumerate(instruction.operands):
            if isinstance(operand, Constant) and self._mentions_one(operand):
                instruction.operands[index] = self._address(block, operand, at)

    def _is_address_of(self, instruction: Instruction) -> bool:
        """Whether this is `llvm.threadlocal.address`; then its operand stands for it."""
        callee = instruction.operands[0] if isinstance(instruction, Call) else None
        if not isinstance(callee, Function) or not callee.name.startswith(_ADDRESS_INTRINSIC):
            return False
        self._replaced[instruction] = instruction.operands[1]
        return True

    def _lower_phi(self, phi: Phi) -> None:
        for index, (value, origin) in enumerate(phi.incoming):
            if isinstance(value, Constant) and self._mentions_one(value):
                new: list[Instruction] = []
                at = Builder(self._module, new, phi.debug_location)
                phi.operands[index] = self._address(origin, value, at)
                end = len(origin.instructions) - 1
                origin.instructions[end:end] = new

    def _uses(self, instruction: Instruction) -> bool:
        return any(
            isinstance(operand, Constant) and self._mentions_one(operand)
            for operand in instruction.operands
        )

    def _mentions_one(self, constant: Constant) -> bool:
        if isinstance(constant, GlobalValue):
            return bool(constant.thread_local)
        parts = constant_parts(constant)
        if not parts:
            return False
        found = self._mentions.get(constant)
        if found is None:
            found = any(self._mentions_one(part) for part in parts)
            self._mentions[constant] = found
        return found

    def _address(self, block: BasicBlock, constant: Constant, at: Builder) -> Value:
        """The value of `constant` for the current thread, computed once per block."""
        key = block, constant.typed_ref
        found = self._addresses.get(key)
        if found is None:
            found = self._addresses[key] = self._expanded(block, constant, at)
        return found

    def _expanded(self, block: BasicBlock, constant: Constant, at: Builder) -> Value:
        if isinstance(constant, GlobalValue):
            return self._variable_address(constant, at)
        parts = [
            self._address(block, part, at) if self._mentions_one(part) else part
            for part in constant_parts(constant)
        ]
        made = list(constant_to_instructions(constant, parts, self._module))
        for instruction in made:
            instruction.debug_location = at.debug_location
        at.instructions += made
        return made[-1]

    def _variable_address(self, symbol: GlobalValue, at: Builder) -> Value:
        """block + (symbol - start of the section), or the symbol itself when it lies elsewhere."""
        types = self._module.types
        start = at.cast("ptrtoint", self._bound(_START), types.i64)
        here = at.cast("ptrtoint", symbol, types.i64)
        offset = at.binary("sub", here, start)
        own = self._hooks.call("__irsan_tls_block", [], at.debug_location)
        at.instructions.append(own)
        mine = at.byte_gep(own, offset)
        if not _is_elsewhere(symbol):
            return mine
        stop = at.cast("ptrtoint", self._bound(_STOP), types.i64)
        is_ours = at.icmp("ult", offset, at.binary("sub", stop, start))
        return at.select(is_ours, mine, symbol)

    def _bound(self, name: str) -> Value:
        """A symbol that the linker defines; weak, for programs without such a section."""
        found = self._module.symbol(name)
        if found is None:
            found = self._module.add_global(self._module.types.i8, name, linkage="extern_weak")
        return found


def constant_parts(constant: Constant) -> list[Constant]:
    """The constants inside a constant expression or aggregate; empty for the others."""
    if isinstance(constant, ConstantExpr):
        return constant.operands
    if isinstance(constant, ConstantAggregate):
        return constant.elements
    return [constant.element] if isinstance(constant, ConstantSplat) else []


def constant_to_instructions(
    constant: Constant, parts: list[Value], module: Module
) -> Iterator[Instruction]:
    """Instructions that compute `constant` from the values of its parts; the last is the result."""
    if isinstance(constant, ConstantExpr):
        yield _expression(constant, parts)
        return
    made: Value = Poison(constant.type)
    is_vector = isinstance(constant.type, VectorType)
    if isinstance(constant, ConstantSplat) and isinstance(constant.type, VectorType):
        parts = parts * constant.type.count
    for index, part in enumerate(parts):
        if is_vector:
            made = InsertElement(made, part, ConstantInt(module.types.i32, index))
        else:
            made = InsertValue(made, part, [index])
        yield made


def _expression(constant: ConstantExpr, parts: list[Value]) -> Instruction:
    if constant.source_type is not None:
        return GetElementPtr(
            constant.type, constant.source_type, parts[0], parts[1:], constant.flags
        )
    if constant.is_cast:
        return Cast(constant.opcode, parts[0], constant.type, constant.flags)
    if constant.opcode == "extractelement":
        return ExtractElement(parts[0], parts[1])
    if constant.opcode == "insertelement":
        return InsertElement(parts[0], parts[1], parts[2])
    return BinaryOp(constant.opcode, parts[0], parts[1], constant.flags)
