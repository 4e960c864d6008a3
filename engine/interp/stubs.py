"""Stubs: what a function's symbol stands for when the machine runs its body.

A stub has the function's signature.  It lays out the registers and the stack variables in its own
frame, puts constants and arguments into registers, and runs the machine until it returns; when the
machine asks for something (`stub_requests.py`), the stub does that and resumes.  So a function that
is interpreted can be called, thrown through, longjmped out of and taken the address of like any
other.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from irsan.engine.interp.code import Frame, Label, Register
from irsan.engine.interp.dispatch import SYMBOL
from irsan.engine.interp.function_lowering import FunctionLowering, Request, is_returned_to_twice
from irsan.engine.interp.shapes import KEPT_BY_HELPERS, abi_attributes, abi_set
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.calls import Call, CallBr, CallTerminator
from irsan.ir.printing.attributes import AttributeTexts
from irsan.ir.printing.instructions import PRINTERS
from irsan.ir.types import IntegerType, Type
from irsan.ir.values import Argument, BasicBlock, Constant, Function, Value

# Of a function's own attributes: what decides how it is called and how its frame is laid out.
_KEPT = frozenset(
    {*KEPT_BY_HELPERS, "frame-pointer", "stackrealign", "alignstack", "stack-probe-size"}
)


def stub_attributes(attributes: AttributeList) -> AttributeList:
    """Those of the function that its stub keeps, and that exceptions may pass."""
    kept = tuple([one for one in attributes.function if one.kind in _KEPT])
    unwindable = Attribute("uwtable", 2)
    return replace(abi_attributes(attributes), function=(*kept, unwindable))


@dataclass(slots=True)
class StubWriter:
    """The body of one stub.

    code, pool: symbols of the function's code and pool.
    computed: constants that the pool cannot hold.
    """

    lowering: FunctionLowering
    frame: Frame
    texts: AttributeTexts
    code: str
    pool: str
    computed: Sequence[tuple[Register, Constant]]

    def body(self) -> str:
        """LLVM text between the braces."""
        return "\n".join([*self._entry(), *self._loop(), *self._requests(), *self._end()])

    def _entry(self) -> Iterator[str]:
        yield "irsan.entry:"
        yield f"  %irsan.frame = alloca [{self.frame.n_slots} x i64], align 16"
        for number, (op, register) in enumerate(self.lowering.allocas):
            yield f"  %irsan.v{number} = {PRINTERS[op.__class__](op, self.texts)}"
            yield from self._store(f"%irsan.v{number}", op.type, register, f"v{number}")
        yield f"  store ptr @{self.pool}, ptr %irsan.frame, align 16"
        if self.frame.n_constants:  # inline: the function memcpy is ours, and looks at the shadow
            yield "  %irsan.constants = getelementptr i8, ptr %irsan.frame, i64 8"
            yield (
                "  call void @llvm.memcpy.inline.p0.p0.i64(ptr align 8 %irsan.constants, "
                f"ptr align 8 @{self.pool}, i64 {8 * self.frame.n_constants}, i1 false)"
            )
        for number, (register, value) in enumerate(self.computed):
            yield from self._store(value.ref, value.type, register, f"c{number}")
        for argument in self.lowering.function.arguments:
            register = self.lowering.of(argument)
            yield from self._store(argument.ref, argument.type, register, f"a{argument.index}")
        yield "  br label %irsan.go"

    def _loop(self) -> Iterator[str]:
        pairs = [f"[ {self._position(0)}, %irsan.entry ]"]
        for number, request in enumerate(self.lowering.requests, 1):
            pairs += [
                f"[ {self._position(label.position)}, %{block} ]"
                for block, label in _resumptions(request, number)
            ]
        cases = [f"i64 {n}, label %irsan.request{n}"
                 for n, _ in enumerate(self.lowering.requests, 1)]  # fmt: skip
        yield "irsan.go:"
        yield f"  %irsan.pc = phi ptr {', '.join(pairs)}"
        yield f"  %irsan.way = call i64 @{SYMBOL}(ptr %irsan.frame, ptr %irsan.pc)"
        yield f"  switch i64 %irsan.way, label %irsan.end [ {' '.join(cases)} ]"

    def _position(self, word: int) -> str:
        return f"getelementptr (i8, ptr @{self.code}, i64 {8 * word})"

    def _requests(self) -> Iterator[str]:
        for number, request in enumerate(self.lowering.requests, 1):
            yield f"irsan.request{number}:"
            yield from self._request(request, number)

    def _request(self, request: Request, number: int) -> Iterator[str]:
        name = f"irsan.r{number}"
        twin = copy.copy(request.op)
        twin.operands = []
        lines: list[str] = []
        for index, operand in enumerate(request.op.operands):
            place = request.operands[index]
            value: Value = operand
            if place is not None:
                value = Argument(operand.type, index, f"{name}.{index}")
                lines += self._load(value.ref, operand.type, place, f"{name}.p{index}")
            twin.operands.append(value)
        if isinstance(twin, (Call, CallTerminator)):
            twin.attributes = _call_attributes(request)
        yield from lines
        if isinstance(twin, CallBr):
            twin.successors = [
                BasicBlock(target.type, block)
                for target, (block, _) in zip(
                    twin.successors, _resumptions(request, number), strict=True
                )
            ]
        text = PRINTERS[twin.__class__](twin, self.texts)
        has_value = twin.type.text != "void"
        yield f"  %{name} = {text}" if has_value else f"  {text}"
        for block, _ in _resumptions(request, number) if request.ways else ():
            yield f"{block}:"
            if request.result is not None:
                yield from self._store(f"%{name}", twin.type, request.result, block)
            yield "  br label %irsan.go"
        if request.ways:
            return
        if request.is_tail:
            yield f"  ret {twin.type.text} %{name}" if has_value else "  ret void"
            return
        if request.result is not None:
            yield from self._store(f"%{name}", twin.type, request.result, f"{name}.x")
        yield "  br label %irsan.go"

    def _end(self) -> Iterator[str]:
        yield "irsan.end:"
        kind = self.lowering.function.function_type.return_type
        if self.lowering.result is None:
            yield "  ret void"
            return
        yield from self._load("%irsan.result", kind, self.lowering.result, "irsan.where")
        yield f"  ret {kind.text} %irsan.result"

    def _store(self, value: str, kind: Type, register: Register, name: str) -> Iterator[str]:
        offset = self.frame.offset_bytes(register)
        yield f"  %irsan.to.{name} = getelementptr i8, ptr %irsan.frame, i64 {offset}"
        if isinstance(kind, IntegerType) and kind.width < 64:
            yield f"  %irsan.wide.{name} = zext {kind.text} {value} to i64"
            yield f"  store i64 %irsan.wide.{name}, ptr %irsan.to.{name}, align 8"
        else:
            yield f"  store {kind.text} {value}, ptr %irsan.to.{name}, align 8"

    def _load(self, name: str, kind: Type, register: Register, place: str) -> Iterator[str]:
        offset = self.frame.offset_bytes(register)
        yield f"  %{place} = getelementptr i8, ptr %irsan.frame, i64 {offset}"
        yield f"  {name} = load {kind.text}, ptr %{place}, align 8"


def _resumptions(request: Request, number: int) -> list[tuple[str, Label]]:
    """The stub's blocks that resume the machine after a request, and where each does."""
    block = f"irsan.request{number}"
    if request.ways:
        return [(f"{block}.{way}", label) for way, label in enumerate(request.ways)]
    return [] if request.is_tail else [(block, request.resume)]


def _call_attributes(request: Request) -> AttributeList:
    op = request.op
    assert isinstance(op, (Call, CallTerminator))
    kept = abi_attributes(op.attributes)
    twice = (Attribute("returns_twice"),) if is_returned_to_twice(op) else ()
    return replace(kept, function=twice)


def declared(function: Function) -> None:
    """Make a definition that only serves inlining the declaration that it stands for."""
    function.blocks = []
    function.linkage = "external"
    function.comdat = None
    function.personality = None
    function.metadata = ()
    function.attributes = replace(
        function.attributes, returns=abi_set(function.attributes.returns)
    )
