"""All instruction classes under one name; each family has its own file.

operations.py  BinaryOp UnaryOp Cast ICmp FCmp Select Freeze VAArg ShuffleVector
               ExtractElement InsertElement ExtractValue InsertValue
memory.py      Alloca Load Store GetElementPtr Fence CmpXchg AtomicRMW
calls.py       Call Invoke CallBr OperandBundle
control.py     Ret Br Switch IndirectBr Unreachable Resume LandingPad
               FuncletPad CatchSwitch CatchRet CleanupRet
phi.py         Phi
"""

from __future__ import annotations

from irsan.ir.calls import CALLING_CONVENTIONS, Call, CallBr, CallTerminator, Invoke, OperandBundle
from irsan.ir.control import (
    Br,
    CatchRet,
    CatchSwitch,
    CleanupRet,
    FuncletPad,
    IndirectBr,
    LandingPad,
    Resume,
    Ret,
    Switch,
    Unreachable,
)
from irsan.ir.instruction import DebugRecord, Instruction, Terminator
from irsan.ir.memory import Alloca, AtomicRMW, CmpXchg, Fence, GetElementPtr, Load, Store
from irsan.ir.operations import (
    BinaryOp,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    FCmp,
    Freeze,
    ICmp,
    InsertElement,
    InsertValue,
    Select,
    ShuffleVector,
    UnaryOp,
    VAArg,
)
from irsan.ir.phi import Phi

__all__ = [
    "CALLING_CONVENTIONS",
    "Alloca",
    "AtomicRMW",
    "BinaryOp",
    "Br",
    "Call",
    "CallBr",
    "CallTerminator",
    "Cast",
    "CatchRet",
    "CatchSwitch",
    "CleanupRet",
    "CmpXchg",
    "Compare",
    "DebugRecord",
    "ExtractElement",
    "ExtractValue",
    "FCmp",
    "Fence",
    "Freeze",
    "FuncletPad",
    "GetElementPtr",
    "ICmp",
    "IndirectBr",
    "InsertElement",
    "InsertValue",
    "Instruction",
    "Invoke",
    "LandingPad",
    "Load",
    "OperandBundle",
    "Phi",
    "Resume",
    "Ret",
    "Select",
    "ShuffleVector",
    "Store",
    "Switch",
    "Terminator",
    "UnaryOp",
    "Unreachable",
    "VAArg",
]
