"""What lies at an address: one frozen class per possible answer, and the stack frame.

Every class is JSON-ready: its fields are numbers, strings, frozen tuples or other such classes;
`Address` marks the integers that are printed in hexadecimal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

Address = Annotated[int, "address"]
Relation = Literal["before", "inside", "after"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One function activation; inlined ones are frames of their own, sharing the `pc`.

    `function` is the linkage name as the IR has it (`_ZN3foo3barEv`); printers demangle it.
    `module_offset` is the pc relative to the module's base; `function_offset` is in bytes,
    -1 when unknown.
    `interceptor` marks a frame of irsan's own (malloc, memcpy): printed, but never blamed.
    `library` marks code that is not the program's own: the standard library's, the compiler's.
    `expression` is what the access there touches, in the words of the source: `s->next[3]`.
    `end_column` is behind the expression, or the word, that stands at the place; 0 when unknown.
    """

    function: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    pc: Address = 0
    module: str = ""
    module_offset: Address = 0
    function_offset: int = -1
    interceptor: bool = False
    expression: str = ""
    library: bool = False
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class HeapRegion:
    """A heap block [region_lo, region_hi) that holds, or is nearest to, `address`.

    `distance_bytes` counts from region_lo when inside, from the nearer edge otherwise.
    Its stacks are those of the finding with roles `allocation` and `free` and the same `subject`.
    `object_type` is what the program has said that it holds, by an external tag.
    """

    address: Address
    relation: Relation
    distance_bytes: int
    region_lo: Address
    region_hi: Address
    freed: bool = False
    object_type: str = ""

    @property
    def size_bytes(self) -> int:
        """Size the program asked for."""
        return self.region_hi - self.region_lo


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """A global that holds, or is nearest to, `address`; `text` is the value of a string literal."""

    address: Address
    name: str
    lo: Address
    size_bytes: int
    relation: Relation = "inside"
    distance_bytes: int = 0
    file: str = ""
    line: int = 0
    column: int = 0
    module: str = ""
    module_offset: Address = 0
    text: str | None = None


@dataclass(frozen=True, slots=True)
class StackObject:
    """A local variable at bytes [begin, end) of its frame; `line` 0 when unknown."""

    name: str
    begin: int
    end: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class StackLocation:
    """A place `offset` bytes into a stack frame whose named objects are known.

    `access_size` lets the printer say which object the access over- or underflows.
    """

    address: Address
    thread: str
    offset: int
    frame: Frame
    objects: tuple[StackObject, ...] = ()
    access_size: int = 1


@dataclass(frozen=True, slots=True)
class WildAddress:
    """Nothing of the program is known there; `area` names a reserved area if it lies in one."""

    address: Address
    access_size: int = 1
    area: Literal["wild", "shadow gap", "high shadow", "low shadow"] = "wild"


@dataclass(frozen=True, slots=True)
class ThreadStack:
    """Somewhere in a thread's stack, in no frame that has named objects."""

    address: Address
    thread: str


@dataclass(frozen=True, slots=True)
class TlsBlock:
    """Somewhere in a thread's thread-local storage; `name` of the variable when known."""

    address: Address
    thread: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class FileDescriptor:
    """A file descriptor raced on; its stack has role `allocation` (created) or `free`."""

    number: int
    thread: str
    closed: bool = False


@dataclass(frozen=True, slots=True)
class LibraryState:
    """Data that the C library keeps for some functions; `instead`: others that keep none."""

    functions: tuple[str, ...]
    instead: tuple[str, ...] = ()

    @property
    def in_words(self) -> str:
        """Whose data it is, and what to call in their place."""
        kept = f"data that the C library keeps for {_listed(self.functions)}"
        if not self.instead:
            return kept
        return f"{kept}; {_listed(self.instead)} {'keep' if self.instead[1:] else 'keeps'} none"


def _listed(names: tuple[str, ...]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


Location = (
    HeapRegion
    | GlobalVariable
    | StackLocation
    | WildAddress
    | ThreadStack
    | TlsBlock
    | FileDescriptor
    | LibraryState
)
