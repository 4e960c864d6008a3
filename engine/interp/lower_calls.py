"""Calls, exceptions and intrinsics.

A call is a helper of its signature; functions of other objects and hooks are called by name.  An
invoke's helper catches what its landing pad wants, with the same personality, so C++ exceptions go
through frames of the machine as through native ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from irsan.engine.interp.code import Immediate, Operation, Register
from irsan.engine.interp.function_lowering import (
    FunctionLowering,
    Lower,
    immediate_of,
    is_literal,
    is_returned_to_twice,
)
from irsan.engine.interp.lower_intrinsics import lower_frequent
from irsan.engine.interp.stub_requests import ask_stub
from irsan.instrument.hooks import is_hook_name
from irsan.ir.calls import Call, CallBr, CallTerminator, Invoke
from irsan.ir.constants import ConstantInt
from irsan.ir.control import LandingPad, Resume
from irsan.ir.instruction import Instruction
from irsan.ir.metadata import MetadataString, MetadataTuple
from irsan.ir.metadata_text import metadata_ref
from irsan.ir.values import Function, InlineAsm, MetadataAsValue, Value

# They say something to an optimiser or a debugger and do nothing.
_SILENT: Final = frozenset({
    "llvm.assume", "llvm.donothing", "llvm.dbg.assign", "llvm.dbg.declare", "llvm.dbg.label",
    "llvm.dbg.value", "llvm.experimental.noalias.scope.decl", "llvm.invariant.end",
    "llvm.lifetime.end", "llvm.lifetime.start", "llvm.prefetch", "llvm.pseudoprobe",
    "llvm.sideeffect", "llvm.var.annotation", "llvm.fake.use",
})  # fmt: skip
# Their first argument is their value.
_IDENTITIES: Final = frozenset({
    "llvm.annotation", "llvm.expect", "llvm.expect.with.probability",
    "llvm.launder.invariant.group", "llvm.ptr.annotation", "llvm.ssa.copy",
    "llvm.strip.invariant.group", "llvm.arithmetic.fence",
})  # fmt: skip
_OF_THE_FRAME: Final = frozenset({
    "llvm.addressofreturnaddress", "llvm.eh.dwarf.cfa", "llvm.eh.unwind.init",
    "llvm.frameaddress", "llvm.get.dynamic.area.offset", "llvm.localaddress",
    "llvm.returnaddress", "llvm.sponentry", "llvm.stackaddress", "llvm.stackrestore",
    "llvm.stacksave", "llvm.va_start",
})  # fmt: skip
_REFUSED: Final = (
    "llvm.coro.", "llvm.eh.sjlj.callsite", "llvm.eh.sjlj.functioncontext", "llvm.eh.sjlj.lsda",
    "llvm.eh.sjlj.setup", "llvm.eh.return", "llvm.experimental.gc.", "llvm.experimental.guard",
    "llvm.experimental.deoptimize", "llvm.gcread", "llvm.gcroot", "llvm.gcwrite",
    "llvm.localescape", "llvm.localrecover", "llvm.init.trampoline", "llvm.adjust.trampoline",
    "llvm.call.preallocated", "llvm.callbr.landingpad", "llvm.swift.", "llvm.stackguard",
    "llvm.stackprotector", "llvm.experimental.stackmap", "llvm.experimental.patchpoint",
    "llvm.seh.", "llvm.objc.", "llvm.instrprof.", "llvm.matrix.", "llvm.memcpy.element.",
    "llvm.memmove.element.", "llvm.memset.element.", "llvm.type.", "llvm.public.type.",
    "llvm.vscale", "llvm.amdgcn.", "llvm.nvvm.", "llvm.aarch64.", "llvm.arm.", "llvm.bpf.",
    "llvm.dx.", "llvm.hexagon.", "llvm.loongarch.", "llvm.mips.", "llvm.ppc.", "llvm.r600.",
    "llvm.riscv.", "llvm.s390.", "llvm.spv.", "llvm.ve.", "llvm.wasm.", "llvm.xcore.",
)  # fmt: skip

_NOTHING_KNOWN: Final[Mapping[Value, Value]] = {}


def base_name(name: str, known: frozenset[str]) -> str:
    """An intrinsic's name without the suffixes of its types, when that is in `known`, else ""."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def lower_call(lowering: FunctionLowering, op: Call) -> None:
    callee = op.called_function
    if callee is not None and base_name(callee.name, _SILENT):
        return
    if callee is not None and callee.name.startswith(_REFUSED):
        raise lowering.refuse(op, f"`{callee.name}`")
    check_call(lowering, op)
    if callee is not None and callee.is_intrinsic and _lower_intrinsic(lowering, op, callee.name):
        return
    if op.tail == "musttail":
        ask_stub(lowering, op, is_tail=True)
    elif is_returned_to_twice(op):
        ask_stub(lowering, op)
    else:
        if callee is None or not is_hook_name(callee.name):
            lowering.forget_pointers()
        given, immediates, operands = call_operands(lowering, op)
        symbol = lowering.shapes.plain(op, given, immediates)
        result = [lowering.of(op)] if op.type.text != "void" else []
        lowering.call_helper(symbol, [*operands, *result])


