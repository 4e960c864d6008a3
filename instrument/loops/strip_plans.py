"""What can be asked once for a strip of turns instead of in each, and why the rest cannot.

    for (i = 0; i < n; i++) sum += a[i - 1] + a[i] + b[i].x;

    ranges    of addresses: one hull for a[i - 1] and a[i], one for b[i].x
    objects   whether the first and the last address of a hull lie in the object of their pointer
    touches   of bytes: each access for itself, so that the race history has its place, in the
              order in which the turns come to a byte
    defined   whether bytes were given a value (defined_loads.py)

    plan = plan_strips(loop, sizes)     Plan, or the reason why there is none

A loop qualifies when nothing in it runs other code: it computes, loads, stores and checks.  So
between two safepoints nothing changes what is addressable, and no thread's clock moves.

Accesses that leave gaps are not touched ahead, nor others beside them: one by one, what is known is
known as soon, and the product of matrices took twice as long.

Soundness: an address that is checked although no turn comes to it only makes the strip take the
checked way.  Bytes are touched ahead of time only where every turn touches them and the loop's
single way out is its test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from irsan.instrument.access.safepoints import SAFEPOINT
from irsan.instrument.analysis.control_flow.counted_loops import PURE, PURE_INTRINSICS
from irsan.instrument.analysis.control_flow.linear_forms import Form, LinearForms
from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.instrument.analysis.control_flow.short_loops import most_turns
from irsan.instrument.analysis.control_flow.turn_tests import TurnTest, find_turn_test
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.check_hooks import BOUNDS_CHECK, COMPARING
from irsan.instrument.check_names import ADDRESS, THREAD
from irsan.instrument.hooks import HOOKS, Hook
from irsan.instrument.loops.address_hulls import MAX_STRIDE, Place, Range, hulls_of
from irsan.instrument.loops.defined_loads import (
    DefinedPlan,
    callee_name,
    follows_bits,
    plan_defined,
)
from irsan.instrument.loops.turn_orders import order_of_turns
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load, Store
from irsan.ir.phi import Phi
from irsan.ir.types import IntegerType, Type
from irsan.ir.values import Function, InlineAsm, Value

MAX_RANGES: Final = 32
MAX_TOUCHES: Final = 8
MAX_INSTRUCTIONS: Final = 400

TOO_BIG: Final = "a loop of many instructions"
FEW: Final = "a loop of few turns"
CALLS: Final = "a loop that calls, synchronises or reads volatile variables"
NOT_COUNTED: Final = "a loop whose turns cannot be counted ahead"
NOT_LINEAR: Final = "an address that does not grow by the same number each turn"
MANY: Final = "more addresses than are asked ahead for one loop"
OTHER_EXITS: Final = "a loop with several ways out"
NOT_EACH_TURN: Final = "not in each turn"
BESIDE: Final = "beside accesses that are not recorded ahead, or too many"
MIXED: Final = "beside accesses that come to some of the same bytes before, to some later"
UNKNOWN_BITS: Final = "a loop that stores or decides by values which may be uninitialised"
APART: Final = "accesses with gaps between them, each as fast by itself"


@dataclass(slots=True)
class Inside:
    """Addresses from `pointer` to `span` bytes behind it must be less than `length` behind `lo`."""

    pointer: Value
    stride: int
    span: int
    lo: Value
    length: Value


@dataclass(frozen=True, slots=True)
class Touch:
    """An access that every turn makes."""

    pointer: Value
    stride: int
    hook: Hook
    site: Value


@dataclass(slots=True)
class Plan:
    """What strips of a loop ask ahead, and what stands for each check in the fast version.

    left: what is still asked in each turn (a `hook.operation`), "" for nothing, by check.
    dropped: checks of bounds that are not needed in the fast version.
    why: the reason of what is left, by check.
    counter: a phi of the header that says how many turns were made.
    """

    test: TurnTest
    counter: Phi
    counter_step: int
    ranges: list[Range] = field(default_factory=list)
    objects: list[Inside] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    dropped: set[Instruction] = field(default_factory=set)
    left: dict[Instruction, str] = field(default_factory=dict)
    why: dict[Instruction, str] = field(default_factory=dict)
    safepoint: Instruction | None = None
    defined: DefinedPlan | None = None

    @property
    def gains(self) -> bool:
        """Whether the fast version has less to do."""
        ahead = self.ranges or self.touches or self.objects or self.defined
        return bool(ahead) or self.asks_about_races or self.safepoint is not None

    @property
    def asks_about_races(self) -> bool:
        """Whether race checks are left that no turn needs while races are ignored."""
        return any(asks_tool(asked, THREAD) for asked in self.left.values())


@dataclass(frozen=True, slots=True)
class _Check:
    call: Call
    hook: Hook
    form: Form | None
    stride: int | None
    each_turn: bool


def check_of(instruction: Instruction) -> Hook | None:
    """The check that an instruction calls, or None."""
    hook = HOOKS.get(callee_name(instruction))
    return hook if hook is not None and hook.group == "check" else None


def asks(instruction: Instruction) -> bool:
    """Whether an instruction is a check that strips may spare."""
    return callee_name(instruction) == BOUNDS_CHECK or check_of(instruction) is not None


def may_gain(loop: Loop) -> bool:
    """Whether a loop has anything that strips may spare: a safepoint is enough."""
    inside = [one for block in loop.blocks for one in block.instructions]
    return any(asks(one) or follows_bits(one) or _is_safepoint(one) for one in inside)


def _is_safepoint(instruction: Instruction) -> bool:
    return callee_name(instruction) == SAFEPOINT


def plan_strips(loop: Loop, sizes: TypeSizes) -> Plan | str:
    """The plan of a loop, or the reason why it has none."""
    if sum([len(block.instructions) for block in loop.blocks]) > MAX_INSTRUCTIONS:
        return TOO_BIG
    if most_turns(loop.latch, loop.header, set(loop.blocks)) is not None:
        return FEW
    if not all(_is_alone(one) for block in loop.blocks for one in block.instructions):
        return CALLS
    forms = LinearForms(loop, sizes)
    test = find_turn_test(loop, forms)
    counter = _counter_of(test, loop, forms)
    if test is None or counter is None:
        return NOT_COUNTED
    plan = Plan(test, counter[0], counter[1])
    plan.safepoint = _safepoint_of(loop)
    if any(follows_bits(one) for block in loop.blocks for one in block.instructions):
        plan.defined = plan_defined(loop, forms, sizes)
        if plan.defined is None:
            return UNKNOWN_BITS
    checks = list(_checks_of(loop, forms))
    _plan_objects(plan, loop, forms)
    _plan_ranges(plan, checks)
    _plan_touches(plan, checks, has_one_exit=len(loop.exits) == 1)
    return plan


def _is_alone(instruction: Instruction) -> bool:
    """Whether an instruction runs no other code and orders nothing."""
    if instruction.opcode in PURE:
        return True
    if isinstance(instruction, (Load, Store)):
        return instruction.ordering is None and not instruction.volatile
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    if isinstance(callee, InlineAsm):
        return not callee.assembly  # of a pinned division
    if not isinstance(callee, Function):
        return False
    name = callee.name
    return (
        check_of(instruction) is not None
        or follows_bits(instruction)
        or name == SAFEPOINT
        or (name in COMPARING or name.startswith(PURE_INTRINSICS))
    )


def _counter_of(test: TurnTest | None, loop: Loop, forms: LinearForms) -> tuple[Phi, int] | None:
    """A phi that tells how many turns were made, and its step: one of the tested number's type, or
    else one of 64 bits, which no strip makes wrap around."""
    if test is None:
        return None
    own = test.tested.type
    for phi in sorted(loop.header.phis(), key=lambda phi: phi.type is not own):
        step = forms.step(phi) if phi.type is own or _is_word(phi.type) else None
        if step and (phi.type is own or abs(step) <= MAX_STRIDE):
            return phi, step
    return None


def _is_word(kind: Type) -> bool:
    return isinstance(kind, IntegerType) and kind.width == 64


def _safepoint_of(loop: Loop) -> Instruction | None:
    """The safepoint of the latch, if the loop has one."""
    for one in [one for block in loop.blocks for one in block.instructions]:
        if _is_safepoint(one):
            return one
    return None


def _checks_of(loop: Loop, forms: LinearForms) -> list[_Check]:
    found = []
    for block in loop.blocks:
        for one in block.instructions:
            hook = check_of(one)
            if hook is not None:
                assert isinstance(one, Call)
                form = forms.of(one.operands[1])
                stride = _stride(forms, form)
                found.append(_Check(one, hook, form, stride, loop.runs_each_turn(block)))
    return found


def _stride(forms: LinearForms, form: Form | None) -> int | None:
    """Bytes from the address of one turn to that of the next; None when that is not known."""
    stride = forms.stride(form) if form is not None else None
    return stride if stride is not None and abs(stride) <= MAX_STRIDE else None


def _plan_objects(plan: Plan, loop: Loop, forms: LinearForms) -> None:
    """Checks against the object of a pointer, those that differ by a constant alone together."""
    groups: dict[tuple[object, ...], list[tuple[int, Call]]] = {}
    strides: dict[tuple[object, ...], int] = {}
    for one in [one for block in loop.blocks for one in block.instructions]:
        if not isinstance(one, Call) or getattr(one.operands[0], "name", "") != BOUNDS_CHECK:
            continue
        pointer, lo, length = one.operands[1:4]
        form = forms.of(pointer)
        stride = _stride(forms, form)
        if form is None or stride is None or not (forms.is_fixed(lo) and forms.is_fixed(length)):
            plan.why[one] = NOT_LINEAR
            continue
        end: object = length.ref if isinstance(length, ConstantInt) else length
        key: tuple[object, ...] = form.terms, stride, lo, end
        groups.setdefault(key, []).append((form.constant, one))
        strides[key] = stride
    for key, group in groups.items():
        if len(plan.objects) == MAX_RANGES:
            plan.why.update({call: MANY for _, call in group})
            continue
        low, first = min(group, key=lambda pair: pair[0])
        span = max(offset for offset, _ in group) - low
        pointer, lo, length = first.operands[1:4]
        plan.objects.append(Inside(pointer, strides[key], span, lo, length))
        plan.dropped.update(call for _, call in group)


def _plan_ranges(plan: Plan, checks: list[_Check]) -> None:
    """Hulls of the checks of addresses, one for those that differ by a constant alone."""
    places = []
    for check in checks:
        plan.left[check.call] = check.hook.operation
        if not asks_tool(check.hook.operation, ADDRESS):
            continue
        if check.form is None or check.stride is None:
            plan.why[check.call] = NOT_LINEAR
            continue
        pointer = check.call.operands[1]
        places.append(Place(check.call, pointer, check.form, check.stride, check.hook.size_bytes))
    for hull, group in hulls_of(places):
        calls = [place.key for place in group if isinstance(place.key, Call)]
        if len(plan.ranges) == MAX_RANGES:
            plan.why.update(dict.fromkeys(calls, MANY))
            continue
        plan.ranges.append(hull)
        for call in calls:
            plan.left[call] = without_tool(plan.left[call], ADDRESS)


def _offset(check: _Check) -> int:
    assert check.form is not None
    return check.form.constant


def _end(check: _Check) -> int:
    return _offset(check) + check.hook.size_bytes


def asks_tool(operation: str, tool: str) -> bool:
    """Whether a tool's question is among those of a check."""
    return operation.partition("_")[0] in (tool, "both")


