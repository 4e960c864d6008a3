"""Which stack variables no other thread can reach: allocas whose address never leaves the
function.

    load *a, store v -> *a          fine                     store a -> *p     escapes
    gep, phi, select, bitcast of a  followed                 ptrtoint a        escapes
    call f(a)                       escapes, unless the parameter is captures(none) or the callee
                                    is a hook, a memory intrinsic or a marker
    icmp a, b                       fine: it reveals where a is, but gives no right to touch it

Source: LLVM's pointer capture rules (the `captures` attribute: address against provenance).
Soundness: whatever is not listed as harmless escapes; more than `MAX_USES` uses escape.
"""

from __future__ import annotations

from collections.abc import Collection

from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.values import Function, Value

MAX_USES = 400
DERIVING = frozenset(("getelementptr", "phi", "select", "bitcast", "freeze", "addrspacecast"))
_HARMLESS = frozenset(("load", "icmp"))
_TRACKED = DERIVING | {"alloca"}
_KEEPS_ITS_POINTERS = (
    "llvm.lifetime.", "llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.dbg.",
    "llvm.masked.load.", "llvm.va_start", "llvm.va_end", "llvm.invariant.start",
    "__asan_", "__tsan_", "__irsan_",
)  # fmt: skip
_PROVENANCE = 0xCC  # bits of `captures` that hand on the right to access, also by way of the result


def unescaped_allocas(function: Function) -> frozenset[Alloca]:
    """The allocas of `function` that only its own activation can access."""
    users = users_of_pointers(function)
    allocas = [pointer for pointer in users if isinstance(pointer, Alloca)]
    return frozenset([alloca for alloca in allocas if not _escapes(alloca, users)])


def users_of_pointers(
    function: Function, arguments: Collection[Value] = ()
) -> dict[Value, list[Instruction]]:
    """Users of allocas and `arguments`, and of what may derive from them; those are all keys."""
    users: dict[Value, list[Instruction]] = {argument: [] for argument in arguments}
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode == "alloca":
                users.setdefault(instruction, [])
            for operand in instruction.operands:
                is_tracked = isinstance(operand, Instruction) and operand.opcode in _TRACKED
                if is_tracked or operand in users:
                    users.setdefault(operand, []).append(instruction)
            if isinstance(instruction, (Call, CallTerminator)):
                for bundle in instruction.bundles:
                    for operand in bundle.operands:
                        users.setdefault(operand, []).append(instruction)
    return users


def _escapes(alloca: Alloca, users: dict[Value, list[Instruction]]) -> bool:
    seen: set[Value] = {alloca}
    work: list[Value] = [alloca]
    n_uses = 0
    while work:
        pointer = work.pop()
        for user in users.get(pointer, ()):
            n_uses += 1
            if n_uses > MAX_USES or lets_go(user, pointer):
                return True
            if user.opcode in DERIVING and user not in seen:
                seen.add(user)
                work.append(user)
    return False


def lets_go(user: Instruction, pointer: Value) -> bool:
    """Whether `user` may let `pointer` escape."""
    opcode = user.opcode
    if opcode in _HARMLESS or opcode in DERIVING:
        return False
    if opcode in ("store", "atomicrmw", "cmpxchg"):
        place = 1 if opcode == "store" else 0
        return any(
            operand is pointer for index, operand in enumerate(user.operands) if index != place
        )
    if isinstance(user, (Call, CallTerminator)):
        return _call_lets_go(user, pointer)
    return True


def _call_lets_go(call: Call | CallTerminator, pointer: Value) -> bool:
    callee = call.called_function
    if callee is not None and callee.name.startswith(_KEEPS_ITS_POINTERS):
        return False
    if any(pointer in bundle.operands for bundle in call.bundles):
        return True
    return any(
        operand is pointer and not (index and keeps_argument(call, index - 1))
        for index, operand in enumerate(call.operands)
    )


def keeps_argument(call: Call | CallTerminator, index: int) -> bool:
    """Whether the callee surely keeps pointer argument `index` to itself."""
    callee = call.called_function
    sets = [call.attributes.parameter(index)]
    if callee is not None:
        sets.append(callee.attributes.parameter(index))
    for attributes in sets:
        captures = find_attribute(attributes, "captures")
        if captures is not None and not int(captures.value) & _PROVENANCE:  # type: ignore[arg-type]
            return True
        if find_attribute(attributes, "nocapture") or find_attribute(attributes, "byval"):
            return True
    return False
