"""Lines that are sites in checked code, for the few instructions that may trap there.

    store i32 %v, ptr %p      ->  store i32 %v, ptr %p, !dbg !DILocation(line: 41, ...)

A check finds what is wrong with an access, but for a write to memory that can only be read; and a
division traps by itself. Nothing is stored in `ctx.site` for these: the processor's address of the
fault leads to a site by the object's line table, as in code without checks (fault_sites.py).
Calls of functions that have lines need one, too: the verifier wants it.

Soundness: an instruction without a line may have that of one before it, so only what is in
`SiteMarking.lines` may trap; where a stack has run over, the call in progress is reported instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.effects import CALL_OPCODES, may_trap
from irsan.instrument.sites.fault_sites import attach_lines
from irsan.instrument.sites.site_stores import Lines
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module


@dataclass(frozen=True, slots=True)
class SiteLines:
    """Takes the place of `DebugStripping`, behind `SiteMarking`; `lines` are what that has kept."""

    lines: Lines

    def apply(self, module: Module) -> None:
        """Replace debug info by the lines of functions in which something may trap."""
        numbered = [
            (function, lines.items())
            for function, lines in self.lines.items()
            if any(_traps(instruction) for instruction in lines)
        ]
        attach_lines(module, numbered)


def _traps(instruction: Instruction) -> bool:
    return instruction.opcode not in CALL_OPCODES or may_trap(instruction)