def without_tool(operation: str, tool: str) -> str:
    """What is left of a check's questions without those of a tool, "" for nothing."""
    asked, _, anywhere = operation.partition("_")
    if asked == tool:
        return ""
    if asked != "both":
        return operation
    if tool == ADDRESS:
        return THREAD  # asks about any alignment
    return f"{ADDRESS}_{anywhere}" if anywhere else ADDRESS


def _plan_touches(plan: Plan, checks: list[_Check], *, has_one_exit: bool) -> None:
    """All race checks ahead, or none: beside others they are as fast by themselves."""
    asking = [one for one in checks if asks_tool(one.hook.operation, THREAD)]
    reasons = [_why_not_touched(check, has_one_exit=has_one_exit) for check in asking]
    if any(reasons) or len(asking) > MAX_TOUCHES:
        for check, reason in zip(asking, reasons, strict=True):
            plan.why.setdefault(check.call, reason or BESIDE)
        return
    ordered = _in_order_of_turns(asking)
    if ordered is None:
        plan.why.update({check.call: MIXED for check in asking})
        return
    for check in ordered:
        pointer, site = check.call.operands[1:3]
        plan.touches.append(Touch(pointer, check.stride or 0, check.hook, site))
        plan.left[check.call] = without_tool(plan.left[check.call], THREAD)


def _why_not_touched(check: _Check, *, has_one_exit: bool) -> str:
    if check.form is None or check.stride is None:
        return NOT_LINEAR
    if not has_one_exit:
        return OTHER_EXITS
    if not check.each_turn:
        return NOT_EACH_TURN
    return "" if abs(check.stride) <= check.hook.size_bytes else APART


def _in_order_of_turns(checks: list[_Check]) -> list[_Check] | None:
    """An order in which each can make all its turns at once, or None."""
    groups: dict[tuple[object, int], list[_Check]] = {}
    for check in checks:
        assert check.form is not None and check.stride is not None
        groups.setdefault((check.form.terms, check.stride), []).append(check)
    ordered: list[_Check] = []
    for (_, stride), group in groups.items():
        order = order_of_turns([(_offset(check), _end(check)) for check in group], stride)
        if order is None:
            return None
        ordered += [group[place] for place in order]
    return ordered
