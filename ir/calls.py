"""call, invoke, callbr: operands are [callee, argument...]; bundles are beside them.

Source: the LLVM Language Reference, "call Instruction", "invoke Instruction", "Operand Bundles",
"Calling Conventions".
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.ir.attributes import NO_ATTRIBUTES, AttributeList
from irsan.ir.instruction import Instruction, Terminator
from irsan.ir.types import FunctionType
from irsan.ir.values import BasicBlock, Function, Value


class OperandBundle:
    """`"tag"(operands...)` of a call."""

    __slots__ = ("operands", "tag")

    def __init__(self, tag: str, operands: Sequence[Value]) -> None:
        self.tag = tag
        self.operands = list(operands)


class Call(Instruction):
    """`tail` is "", "tail", "musttail" or "notail"; `flags` are fast-math flags."""

    __slots__ = ("attributes", "bundles", "calling_convention", "flags", "function_type", "tail")
    opcode = "call"
    attributes: AttributeList

    def __init__(
        self,
        function_type: FunctionType,
        callee: Value,
        arguments: Sequence[Value],
        attributes: AttributeList = NO_ATTRIBUTES,
        calling_convention: int = 0,
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, function_type.return_type, [callee, *arguments], name)
        self.function_type = function_type
        self.attributes = attributes
        self.calling_convention = calling_convention
        self.tail = ""
        self.flags: tuple[str, ...] = ()
        self.bundles: Sequence[OperandBundle] = ()

    @property
    def callee(self) -> Value:
        return self.operands[0]

    @property
    def arguments(self) -> list[Value]:
        return self.operands[1:]

    @property
    def called_function(self) -> Function | None:
        """The function called directly, None for an indirect call or inline assembly."""
        callee = self.operands[0]
        return callee if isinstance(callee, Function) else None


class CallTerminator(Terminator):
    """Base of invoke and callbr."""

    __slots__ = ("attributes", "bundles", "calling_convention", "function_type")
    attributes: AttributeList

    def __init__(
        self,
        function_type: FunctionType,
        callee: Value,
        arguments: Sequence[Value],
        successors: list[BasicBlock],
        attributes: AttributeList = NO_ATTRIBUTES,
        calling_convention: int = 0,
        name: str | None = None,
    ) -> None:
        result = function_type.return_type
        Terminator.__init__(self, result, [callee, *arguments], successors, name)
        self.function_type = function_type
        self.attributes = attributes
        self.calling_convention = calling_convention
        self.bundles: Sequence[OperandBundle] = ()

    @property
    def callee(self) -> Value:
        return self.operands[0]

    @property
    def arguments(self) -> list[Value]:
        return self.operands[1:]

    @property
    def called_function(self) -> Function | None:
        """The function called directly, None for an indirect call or inline assembly."""
        callee = self.operands[0]
        return callee if isinstance(callee, Function) else None


class Invoke(CallTerminator):
    """successors are [normal, unwind]."""

    __slots__ = ()
    opcode = "invoke"

    @property
    def normal(self) -> BasicBlock:
        return self.successors[0]

    @property
    def unwind(self) -> BasicBlock:
        return self.successors[1]


class CallBr(CallTerminator):
    """successors are [fallthrough, indirect...]."""

    __slots__ = ()
    opcode = "callbr"


CALLING_CONVENTIONS: dict[int, str] = {
    8: "fastcc",
    9: "coldcc",
    10: "ghccc",
    11: "cc 11",
    13: "anyregcc",
    14: "preserve_mostcc",
    15: "preserve_allcc",
    16: "swiftcc",
    17: "cxx_fast_tlscc",
    18: "tailcc",
    19: "cfguard_checkcc",
    20: "swifttailcc",
    21: "preserve_nonecc",
    64: "x86_stdcallcc",
    65: "x86_fastcallcc",
    66: "arm_apcscc",
    67: "arm_aapcscc",
    68: "arm_aapcs_vfpcc",
    69: "msp430_intrcc",
    70: "x86_thiscallcc",
    71: "ptx_kernel",
    72: "ptx_device",
    75: "spir_func",
    76: "spir_kernel",
    77: "intel_ocl_bicc",
    78: "x86_64_sysvcc",
    79: "win64cc",
    80: "x86_vectorcallcc",
    81: "hhvmcc",
    82: "hhvm_ccc",
    83: "x86_intrcc",
    84: "avr_intrcc",
    85: "avr_signalcc",
    87: "amdgpu_vs",
    88: "amdgpu_gs",
    89: "amdgpu_ps",
    90: "amdgpu_cs",
    91: "amdgpu_kernel",
    92: "x86_regcallcc",
    93: "amdgpu_hs",
    95: "amdgpu_ls",
    96: "amdgpu_es",
    97: "aarch64_vector_pcs",
    98: "aarch64_sve_vector_pcs",
    100: "amdgpu_gfx",
    102: "aarch64_sme_preservemost_from_x0",
    103: "aarch64_sme_preservemost_from_x2",
    104: "amdgpu_cs_chain",
    105: "amdgpu_cs_chain_preserve",
    106: "m68k_rtdcc",
    107: "graalcc",
    110: "riscv_vector_cc",
    111: "aarch64_sme_preservemost_from_x1",
}
"""Convention numbers with a name of their own; 0 is C and prints as nothing, the rest as `cc N`."""
