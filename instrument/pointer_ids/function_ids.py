"""Ids of the pointers of one function while it is rewritten.

    ids.of(v)        id of a pointer whose definition has been seen: an i64, a constant 0 where
                     nothing is known
    ids.ask(..)      appends a call of a hook
    ids.check(..)    appends the check of an access, unless it is surely inside of its object

Source: SoftBound's propagation of metadata (Nagarakatte et al., PLDI 2009, section 3.2).
"""

from __future__ import annotations

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.stack_variables import byval_sizes
from irsan.instrument.analysis.values.integer_casts import to_width
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.pointer_ids.stack_objects import StackObjects, is_plain_pointer
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantExpr, ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.metadata import MetadataNode, MetadataTuple
from irsan.ir.module import Module
from irsan.ir.values import Alias, Constant, Function, GlobalValue, GlobalVariable, Value

_OWN = MetadataTuple()
_WRITE, _SIZE_SHIFT = 1, 3


class FunctionIds:
    """State of the pass in one function; code is appended to `out`."""

    __slots__ = (
        "carried", "copies", "facts", "function", "hooks", "location", "module", "out", "parts",
        "sizes", "slots", "sorting", "stack", "values", "variadic",
    )  # fmt: skip

    def __init__(self, module: Module, function: Function, hooks: HookCalls, sizes: TypeSizes):
        """slots: pointer variable -> the variable of its id; values: ids found so far;
        parts: ids of the pointers inside of values, by path (parts.py); copies: bytes of the
        arguments that are objects of the function; carried: numbers that may have ids; sorting:
        the note of pointers in an array, and its bytes, by the call that sorts it.
        """
        self.module, self.function, self.hooks, self.sizes = module, function, hooks, sizes
        self.carried: frozenset[Value] = frozenset()
        self.copies = byval_sizes(function, sizes)
        self.facts = AddressFacts(sizes, self.copies)
        self.stack = StackObjects(function, sizes, self.facts, self.copies)
        self.values: dict[Value, Value] = {}
        self.parts: dict[Value, dict[tuple[int, ...], Value]] = {}
        self.slots: dict[Value, Alloca] = {}
        self.sorting: dict[Value, tuple[Value, Value]] = {}
        self.out: list[Instruction] = []
        self.location: MetadataNode | None = None
        self.variadic: tuple[Value, Value, Value] | None = None  # own list; bytes: variadic.py

    @property
    def unknown(self) -> ConstantInt:
        """The id of pointers that nothing is known of."""
        return self.hooks.int64(0)

    def at(self) -> Builder:
        """Appends instructions that no other pass checks."""
        return _OwnBuilder(self.module, self.out, self.location)

    def ask(self, name: str, *arguments: Value) -> Instruction:
        """Append a call of hook `__irsan_prov_<name>`."""
        made = self.hooks.call(f"__irsan_prov_{name}", arguments, self.location)
        self.out.append(made)
        return made

    def of(self, pointer: Value) -> Value:
        """The id of a pointer."""
        if isinstance(pointer, Constant):
            variable = variable_of(pointer)
            return self.unknown if variable is None else self.ask("of_global", variable)
        return self.values.get(pointer, self.unknown)

    def tell(self, name: str, number: Value) -> None:
        """Append `name`(id) if something is known of the pointer."""
        if not is_unknown(number):
            self.ask(name, number)

    def check(self, pointer: Value, size_bytes: int, *, is_write: bool) -> None:
        """An access of a known size."""
        if not size_bytes or not is_plain_pointer(pointer.type):
            return
        if self.facts.is_inside(pointer, size_bytes) and self._lives(pointer):
            return
        self.check_id(pointer, self.of(pointer), size_bytes, is_write=is_write)

    def check_id(self, pointer: Value, number: Value, size_bytes: int, *, is_write: bool) -> None:
        """The same for a pointer whose id is known to be `number`."""
        if is_unknown(number):
            return
        info = self.hooks.int64(size_bytes << _SIZE_SHIFT | is_write * _WRITE)
        arguments = [pointer, number, info, self.hooks.int32(0)]
        self.out.append(self.hooks.call("__irsan_bounds_of_id", arguments, self.location))

    def check_range(self, pointer: Value, size: Value, *, is_write: bool) -> None:
        """An access of `size` bytes, an i64."""
        number = self.of(pointer)
        if is_unknown(number):
            return
        info = self.hooks.int64(is_write * _WRITE)
        arguments = [pointer, number, size, info, self.hooks.int32(0)]
        self.out.append(self.hooks.call("__irsan_bounds_of_range", arguments, self.location))

    def _lives(self, pointer: Value) -> bool:
        """Whether a variable named in the code itself is alive: only code that we see kills it."""
        root = self.facts.locate(pointer).root
        return isinstance(root, (Alloca, GlobalVariable)) or root in self.copies

    def as_int64(self, size: Value) -> Value:
        """A number of any width, such as a size of an intrinsic, as i64."""
        return to_width(self.at(), size, 64)


def is_unknown(number: Value) -> bool:
    """Whether an id says nothing, whatever happens."""
    return isinstance(number, ConstantInt) and number.value == 0


def variable_of(pointer: Value) -> GlobalValue | None:
    """The global, or the other name of one, that a constant pointer is made of; None of others."""
    while isinstance(pointer, ConstantExpr) and (
        pointer.opcode in ("getelementptr", "bitcast", "addrspacecast")
    ):
        pointer = pointer.operands[0]
    if not isinstance(pointer, (GlobalVariable, Alias)) or pointer.thread_local:
        return None
    return pointer


class _OwnBuilder(Builder):
    __slots__ = ()

    def _add(self, instruction: Instruction) -> None:
        Builder._add(self, instruction)
        if instruction.opcode != "phi":
            instruction.metadata = (("nosanitize", _OWN),)