def check_call(lowering: FunctionLowering, op: Call | CallTerminator) -> None:
    """Raises UnsupportedError for what no helper can pass."""
    callee = op.operands[0]
    name = callee.name if isinstance(callee, Function) else op.opcode
    for bundle in op.bundles:
        if not all(is_literal(value) for value in bundle.operands):
            raise lowering.refuse(op, f"`{name}` with an operand bundle `{bundle.tag}`")
    if any(kind.text in ("token", "x86_amx") for kind in [op.type, *[v.type for v in op.operands]]):
        raise lowering.refuse(op, f"`{name}` of a token or a tile")
    if any(one.kind == "swifterror" for part in op.attributes.parameters for one in part):
        raise lowering.refuse(op, f"`{op.opcode}` with a `swifterror` argument")


def _lower_intrinsic(lowering: FunctionLowering, op: Call, name: str) -> bool:
    """Whether an intrinsic is done with."""
    if name.startswith("llvm.invariant.start"):
        lowering.copy(lowering.of(op), lowering.registers.number(0))
    elif base_name(name, _IDENTITIES):
        n_slots = lowering.registers.n_slots(op.type)
        lowering.copy(lowering.of(op), lowering.of(op.arguments[0]), n_slots)
    elif name.startswith("llvm.eh.typeid.for"):
        number = lowering.shapes.types.of(op.arguments[0])
        lowering.copy(lowering.of(op), lowering.registers.number(number))
    elif base_name(name, _OF_THE_FRAME):
        ask_stub(lowering, op)
    else:
        return lower_frequent(lowering, op, name)
    return True


def call_operands(
    lowering: FunctionLowering,
    op: Call | CallTerminator,
    known: Mapping[Value, Value] = _NOTHING_KNOWN,
) -> tuple[list[Value | None], list[bool], list[Register | Immediate]]:
    """What is part of the shape, what is immediate, and the operand list.

    known: values that the helper has already, by what they are in the program.
    """
    callee, *arguments = op.operands
    wants_literals = isinstance(callee, InlineAsm) or (
        isinstance(callee, Function) and callee.is_intrinsic
    )
    by_name = isinstance(callee, InlineAsm) or (
        isinstance(callee, Function) and callee.is_declaration
    )
    given: list[Value | None] = [callee if by_name else None]
    immediates = [False]
    operands: list[Register | Immediate] = [] if by_name else [lowering.of(callee)]
    for argument in arguments:
        if argument in known:
            given.append(known[argument])
            immediates.append(False)
            continue
        immediate = immediate_of(argument)
        literal = _is_literal_argument(argument, wants_literals)
        if isinstance(argument, MetadataAsValue):
            argument = _written_out(lowering, op, argument)
        given.append(argument if literal else None)
        immediates.append(not literal and immediate is not None)
        if not literal:
            operands.append(lowering.of(argument) if immediate is None else immediate)
    return given, immediates, operands


def _is_literal_argument(argument: Value, wants_literals: bool) -> bool:
    if isinstance(argument, MetadataAsValue):
        return True
    return wants_literals and isinstance(argument, ConstantInt)


class _WrittenOut(MetadataAsValue):
    """A list of strings as it stands where it is used: nodes get their numbers later."""

    __slots__ = ()

    @property
    def ref(self) -> str:
        assert isinstance(self.metadata, MetadataTuple)
        return f"!{{{', '.join([metadata_ref(part) for part in self.metadata.operands if part])}}}"


def _written_out(
    lowering: FunctionLowering, op: Call | CallTerminator, value: MetadataAsValue
) -> MetadataAsValue:
    node = value.metadata
    if isinstance(node, MetadataString):
        return value
    if (
        isinstance(node, MetadataTuple)
        and not node.distinct
        and all(isinstance(part, MetadataString) for part in node.operands)
    ):
        return _WrittenOut(value.type, node)
    raise lowering.refuse(op, f"`{op.opcode}` with metadata that is no list of strings")


def lower_invoke(lowering: FunctionLowering, op: Invoke) -> None:
    """A helper that goes one of two ways."""
    check_call(lowering, op)
    if is_returned_to_twice(op):
        raise lowering.refuse(op, "an `invoke` that may return twice")
    normal, unwind = op.successors
    pad = next(one for one in unwind.instructions if one.opcode != "phi")
    if not isinstance(pad, LandingPad):
        raise lowering.refuse(op, f"`{pad.opcode}`")
    given, immediates, operands = call_operands(lowering, op)
    symbol = lowering.shapes.invoke(op, pad, given, immediates, lowering.function.personality)
    result: Sequence[Register] = [lowering.of(op)] if op.type.text != "void" else []
    operands = [*operands, *result, lowering.of(pad)]
    fields, ways = (lowering.helper(symbol),), (lowering.edge(normal), lowering.edge(unwind))
    lowering.code.append(Operation("call", fields, operands=tuple(operands), words=(ways,)))


def lower_callbr(lowering: FunctionLowering, op: CallBr) -> None:
    """`asm goto`: the stub jumps among its own blocks, and each resumes at its own place."""
    check_call(lowering, op)
    if not isinstance(op.operands[0], InlineAsm):
        raise lowering.refuse(op, "`callbr` of a function")
    ask_stub(lowering, op, ways=tuple([lowering.edge(block) for block in op.successors]))


def lower_landingpad(_lowering: FunctionLowering, _op: Instruction) -> None:
    """Every invoke has stored what landed."""


def lower_resume(lowering: FunctionLowering, op: Resume) -> None:
    lowering.call_helper(lowering.shapes.resume(), [lowering.of(op.operands[0])])


LOWERINGS: Final[dict[str, Lower]] = {
    "call": lower_call,
    "callbr": lower_callbr,
    "invoke": lower_invoke,
    "landingpad": lower_landingpad,
    "resume": lower_resume,
}
