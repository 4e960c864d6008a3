"""The facts that only one family of findings has: two allocation families, a signal, a lock cycle.

One frozen class per family; a finding carries at most one. JSON-ready like `locations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from irsan.reports.model.locations import Address

DeathReason = Literal["", "abort", "assertion", "exception", "panic", "precondition"]
JOIN = "thread to join"  # what a thread in pthread_join waits for
TURN = "turn"  # what a thread waits for that can run


@dataclass(frozen=True, slots=True)
class FamilyMismatch:
    """alloc-dealloc-mismatch: names as printed, `malloc`, `operator new []`, `free`, ..."""

    allocated_with: str
    freed_with: str


@dataclass(frozen=True, slots=True)
class SizeMismatch:
    """new-delete-type-mismatch and free-size-mismatch; alignment 0 means the default one."""

    allocated_size: int
    freed_size: int
    allocated_alignment: int = 0
    freed_alignment: int = 0


@dataclass(frozen=True, slots=True)
class RangeOverlap:
    """`function`-param-overlap of [first_lo, first_hi) and [second_lo, second_hi)."""

    function: str
    first_lo: Address
    first_hi: Address
    second_lo: Address
    second_hi: Address


@dataclass(frozen=True, slots=True)
class DerivedPointer:
    """An access outside the object of its pointer: `root` lies in that object.

    [object_lo, object_hi) is the object, None when its ends are not known exactly.
    """

    root: Address
    object_lo: Address | None = None
    object_hi: Address | None = None


@dataclass(frozen=True, slots=True)
class SizeArgument:
    """negative-size-param: the size as a signed number."""

    size_bytes: int


@dataclass(frozen=True, slots=True)
class AllocationRequest:
    """A request no allocator can grant: overflow, too big, out of memory, bad alignment.

    `count` and `size_bytes` as passed (count 1 for malloc), `total_bytes` with redzones,
    `limit_bytes` the largest size supported; `alignment` 0 when the function takes none.
    """

    function: str
    size_bytes: int
    count: int = 1
    total_bytes: int = 0
    limit_bytes: int = 0
    alignment: int = 0


@dataclass(frozen=True, slots=True)
class GlobalDefinition:
    """One of the two definitions of an odr-violation; registered by stack `subject` 1 or 2."""

    name: str
    address: Address
    size_bytes: int
    file: str = ""
    line: int = 0
    column: int = 0
    module: str = ""


@dataclass(frozen=True, slots=True)
class OdrPair:
    """odr-violation: both definitions."""

    first: GlobalDefinition
    second: GlobalDefinition


@dataclass(frozen=True, slots=True)
class PointerPair:
    """invalid-pointer-pair: the two operands; locations 0 and 1 describe them."""

    first: Address
    second: Address


@dataclass(frozen=True, slots=True)
class ContainerBounds:
    """bad-__sanitizer_annotate_*: the rejected arguments, in the order they were passed."""

    function: str
    arguments: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class PointerQuery:
    """bad-malloc_usable_size and similar: a query about a pointer that is not ours."""

    function: str
    address: Address


@dataclass(frozen=True, slots=True)
class SignalFacts:
    """A deadly signal. `address` None when the hardware gives none (non-canonical).

    `cause` is empty for signals that are not about a memory access (FPE, ILL, ABRT).
    `registers` are (name, value) pairs in print order.
    `wild_jump`: the instruction itself could not be fetched; `pc_is_data`: as its memory is mapped,
    but not to be executed.
    `reason`: why the program has ended itself, with what it said and the failed `expression`.
    """

    signal: Literal["SEGV", "BUS", "FPE", "ILL", "ABRT", "TRAP", "stack-overflow"]
    address: Address | None = None
    cause: Literal["", "READ", "WRITE", "UNKNOWN"] = ""
    registers: tuple[tuple[str, Address], ...] = ()
    instruction_bytes: bytes = b""
    wild_jump: bool = False
    pc_is_data: bool = False
    reason: DeathReason = ""
    message: str = ""
    expression: str = ""


@dataclass(frozen=True, slots=True)
class PanicFacts:
    """What a panic of Rust said; empty when its payload is no text."""

    message: str = ""


@dataclass(frozen=True, slots=True)
class LeakRecord:
    """All leaked blocks with one allocation stack: total bytes and the blocks themselves."""

    total_bytes: int
    n_objects: int
    objects: tuple[tuple[Address, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LockCycle:
    """lock-order-inversion: mutex names in order; edge i goes from mutex i to i+1 (mod n).

    Edge i is explained by the stack with role `access` and `subject` i (the later mutex was
    acquired while holding the earlier one) and, if kept, `previous` and `subject` i.
    """

    mutexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThreadWait:
    """A blocked thread: for what (`mutex`, `condition variable`, ...), where, and who has it.

    `holder` is empty when no thread in particular can end the wait.
    """

    thread: str
    what: str
    address: Address
    holder: str = ""


@dataclass(frozen=True, slots=True)
class BlockedThreads:
    """deadlock, lost wakeup, no progress: what each thread waits for.

    Wait i has stack `access`, subject i; a thread that can run waits for its turn.

    `cycle` are the threads that wait for each other, in order; empty when there is no cycle.
    """

    waits: tuple[ThreadWait, ...]
    cycle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadLeak:
    """thread leak: the leaked thread and how many more were created at the same place."""

    thread: str
    n_similar: int = 0


@dataclass(frozen=True, slots=True)
class SignalHandlerFault:
    """signal handler spoils errno, signal-unsafe call inside of a signal: which signal."""

    number: int


@dataclass(frozen=True, slots=True)
class UndefinedCheck:
    """One failed check of undefined behaviour: its text, its `-fsanitize=` name, its notes.

    `object_type` is the linkage name of the type that an object of the wrong type has.
    """

    message: str
    check: str
    notes: tuple[str, ...] = ()
    object_type: str = ""


@dataclass(frozen=True, slots=True)
class UninitialisedUse:
    """Use of uninitialised bytes: how the value came to be, oldest step last.

    `created_by` reads `a heap allocation`, `an allocation of 'x' in the stack frame`, `the end of
    an object's members`, ...
    `function`, `offset` and the range are set when a libc function read the bytes.
    """

    created_by: str = ""
    function: str = ""
    offset: int = 0
    range_lo: Address = 0
    range_size: int = 0


@dataclass(frozen=True, slots=True)
class GuardedSlot:
    """A fault in the sampled guarded pool: the allocation it belongs to, and thread numbers."""

    allocation: Address
    size_bytes: int
    fault: Address
    thread: int
    allocated_by: int
    freed_by: int | None = None


Details = (
    FamilyMismatch
    | SizeMismatch
    | RangeOverlap
    | SizeArgument
    | DerivedPointer
    | AllocationRequest
    | OdrPair
    | PointerPair
    | ContainerBounds
    | PointerQuery
    | SignalFacts
    | LeakRecord
    | LockCycle
    | BlockedThreads
    | ThreadLeak
    | PanicFacts
    | SignalHandlerFault
    | UndefinedCheck
    | UninitialisedUse
    | GuardedSlot
)
