"""Which instruction it was that LLVM has no code for.

LLVM says at most a function, and under the interpreter that is a helper's.  So the unit's
instructions are asked one by one: each in a helper of its own (`engine/interp/shapes.py`), all of
them at once first, then halves, until one is left whose helper cannot be compiled.

It may be that none is.  Instructions of tokens cannot stand alone, and LLVM's code generator takes
none of those that are left in a module for this machine: then it is the one that LLVM names, or the
first.  Without such it is one that a pass has made, and the message is LLVM's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from irsan.engine.front_end.module_limits import where
from irsan.engine.interp.dispatch import DECLARATIONS
from irsan.engine.interp.function_lowering import is_literal
from irsan.engine.interp.shapes import Shapes
from irsan.engine.program_image.codegen_apart import AssemblyError, CodegenError, object_apart
from irsan.errors import InternalError, IrsanError
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.metadata import MetadataString
from irsan.ir.module import Module
from irsan.ir.printing import print_module
from irsan.ir.printing.attributes import AttributeTexts
from irsan.ir.printing.numbering import number_globals
from irsan.ir.reading import parse_ir_bitcode
from irsan.ir.values import Constant, Function, GlobalValue, InlineAsm, MetadataAsValue, Value

Refusal = CodegenError | AssemblyError
_TIED_TO_ITS_BLOCK = frozenset(("alloca", "landingpad", "phi", "va_arg"))


@dataclass(slots=True)
class _Candidates:
    """Helpers by symbol: where their first instruction is, and what it is."""

    module: Module
    texts: AttributeTexts = field(default_factory=AttributeTexts)
    shapes: Shapes = field(init=False)
    places: dict[str, tuple[Function, Instruction]] = field(default_factory=dict)
    tied: list[tuple[Function, Instruction]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.shapes = Shapes(self.texts)

    def add(self, function: Function) -> None:
        """Helpers for the instructions of a function."""
        self.shapes.enter(function.attributes)
        every = [op for block in function.blocks for op in block.instructions]
        self.tied += [(function, op) for op in every if _is_of_tokens(op)]
        for op in filter(_is_alone, every):
            given = [value if _is_kept(value) else None for value in op.operands]
            symbol = self.shapes.plain(op, given, [False] * len(given))
            self.places.setdefault(symbol, (function, op))

    def text(self) -> dict[str, str]:
        """LLVM text of each helper."""
        return dict(zip(self.shapes.names.values(), self.shapes.definitions(), strict=True))


def explained(refusal: Refusal, bitcode: bytes) -> IrsanError:
    """A refusal that names function, instruction and line, as far as they can be found."""
    module = parse_ir_bitcode(bitcode)
    number_globals(module)
    candidates = _Candidates(module)
    for function in module.functions:
        if not function.is_declaration and _may_be_in(refusal, function):
            candidates.add(function)
    texts = candidates.text()
    try:
        found = _first_refused(list(texts.items()), _printer(module, candidates.texts))
    except InternalError:  # one that cannot stand alone
        found = None
    if found is not None:
        symbol, words = found
        return _named(refusal, *candidates.places[symbol], words)
    for function, op in sorted(candidates.tied, key=lambda one: _name(one[1]) not in refusal.words):
        return _named(refusal, function, op, refusal.words)
    return refusal


def _named(refusal: Refusal, function: Function, op: Instruction, words: str) -> Refusal:
    return type(refusal)(words, function.name, f"{_what(op)} (in {where(function, op)})")


def _may_be_in(refusal: Refusal, function: Function) -> bool:
    """Whether an instruction of `function` may be what LLVM means."""
    named = refusal.function
    return not named or named.startswith("irsan.") or named == function.name


def _printer(module: Module, texts: AttributeTexts) -> _Printer:
    """`print(definitions)`: a module of these alone, with the unit's types and target."""
    intrinsics = [one for one in module.functions if one.is_intrinsic]
    module.globals, module.aliases, module.ifuncs = [], [], []
    module.functions, module.named_metadata = intrinsics, {}
    module.assembly = ""
    return _Printer(module, texts)


@dataclass(frozen=True, slots=True)
class _Printer:
    module: Module
    texts: AttributeTexts

    def __call__(self, definitions: list[str]) -> str:
        return print_module(self.module, {}, [DECLARATIONS, *definitions], self.texts)


def _first_refused(items: list[tuple[str, str]], printed: _Printer) -> tuple[str, str] | None:
    """The symbol of a helper that cannot be compiled, and LLVM's words; None when all can."""
    words = _refused(items, printed)
    if words is None:
        return None
    while len(items) > 1:
        half = items[: len(items) // 2]
        said = _refused(half, printed)
        items = half if said is not None else items[len(items) // 2 :]
        words = said or words
    return items[0][0], _refused(items, printed) or words


def _refused(items: list[tuple[str, str]], printed: _Printer) -> str | None:
    try:
        object_apart(printed([text for _, text in items]), "")
    except (CodegenError, AssemblyError) as refusal:
        return refusal.words
    return None


def _is_of_tokens(op: Instruction) -> bool:
    return "token" in [op.type.text, *[value.type.text for value in op.operands]]


def _is_alone(op: Instruction) -> bool:
    """Whether an instruction means the same in a function of its own."""
    if op.is_terminator or op.opcode in _TIED_TO_ITS_BLOCK or _is_of_tokens(op):
        return False
    if isinstance(op, Call) and _is_tied(op):
        return False
    return all(_stands_alone(value) for value in op.operands)


def _stands_alone(value: Value) -> bool:
    return not isinstance(value, MetadataAsValue) or isinstance(value.metadata, MetadataString)


def _is_tied(call: Call) -> bool:
    callee = call.operands[0]
    is_own = isinstance(callee, Function) and callee.name.startswith(("llvm.va_", "llvm.local"))
    return bool(call.bundles) or call.tail == "musttail" or is_own


def _is_kept(value: Value) -> bool:
    """What stands in a helper itself: assembly, intrinsics, numbers; other symbols are loaded."""
    if isinstance(value, (InlineAsm, MetadataAsValue)):
        return True
    if isinstance(value, GlobalValue):
        return isinstance(value, Function) and value.is_intrinsic
    return isinstance(value, Constant) and value.type.text != "ptr" and is_literal(value)


def _what(op: Instruction) -> str:
    is_assembly = isinstance(op, Call) and isinstance(op.operands[0], InlineAsm)
    return "inline assembly" if is_assembly else f"`{_name(op)}`"


def _name(op: Instruction) -> str:
    callee = op.operands[0] if isinstance(op, Call) else None
    return callee.name if isinstance(callee, Function) else op.opcode

