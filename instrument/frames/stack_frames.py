"""Stack frames with redzones: variables that can be misused move into one block of memory.

    %real = alloca [96 x i8]                 %fake = __asan_stack_malloc_1(96)     (if one escapes)
    %frame = %fake or %real                  magic, description, function at its begin
    store to shadow: f1 .. f2 .. f3          %x = gep %frame, 32
    lifetime.start/end(%x)                   00 / f8 in the shadow of %x
    ret                                      fake: f5, flag cleared; real: 00

Which variables: `irsan.instrument.analysis.objects.stack_variables`. Where they lie:
`stack_layout`. Dynamic allocas and control that arrives from frames below have passes of their own
(`dynamic_allocas`, `stack_arrivals`). Arguments passed by value in memory are copied into the
frame.

Source: LLVM's AddressSanitizer pass (FunctionStackPoisoner) and the ABI of compiler-rt.
Deviations: the real frame is a static alloca even when a fake one is used; the run-time answers 0
when detect_stack_use_after_return is off, so its variable is not asked; a frame none of whose
variables escapes gets no fake one; the engine has classes above 64 KiB.
Soundness: what cannot be moved (inalloca, swifterror, coroutines) stays where it is, unprotected.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.effects import calls_of
from irsan.instrument.analysis.control_flow.function_exits import entry_index, exit_points
from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.lifetimes import Lifetimes
from irsan.instrument.analysis.objects.stack_variables import (
    Usage,
    byval_sizes,
    returns_twice,
    usages_of,
)
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.frames.frame_code import FrameCode, class_of, emit_entry, emit_exit
from irsan.instrument.frames.scope_poison import ScopePlan, emit_scopes, plan_scopes
from irsan.instrument.frames.stack_layout import MINIMUM_ALIGNMENT, StackVariable, lay_out
from irsan.instrument.frames.stack_names import StackName, stack_names
from irsan.instrument.frames.stack_shadow import ShadowWriter
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import ADDRESS, Policy
from irsan.ir.attributes import find_attribute
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import DebugRecord, Instruction
from irsan.ir.memory import Alloca
from irsan.ir.metadata import DebugNode, DILocation
from irsan.ir.module import Module
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.types import PointerType
from irsan.ir.values import Argument, Function, LocalValue, Value

_MAX_VARIABLE_BYTES = 1 << 26


@dataclass(frozen=True, slots=True)
class StackFrames:
    """Frames for every function that is checked for addresses.

    is_portable: for compiler-rt's run-time; else for the engine.
    """

    policy: Policy
    is_portable: bool

    def apply(self, module: Module) -> None:
        """Move the interesting variables of all functions."""
        hooks, sizes = HookCalls(module), TypeSizes(module)
        writer = ShadowWriter(hooks, self.is_portable)
        for function in module.functions[:]:
            if ADDRESS not in self.policy.checks_of(function) or not can_have_frame(function):
                continue
            found = _FrameOf(hooks, writer, function, sizes)
            if found.variables:
                found.insert(self.is_portable)


def can_have_frame(function: Function) -> bool:
    if function.attributes.has_function("presplitcoroutine"):
        return False
    return not any(isinstance(one, Alloca) and one.inalloca for one in function.entry.instructions)


class _FrameOf:
    """One function: its variables, and their move."""

    __slots__ = (
        "_function", "_hooks", "_lifetimes", "_usages", "_writer", "variables",
    )  # fmt: skip

    def __init__(
        self, hooks: HookCalls, writer: ShadowWriter, function: Function, sizes: TypeSizes
    ) -> None:
        self._hooks, self._writer, self._function = hooks, writer, function
        addresses = AddressFacts(sizes, byval_sizes(function, sizes))
        self._lifetimes = Lifetimes(function, addresses)
        self._usages = usages_of(function, addresses, sizes, self._lifetimes)
        self.variables: list[LocalValue] = [
            one
            for one, usage in self._usages.items()
            if isinstance(one, LocalValue) and self._moves(one, usage)
        ]

    def insert(self, is_portable: bool) -> None:
        """Replaces the variables by places in a frame."""
        function = self._function
        names = stack_names(function, self.variables)
        followed = {one for one in self.variables if self._usages[one].is_used_dead}
        scopes = plan_scopes(function, self._lifetimes, followed)
        described = [(one, self._described(one, names, scopes)) for one in self.variables]
        described.sort(key=lambda pair: -pair[1].alignment)
        layout = lay_out([variable for _, variable in described])
        wants_fake = any(self._usages[one].escapes for one in self.variables) and not any(
            returns_twice(call) for call in calls_of(function)
        )
        size_class = class_of(layout.frame_bytes, is_portable) if wants_fake else -1
        code = FrameCode(self._hooks, self._writer, function, layout, size_class, is_portable)
        ordered = [variable for variable, _ in described]
        self._rewrite(code, dict(zip(ordered, layout.offsets, strict=True)), scopes)

    def _rewrite(self, code: FrameCode, offsets: dict[Value, int], scopes: ScopePlan) -> None:
        function = self._function
        _drop_allocas(function, offsets)
        entry = function.entry
        at = Builder(self._hooks.module, [], _entry_location(function))
        frame = emit_entry(at, code)
        places: dict[Value, Value] = {}
        for variable, offset in offsets.items():
            amount = at.integer(64, offset)
            places[variable] = at.byte_gep(frame.pointer, amount, ("inbounds",))
            places[variable].name = variable.name  # type: ignore[attr-defined]
        extents = {one: (offset, self._size(one)) for one, offset in offsets.items()}
        emit_scopes(code, self._lifetimes, scopes, extents, frame.shadow)
        replace_all_uses(function, places)
        self._copy_arguments(at, places)  # they read what has just been replaced
        index = entry_index(function)
        entry.instructions[index:index] = at.instructions
        for block, index in list(exit_points(function)):
            emit_exit(code, frame, block, index)

    def _copy_arguments(self, at: Builder, places: Mapping[Value, Value]) -> None:
        types = at.types
        pointer = types.ptr_default
        signature = types.function(types.void, [pointer, pointer, types.i64, types.i1])
        for variable, place in places.items():
            if isinstance(variable, Argument):
                copy = at.module.declare_function("llvm.memcpy.p0.p0.i64", signature)
                amount = at.integer(64, self._size(variable))
                at.call(copy, [place, variable, amount, at.integer(1, 0)])

    def _moves(self, variable: Value, usage: Usage) -> bool:
        if not usage.is_interesting or not 0 < self._size(variable) <= _MAX_VARIABLE_BYTES:
            return False
        return isinstance(variable, Argument) or (
            isinstance(variable, Alloca)
            and is_movable(variable)
            and is_static(self._function, variable)
        )

    def _alignment_of(self, argument: Value) -> int:
        assert isinstance(argument, Argument)
        found = find_attribute(self._function.attributes.parameter(argument.index), "align")
        return found.value if found is not None and isinstance(found.value, int) else 1

    def _size(self, variable: Value) -> int:
        """Bytes; 0 when not known."""
        return self._usages[variable].size_bytes or 0

    def _described(
        self, variable: Value, names: Mapping[Value, StackName], scopes: ScopePlan
    ) -> StackVariable:
        name = names[variable]
        own = variable.alignment if isinstance(variable, Alloca) else self._alignment_of(variable)
        alignment = max(own, MINIMUM_ALIGNMENT)
        return StackVariable(
            name.text, self._size(variable), alignment, name.line,
            starts_dead=variable in scopes.start_dead, is_followed=variable in scopes.followed,
        )  # fmt: skip


def is_movable(alloca: Alloca) -> bool:
    """Whether a pointer into other memory may stand for the alloca."""
    pointer = alloca.type
    in_main_space = isinstance(pointer, PointerType) and not pointer.address_space
    return in_main_space and not alloca.swifterror and not alloca.inalloca


def is_static(function: Function, variable: Value) -> bool:
    """Whether an alloca belongs to the frame that every activation has."""
    if not isinstance(variable, Alloca) or not isinstance(variable.count, ConstantInt):
        return False
    return any(one is variable for one in function.entry.instructions)


def _entry_location(function: Function) -> DILocation | None:
    """The line where the body begins: the first place of the function that debuggers know."""
    described = dict(function.metadata).get("dbg")
    if not isinstance(described, DebugNode):
        return None
    line = described.get("scopeLine") or described.get("line") or 0
    return DILocation(int(line), 0, described)


def _drop_allocas(function: Function, places: Collection[Value]) -> None:
    """Takes the moved allocas out; debug records before them go to what follows."""
    kept: list[Instruction] = []
    records: list[DebugRecord] = []
    for instruction in function.entry.instructions:
        if instruction in places:
            records += instruction.debug_records
            continue
        if records:
            instruction.debug_records = [*records, *instruction.debug_records]
            records = []
        kept.append(instruction)
    function.entry.instructions = kept
