"""Helpers: native code for what the machine has no operation for, one per shape of an instruction.

A shape is an instruction whose operands are left open.  Its helper

    i64 helper(ptr frame, ptr pc)

takes the operands' places in the frame from the words behind `pc` (i32 byte offsets, in the order
of the instruction; small constants stand there themselves), executes the instruction, stores its
result at the last place and goes on as an operation does (`dispatch.py`).  Instructions of one
shape share a helper.  An invoke's helper has the landing pad too, stores what landed, and takes
both ways from one more word.

What an operand must be for LLVM (an `immarg`, metadata, a constraint of inline assembly) is part of
the shape.  A function of another object is called by its name, so that LLVM inlines the hooks.

Selectors: `llvm.eh.typeid.for` is an index into one function's table of types, and here the landing
pad and the comparison are in two functions.  So a landing pad's selector is translated to the
module's own numbers of types (`TypeNumbers`).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from irsan.engine.interp.asm_operands import with_copies
from irsan.engine.interp.dispatch import dispatch
from irsan.ir.attributes import Attribute, AttributeList, AttributeSet
from irsan.ir.calls import Call, CallTerminator, Invoke
from irsan.ir.control import LandingPad
from irsan.ir.instruction import Instruction
from irsan.ir.printing.attributes import AttributeTexts
from irsan.ir.printing.instructions import PRINTERS
from irsan.ir.types import IntegerType, Type
from irsan.ir.values import Argument, Constant, InlineAsm, Value

# What decides how a call is made; the rest only speaks to an optimiser that sees the callee.
_ABI: Final = frozenset({
    "zeroext", "signext", "inreg", "byval", "sret", "nest", "align", "elementtype", "byref",
    "swiftself", "swiftasync", "swifterror", "inalloca", "preallocated", "noext",
})  # fmt: skip
# Of a function's own: which instructions there are, and what a call of a known name may become.
KEPT_BY_HELPERS: Final = frozenset({
    "target-cpu", "target-features", "no-builtins", "strictfp", "denormal-fp-math",
    "denormal-fp-math-f32",
})  # fmt: skip


def abi_attributes(attributes: AttributeList) -> AttributeList:
    """Only what decides how arguments and results are passed."""
    kept = [abi_set(one) for one in attributes.parameters]
    return AttributeList((), abi_set(attributes.returns), tuple(kept))


def abi_set(attributes: AttributeSet) -> AttributeSet:
    """The attributes of one place that decide how it is passed."""
    with_layout = {"byval", "sret", "inalloca", "preallocated", "byref"}
    is_memory = any(one.kind in with_layout for one in attributes)
    wanted = _ABI if is_memory else _ABI - {"align"}
    return tuple([one for one in attributes if one.kind in wanted and not one.is_string])


@dataclass(slots=True)
class TypeNumbers:
    """The module's number of each type that a landing pad catches, from 1."""

    numbers: dict[str, int] = field(default_factory=dict)

    def of(self, type_info: Value) -> int:
        return self.numbers.setdefault(type_info.ref, len(self.numbers) + 1)


