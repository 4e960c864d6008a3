"""Inline assembly that is an atomic operation: of which addresses, and in which direction.

    lock; xaddl $0, $1     =*m   both        a locked instruction, and xchg, which always is one
    lock; xaddl $0, ($1)   r     both        the address is in a register
    movl $1, $0            =*m   writes      one move, which x86 orders as release and acquire;
    movl $1, $0            *m    reads       only where the assembly is volatile and all memory is
                                             clobbered, as where it stands for an atomic access

Anything else is none: an empty text with operands in memory only keeps the compiler from moving
code, and what copies or computes is a plain access.

Deviations: a compare-and-exchange counts as a write also when it fails.
Source: LLVM's reference, "Inline Asm Constraint String"; Intel's manual, volume 3, 9.2.3.9.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from irsan.instrument.analysis.calls.assembly import memory_operands
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.values import InlineAsm, Value

_LOCKED: Final = re.compile(r"\block\b|xchg", re.IGNORECASE)
_MOVE: Final = re.compile(r"\s*mov[bwlq]?\s[^;\n]*\s*", re.IGNORECASE)
_AT_REGISTER: Final = re.compile(r"\(\$\{?(\d+)")
_ALL_MEMORY: Final = "~{memory}"
_IN_BRACES: Final = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class AtomicAccess:
    """An address that assembly accesses as an atomic operation does."""

    address: Value
    is_read: bool
    is_written: bool


def atomic_accesses(call: Call | CallTerminator) -> list[AtomicAccess]:
    """What a call accesses so; nothing unless it is such assembly.  Each address once."""
    assembly = call.operands[0]
    if not isinstance(assembly, InlineAsm):
        return []
    if _LOCKED.search(assembly.assembly):
        return [AtomicAccess(one, True, True) for one in _locked_addresses(call, assembly)]
    is_ordered = assembly.side_effects and _ALL_MEMORY in assembly.constraints
    if is_ordered and _MOVE.fullmatch(assembly.assembly):
        return _moved(call, assembly)
    return []


def _locked_addresses(call: Call | CallTerminator, assembly: InlineAsm) -> list[Value]:
    """Its operands in memory, or else the registers that its text takes for addresses."""
    operands = [place for place, _ in memory_operands(call)]
    if not operands:
        arguments = _arguments_of_operands(assembly.constraints)
        numbers = [int(number) for number in _AT_REGISTER.findall(assembly.assembly)]
        indices = [arguments[number] for number in numbers if number < len(arguments)]
        operands = [call.arguments[index] for index in indices if index is not None]
    return list(dict.fromkeys(operands))


def _moved(call: Call | CallTerminator, assembly: InlineAsm) -> list[AtomicAccess]:
    """One move has one operand in memory, or none."""
    operands = [place for place, _ in memory_operands(call)]
    if len(operands) != 1:
        return []
    is_written = "=*" in assembly.constraints
    return [AtomicAccess(operands[0], not is_written, is_written)]


def _arguments_of_operands(constraints: str) -> list[int | None]:
    """Of each operand `$n`, which argument it is; None: a result."""
    found: list[int | None] = []
    n_arguments = 0
    for constraint in _IN_BRACES.sub("", constraints).split(","):
        if constraint.startswith(("~", "!")):
            continue
        takes_argument = not constraint.startswith("=") or "*" in constraint
        found.append(n_arguments if takes_argument else None)
        n_arguments += takes_argument
    return found
