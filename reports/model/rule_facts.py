"""What code hosts and readers want to know of a kind: weakness numbers, severity, what to do.

    slug     the id of the rule; the kind in lower case with dashes unless it is given here
    cwe      numbers of the Common Weakness Enumeration, the nearest first
    level    error: the program's fault; warning: a fault by its promises; note: worth a look
    score    security severity from 0.0 (none) to 10.0, as code hosts sort by it
    fix      what to do about it, whole sentences

Rows are looked up from the top by tool and kind; `*` stands for anything.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Final, Literal, NamedTuple

Level = Literal["error", "warning", "note"]


class RuleFacts(NamedTuple):
    """Facts of a group of kinds."""

    cwe: tuple[int, ...]
    level: Level
    score: float
    fix: str


_BOUNDS = (
    "Compare the index or the size with the size of the object before the access, and see whether "
    "the object was made big enough: a terminating zero and the last element are what is forgotten "
    "most."
)
_DEAD = (
    "Find out who owns the object. Let it live as long as anything points to it, or drop the "
    "pointer when it dies: the stack of the free shows who ended its life."
)
_LOCAL_DEAD = (
    "Do not keep a pointer to a local variable beyond its block or call: return the value, let the "
    "caller provide the memory, or allocate it."
)
_FREE = "Give a block back once, by its first address, with the counterpart of what allocated it."
_SIZE = (
    "Check sizes and counts before they are asked for, and the result for null; multiply with a "
    "check for overflow."
)
_PROVENANCE = (
    "Derive the pointer from the object that is meant. Neighbours in memory are not one object for "
    "the compiler, even where their addresses fit."
)
_RACE = (
    "Hold one mutex at both accesses, or make the object atomic. Reading alone needs it too when "
    "another thread writes. What is written before a thread starts or after it was joined needs "
    "nothing."
)
_LOCKS = (
    "Take locks in one order everywhere, or all at once (std::scoped_lock); keep the time under a "
    "lock short and call nothing unknown there."
)
_MUTEX = (
    "Pair every lock with one unlock in the same thread, best by a guard object, and let the mutex "
    "live longer than its last user."
)
_THREAD = "Join every thread exactly once, or detach it once and never join it."
_SIGNAL = (
    "In a handler call only async-signal-safe functions, save and restore errno, and leave the "
    "work to the main loop, by a flag of type volatile sig_atomic_t or a pipe."
)
_ARITHMETIC = (
    "Use a wider or an unsigned type, or check the operands before: what the language does not "
    "define the compiler may assume never to happen."
)
_CONVERSION = "Convert explicitly where the loss is meant, else use a type that holds the value."
_POINTER = (
    "Check the pointer before use, and that its type, alignment and size are those of the object."
)
_CONTRACT = "Keep what the declaration promises, or take the promise away from the declaration."
_UNINITIALISED = "Give the value a content where it is declared or allocated, on every path."
_LEAK = (
    "Free the block when its last user is done, or keep a pointer to it for what shall live as "
    "long as the program."
)
_CRASH = (
    "The registers and the stack say which address or instruction failed; a small address is a "
    "member of a null pointer."
)

_A, _T = "AddressSanitizer", "ThreadSanitizer"
_U = "UndefinedBehaviorSanitizer"
_ROWS: Final[tuple[tuple[str, tuple[str, ...], RuleFacts], ...]] = (
    (_A, ("heap-buffer-overflow",), RuleFacts((122, 787, 125), "error", 8.8, _BOUNDS)),
    (_A, ("stack-buffer-overflow", "dynamic-stack-buffer-overflow"),
     RuleFacts((121, 787, 125), "error", 8.8, _BOUNDS)),
    (_A, ("stack-buffer-underflow",), RuleFacts((124, 127), "error", 8.8, _BOUNDS)),
    (_A, ("global-buffer-overflow", "container-overflow", "intra-object-overflow"),
     RuleFacts((787, 125), "error", 8.1, _BOUNDS)),
    (_A, ("heap-use-after-free",), RuleFacts((416,), "error", 8.8, _DEAD)),
    (_A, ("stack-use-after-return", "stack-use-after-scope"),
     RuleFacts((562, 825), "error", 8.1, _LOCAL_DEAD)),
    (_A, ("use-of-dead-provenance",), RuleFacts((416, 825), "error", 8.1, _DEAD)),
    (_A, ("use-after-poison",), RuleFacts((672,), "error", 7.0, _DEAD)),
    (_A, ("access-outside-provenance",), RuleFacts((823, 119), "error", 7.5, _PROVENANCE)),
    (_A, ("access-without-exposure",), RuleFacts((587,), "warning", 4.0, _PROVENANCE)),
    (_A, ("invalid-pointer-pair",), RuleFacts((469,), "warning", 3.0, _PROVENANCE)),
    (_A, ("unknown-crash",), RuleFacts((119,), "error", 7.5, _POINTER)),
    (_A, ("initialization-order-fiasco",), RuleFacts((456,), "error", 4.0,
        "Let a function hold the object as a static variable, so that it is made at first use.")),
    (_A, ("stack-overflow",), RuleFacts((674,), "error", 5.0,
        "Bound the recursion, and allocate big arrays on the heap.")),
    (_A, ("SEGV", "BUS"), RuleFacts((476, 824), "error", 6.5, _CRASH)),
    (_A, ("FPE",), RuleFacts((369,), "error", 5.0, "Check the divisor before the division.")),
    (_A, ("ILL", "TRAP"), RuleFacts((758,), "error", 5.0, _CRASH)),
    (_A, ("ABRT",), RuleFacts((617,), "error", 4.0,
        "The failed assertion or the exception is named in the report; handle it or its cause.")),
    (_A, ("panic",), RuleFacts((248, 617), "error", 4.0,
        "Handle the case that the message names: match and no unwrap, get and no index.")),
    (_A, ("library-precondition",), RuleFacts((628, 119), "error", 6.5,
        "The message names what the function asks for: compare the index with the size, ask whether"
        " there is a value, and keep no iterator beyond what invalidates it.")),
    (_A, ("double-free",), RuleFacts((415,), "error", 8.1, _FREE)),
    (_A, ("bad-free",), RuleFacts((590, 761), "error", 7.5, _FREE)),
    (_A, ("alloc-dealloc-mismatch", "new-delete-type-mismatch", "free-size-mismatch"),
     RuleFacts((762,), "error", 5.0, _FREE)),
    (_A, ("calloc-overflow", "reallocarray-overflow", "pvalloc-overflow"),
     RuleFacts((190, 131), "error", 7.5, _SIZE)),
    (_A, ("allocation-size-too-big", "out-of-memory", "rss-limit-exceeded", "mmap-limit-exceeded"),
     RuleFacts((789, 770), "error", 5.0, _SIZE)),
    (_A, ("invalid-*-alignment",), RuleFacts((628,), "error", 3.0,
        "Ask for a power of two that the function allows.")),
    (_A, ("bad-malloc_usable_size", "bad-__sanitizer_get_allocated_size"),
     RuleFacts((628, 590), "error", 5.0, "Pass the address that the allocation returned.")),
    (_A, ("*-param-overlap",), RuleFacts((475,), "error", 5.0,
        "Use memmove where source and target may overlap.")),
    (_A, ("negative-size-param",), RuleFacts((195, 839), "error", 8.1, _SIZE)),
    (_A, ("bad-__sanitizer_annotate_*",), RuleFacts((628,), "error", 2.0,
        "Pass the bounds of the container in their order.")),
    (_A, ("odr-violation",), RuleFacts((758,), "error", 4.0,
        "Define the variable in one file, declare it in a header; make private ones static.")),
    (_A, ("w-and-x-usage",), RuleFacts((732,), "warning", 4.0,
        "Map pages to be written, or to be executed, never both at once.")),
    ("LeakSanitizer", ("*",), RuleFacts((401,), "warning", 3.5, _LEAK)),
    ("GWP-ASan", ("Use After Free",), RuleFacts((416,), "error", 8.8, _DEAD)),
    ("GWP-ASan", ("Double Free",), RuleFacts((415,), "error", 8.1, _FREE)),
    ("GWP-ASan", ("Invalid*",), RuleFacts((590,), "error", 7.5, _FREE)),
    ("GWP-ASan", ("Buffer*",), RuleFacts((787, 125), "error", 8.8, _BOUNDS)),
    (_T, ("data race on vptr*",), RuleFacts((362,), "error", 7.0,
        "Let no thread call an object before its constructor has ended, or while it is destroyed: "
        "start its threads later, join them in the destructor of the most derived class.")),
    (_T, ("heap-use-after-free*",), RuleFacts((416, 362), "error", 8.1, _DEAD)),
    (_T, ("data race", "race on *", "Swift access race"),
     RuleFacts((362, 366), "error", 6.5, _RACE)),
    (_T, ("missed expected data race",), RuleFacts((), "note", 0.0,
        "The test has announced a race; see whether it still shows one.")),
    (_T, ("lock-order-inversion*",), RuleFacts((833, 667), "warning", 5.0, _LOCKS)),
    (_T, ("deadlock",), RuleFacts((833,), "error", 5.5, _LOCKS)),
    (_T, ("lost wakeup*",), RuleFacts((833, 662), "error", 5.5,
        "Change the condition under the mutex, wake after it, and wait in a loop that asks for the "
        "condition first.")),
    (_T, ("no progress*",), RuleFacts((835,), "warning", 4.0,
        "Let a thread that waits for another one sleep until it is woken; see that each loop ends "
        "whatever the order of threads. A program that is just long needs a higher --max-steps.")),
    (_T, ("wait on a condition variable*",), RuleFacts((667,), "error", 5.0,
        "Wait with the one mutex that guards the condition, locked.")),
    (_T, ("double lock*",), RuleFacts((764,), "error", 5.0, _MUTEX)),
    (_T, ("unlock of*", "read unlock*"), RuleFacts((765, 667), "error", 5.0, _MUTEX)),
    (_T, ("read lock*", "mutex held*"), RuleFacts((667,), "error", 4.0, _MUTEX)),
    (_T, ("destroy of*", "use of an invalid mutex*"),
     RuleFacts((667, 672), "error", 5.5, _MUTEX)),
    (_T, ("thread leak",), RuleFacts((772,), "warning", 3.0, _THREAD)),
    (_T, ("join of *",), RuleFacts((628,), "error", 4.0, _THREAD)),
    (_T, ("thread finished with ignores*",), RuleFacts((459,), "warning", 0.0,
        "End what the annotation began, on every path out of the thread.")),
    (_T, ("signal*",), RuleFacts((479,), "warning", 4.5, _SIGNAL)),
    (_U, ("*shift*",), RuleFacts((1335,), "error", 4.0, _ARITHMETIC)),
    (_U, ("unsigned-integer-overflow",), RuleFacts((190,), "warning", 3.0, _ARITHMETIC)),
    (_U, ("signed-integer-overflow",), RuleFacts((190,), "error", 6.0, _ARITHMETIC)),
    (_U, ("*divide-by-zero",), RuleFacts((369,), "error", 5.0,
        "Check the divisor before the division.")),
    (_U, ("float-cast-overflow",), RuleFacts((681,), "error", 4.0, _ARITHMETIC)),
    (_U, ("implicit-*",), RuleFacts((681, 197), "warning", 3.0, _CONVERSION)),
    (_U, ("out-of-bounds-index", "local-out-of-bounds", "non-positive-vla-index"),
     RuleFacts((129, 787), "error", 8.1, _BOUNDS)),
    (_U, ("null-pointer-use",), RuleFacts((476,), "error", 5.5, _POINTER)),
    (_U, ("nullptr*", "pointer-overflow"), RuleFacts((823,), "error", 4.5, _POINTER)),
    (_U, ("misaligned*", "alignment*"), RuleFacts((758,), "error", 4.5, _POINTER)),
    (_U, ("insufficient*",), RuleFacts((119, 704), "error", 4.5, _POINTER)),
    (_U, ("*type-mismatch", "cfi-*", "*objc*"), RuleFacts((843, 704), "error", 6.5, _POINTER)),
    (_U, ("invalid-bool-load", "invalid-enum-load"),
     RuleFacts((704, 457), "error", 4.0, _UNINITIALISED)),
    (_U, ("*",), RuleFacts((758,), "error", 4.0, _CONTRACT)),
    ("MemorySanitizer", ("missing-*",), RuleFacts((), "note", 0.0,
        "The test has announced such a use; see whether it still shows one.")),
    ("MemorySanitizer", ("*",), RuleFacts((457, 908), "error", 6.5, _UNINITIALISED)),
)  # fmt: skip
UNKNOWN: Final = RuleFacts((), "warning", 0.0, "Read the report: irsan has no advice for it.")


def rule_facts(tool: str, kind: str) -> RuleFacts:
    """Facts of a kind; `UNKNOWN` for one that no row is for."""
    for of_tool, patterns, facts in _ROWS:
        if of_tool == tool and any(fnmatchcase(kind, pattern) for pattern in patterns):
            return facts
    return UNKNOWN