@dataclass(slots=True)
class Shapes:
    """The helpers of a module: text by shape."""

    texts: AttributeTexts
    group: str = " uwtable"
    types: TypeNumbers = field(default_factory=TypeNumbers)
    names: dict[str, str] = field(default_factory=dict)

    def enter(self, attributes: AttributeList) -> None:
        """From here on helpers are those of a function with these attributes."""
        kept = tuple([one for one in attributes.function if _is_kept(one)])
        self.group = self.texts.group((*kept, Attribute("uwtable", 2)))

    def plain(
        self, op: Instruction, given: Sequence[Value | None], immediates: Sequence[bool]
    ) -> str:
        """The symbol of the helper that executes `op`.

        given: for each operand its literal, or None when it is read from the frame.
        immediates: for each operand whether it stands in the operand list itself.
        """
        body = Body()
        result = body.execute(body.twin(op, given, immediates), self.texts)
        if result is not None:
            body.store(result, op.type)
        return self.of_body(body)

    def of_body(self, body: Body) -> str:
        """The symbol of the helper with this body."""
        return self._named([*body.lines, *_onward(body.n_places)], None)

    def invoke(
        self, op: Invoke, pad: LandingPad, given: Sequence[Value | None],
        immediates: Sequence[bool], personality: Constant | None,
    ) -> str:  # fmt: skip
        """The symbol of the helper of an invoke and its landing pad."""
        body = Body()
        text = PRINTERS[Invoke](body.twin(op, given, immediates), self.texts)
        head, _, _ = text.partition("\n")
        has_result = op.type.text != "void"
        n_operands = body.n_places + has_result + 1
        start = f"  {'%r = ' if has_result else ''}{head} to label %normal unwind label %unwound"
        body.lines += [start, "normal:"]
        if has_result:
            body.store("%r", op.type)
        body.lines += [
            *_onward(n_operands, "normal.way", 0),
            "unwound:", f"  %l = {PRINTERS[LandingPad](pad, self.texts)}", *self._translated(pad),
        ]  # fmt: skip
        body.store("%landed", pad.type)
        return self._named([*body.lines, *_onward(n_operands, "unwound.way", 1)], personality)

    def resume(self) -> str:
        """The symbol of the helper that goes on unwinding with the exception at its place.

        LLVM takes a `resume` that no landing pad of its own function leads to for unreachable.
        """
        lines = [
            _word(0), "  %a0 = getelementptr i8, ptr %frame, i32 %o0", "  %e = load ptr, ptr %a0",
            "  call void @_Unwind_Resume(ptr %e)", "  unreachable",
        ]  # fmt: skip
        return self._named(lines, None)

    def trap(self) -> str:
        """The symbol of the helper of a place that control must not come to."""
        return self._named(["  call void @llvm.trap()", "  unreachable"], None)

    def _translated(self, pad: LandingPad) -> list[str]:
        """`%landed` is `%l` with the module's number of the caught type as its selector."""
        kind = pad.type.text
        caught = [
            value for clause, value in zip(pad.clauses, pad.operands, strict=True)
            if clause == "catch"
        ]  # fmt: skip
        lines, number = [f"  %s = extractvalue {kind} %l, 1"], "%s"
        for index, value in reversed(list(enumerate(caught))):
            lines += [
                f"  %t{index} = call i32 @llvm.eh.typeid.for.p0(ptr {value.ref})",
                f"  %c{index} = icmp eq i32 %s, %t{index}",
                f"  %n{index} = select i1 %c{index}, i32 {self.types.of(value)}, i32 {number}",
            ]
            number = f"%n{index}"
        return [*lines, f"  %landed = insertvalue {kind} %l, i32 {number}, 1"]

    def _named(self, lines: list[str], personality: Constant | None) -> str:
        keeper = f" personality {personality.typed_ref}" if personality is not None else ""
        body = "\n".join([f"{self.group}{keeper} {{", *lines, "}"])
        return self.names.setdefault(body, f"irsan.helper.{len(self.names)}")

    def definitions(self) -> list[str]:
        """LLVM text of all helpers."""
        return [
            f"define internal i64 @{name}(ptr %frame, ptr %pc){body}"
            for body, name in self.names.items()
        ]


@dataclass(slots=True)
class Body:
    """What a helper does on the operands that it loads, in the order of its operand list."""

    lines: list[str] = field(default_factory=list)
    n_places: int = 0
    behind: Sequence[str] = ()

    def twin(
        self, op: Instruction, given: Sequence[Value | None], immediates: Sequence[bool]
    ) -> Instruction:
        """A copy of `op` on the given operands, and on loaded ones for the rest."""
        twin = copy.copy(op)
        twin.metadata, twin.debug_location, twin.debug_records = (), None, ()
        if isinstance(twin, (Call, CallTerminator)):
            twin.attributes = abi_attributes(twin.attributes)
        if isinstance(twin, Call):
            twin.tail = ""
        twin.operands = [
            value if value is not None else self.load(operand.type, is_immediate=is_immediate)
            for operand, value, is_immediate in zip(op.operands, given, immediates, strict=True)
        ]
        callee = twin.operands[0] if isinstance(twin, Call) else None
        if isinstance(twin, Call) and isinstance(callee, InlineAsm):
            arguments, before, self.behind = with_copies(
                callee, twin.attributes, twin.operands[1:]
            )
            twin.operands = [callee, *arguments]
            self.lines += before
        return twin

    def execute(self, twin: Instruction, texts: AttributeTexts) -> str | None:
        """Run a twin; returns its result's name, None without one."""
        text = PRINTERS[twin.__class__](twin, texts)
        name = "%r" if twin.type.text != "void" else None
        self.lines += [f"  {name} = {text}" if name else f"  {text}", *self.behind]
        return name

    def load(self, kind: Type, *, is_immediate: bool) -> Argument:
        """The operand at the next place: a register's value, or the place's own number."""
        index = self.n_places
        self.n_places += 1
        self.lines.append(_word(index))
        if is_immediate:
            assert isinstance(kind, IntegerType)
            self.lines.append(_resized(f"%v{index}", f"%o{index}", kind.width))
        else:
            self.lines += [
                f"  %a{index} = getelementptr i8, ptr %frame, i32 %o{index}",
                f"  %v{index} = load {kind.text}, ptr %a{index}, align 8",
            ]
        return Argument(kind, index, f"v{index}")

    def store(self, value: str, kind: Type) -> None:
        """Put a value into the register of the next place."""
        index = self.n_places
        self.n_places += 1
        self.lines += [_word(index), f"  %a{index} = getelementptr i8, ptr %frame, i32 %o{index}"]
        if isinstance(kind, IntegerType) and kind.width < 64:
            self.lines.append(f"  %x{index} = zext {kind.text} {value} to i64")
            kind, value = IntegerType(64), f"%x{index}"
        self.lines.append(f"  store {kind.text} {value}, ptr %a{index}, align 8")


def _onward(n_operands: int, name: str = "next", half: int | None = None) -> list[str]:
    """Lines that go on behind the operands; or as half 0 or 1 of the word there says."""
    end = 8 * (1 + (n_operands + 1) // 2)
    if half is None:
        return [f"  %{name} = getelementptr i8, ptr %pc, i64 {end}", *dispatch(f"%{name}", name)]
    return [
        f"  %{name}.at = getelementptr i8, ptr %pc, i64 {end + 4 * half}",
        f"  %{name}.words = load i32, ptr %{name}.at, align 4",
        f"  %{name}.wide = sext i32 %{name}.words to i64",
        f"  %{name}.end = getelementptr i8, ptr %pc, i64 {end + 8}",
        f"  %{name} = getelementptr i64, ptr %{name}.end, i64 %{name}.wide",
        *dispatch(f"%{name}", name),
    ]


def _word(index: int) -> str:
    """Lines that read word `index` of the operand list as `%o<index>`."""
    return (
        f"  %w{index} = getelementptr i8, ptr %pc, i64 {8 + 4 * index}\n"
        f"  %o{index} = load i32, ptr %w{index}, align 4"
    )


def _resized(name: str, word: str, width: int) -> str:
    if width == 32:
        return f"  {name} = add i32 {word}, 0"
    cast = "sext" if width > 32 else "trunc"
    return f"  {name} = {cast} i32 {word} to i{width}"


def _is_kept(attribute: Attribute) -> bool:
    return attribute.kind in KEPT_BY_HELPERS or attribute.kind.startswith("no-builtin-")
