"""The catalogue of findings: every kind that irsan reports, and what it means.

docs/findings.md shows them (`catalogue_page.py`); `rules.py` gives each an id and advice.
A kind is the word of the native tool's SUMMARY line; `*` stands for the name of a function or type.
Who adds a kind adds its row, and a program in tests/programs that shows it (a test asks for both).

Source: compiler-rt's asan_errors.cpp, tsan_report.cpp and tsan_debugging.cpp, lsan_common.cpp,
gwp_asan/common.cpp and ubsan_checks.inc for the words; those marked "irsan's own" are found by no
native tool.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple

from irsan.reports.model.report import Tool

_ASAN: Tool = "AddressSanitizer"
_TSAN: Tool = "ThreadSanitizer"
_LSAN: Tool = "LeakSanitizer"
_GWP: Tool = "GWP-ASan"
_UBSAN: Tool = "UndefinedBehaviorSanitizer"
_MSAN: Tool = "MemorySanitizer"


class Kind(NamedTuple):
    """One kind.

    suppressed_by  type of the line in a suppression file that hides it, "" for none
    short          what __tsan_get_report_data calls it, "" where that is the kind itself
    flag           the flag that turns it off or on, as it is written to do so
    """

    tool: Tool
    text: str
    meaning: str
    suppressed_by: str = ""
    short: str = ""
    flag: str = ""


BROKEN_PRECONDITION = "library-precondition"
_INTERCEPTED = "interceptor_name"  # and interceptor_via_fun and interceptor_via_lib as well

KINDS: tuple[Kind, ...] = (
    # accesses to memory that may not be accessed
    Kind(_ASAN, "heap-buffer-overflow", "access before or behind a heap block", _INTERCEPTED),
    Kind(_ASAN, "heap-use-after-free", "access to a heap block that was freed", _INTERCEPTED),
    Kind(_ASAN, "stack-buffer-overflow", "access behind a local variable", _INTERCEPTED),
    Kind(_ASAN, "stack-buffer-underflow", "access before a local variable", _INTERCEPTED),
    Kind(_ASAN, "dynamic-stack-buffer-overflow",
         "access beside an alloca or a variable-length array", _INTERCEPTED),
    Kind(_ASAN, "stack-use-after-return", "access to a variable of a call that has returned",
         _INTERCEPTED, flag="detect_stack_use_after_return=0"),
    Kind(_ASAN, "stack-use-after-scope", "access to a variable whose block has ended",
         _INTERCEPTED),
    Kind(_ASAN, "global-buffer-overflow", "access beside a global variable", _INTERCEPTED,
         flag="report_globals=0"),
    Kind(_ASAN, "initialization-order-fiasco",
         "access to a global of another file that was not initialised yet", _INTERCEPTED,
         flag="check_initialization_order=1"),
    Kind(_ASAN, "container-overflow", "access to the unused part of a container's storage",
         _INTERCEPTED, flag="detect_container_overflow=0"),
    Kind(_ASAN, "use-after-poison", "access to memory that the program has poisoned", _INTERCEPTED,
         flag="allow_user_poisoning=0"),
    Kind(_ASAN, "intra-object-overflow",
         "access beyond a field, by a pointer derived from that field", _INTERCEPTED,
         flag="check_object_bounds=2"),
    Kind(_ASAN, "access-outside-provenance",
         "access to another object than the one the pointer belongs to, at any distance",
         flag="--sanitize provenance"),
    Kind(_ASAN, "use-of-dead-provenance",
         "access by a pointer to an object that is dead, whatever its memory is now",
         flag="--sanitize provenance"),
    Kind(_ASAN, "access-without-exposure",
         "access by a pointer made of a number, to an object whose address was never one",
         flag="--sanitize provenance"),
    Kind(_ASAN, "unknown-crash", "access to memory that nothing is known about", _INTERCEPTED),
    Kind(_ASAN, "stack-overflow", "the stack has no room for another call"),
    Kind(_ASAN, "SEGV", "access to an address that is not mapped, or not for that access",
         flag="handle_segv=0"),
    Kind(_ASAN, "BUS", "access to a mapping that has no memory behind it", flag="handle_sigbus=0"),
    Kind(_ASAN, "FPE", "a division by zero, or one that overflows", flag="handle_sigfpe=0"),
    Kind(_ASAN, "ILL", "a trap, or an instruction that does not exist", flag="handle_sigill=0"),
    Kind(_ASAN, "ABRT", "the program ends itself: failed assertion, uncaught exception, abort",
         flag="handle_abort=0"),
    Kind(_ASAN, "panic", "a panic of Rust that nothing catches has ended the program (irsan's own)",
         flag="report_panics=0"),
    Kind(_ASAN, BROKEN_PRECONDITION,
         "a call that the C++ library's own checks refuse: an index, an iterator, an empty value",
         flag="--stdlib native"),
    Kind(_ASAN, "TRAP", "a trap of the compiler: code that cannot be reached",
         flag="handle_sigtrap=1"),
    # calls of the heap
    Kind(_ASAN, "double-free", "a block is freed twice"),
    Kind(_ASAN, "bad-free", "free of what is no block: inside of one, a variable, anything"),
    Kind(_ASAN, "alloc-dealloc-mismatch", "malloc with delete, new with delete[], and the like",
         "alloc_dealloc_mismatch", flag="alloc_dealloc_mismatch=0"),
    Kind(_ASAN, "new-delete-type-mismatch", "delete with another size or alignment than new",
         flag="new_delete_type_mismatch=0"),
    Kind(_ASAN, "free-size-mismatch", "free_sized with another size or alignment than malloc",
         flag="free_size_mismatch=0"),
    Kind(_ASAN, "calloc-overflow", "calloc of more than an address can count"),
    Kind(_ASAN, "reallocarray-overflow", "reallocarray of more than an address can count"),
    Kind(_ASAN, "pvalloc-overflow", "pvalloc that rounds up to more than an address can count"),
    Kind(_ASAN, "allocation-size-too-big", "a block bigger than any may be",
         flag="allocator_may_return_null=1"),
    Kind(_ASAN, "out-of-memory", "no memory is left", flag="allocator_may_return_null=1"),
    Kind(_ASAN, "rss-limit-exceeded", "more memory in use than allowed",
         flag="soft_rss_limit_mb=0, hard_rss_limit_mb=0"),
    Kind(_ASAN, "mmap-limit-exceeded", "more memory mapped than allowed", flag="mmap_limit_mb=0"),
    Kind(_ASAN, "invalid-allocation-alignment", "an alignment that is no power of two",
         flag="allocator_may_return_null=1"),
    Kind(_ASAN, "invalid-aligned-alloc-alignment",
         "aligned_alloc of a size that is no multiple of the alignment",
         flag="allocator_may_return_null=1"),
    Kind(_ASAN, "invalid-posix-memalign-alignment",
         "posix_memalign with an alignment that it does not allow",
         flag="allocator_may_return_null=1"),
    Kind(_ASAN, "bad-malloc_usable_size", "the size is asked of what is no block"),
    Kind(_ASAN, "bad-__sanitizer_get_allocated_size", "the size is asked of what is no block"),
    # calls of the library, and what a program says itself
    Kind(_ASAN, "*-param-overlap",
         "memcpy, strcpy and similar functions from and to the same bytes",
         _INTERCEPTED),
    Kind(_ASAN, "negative-size-param", "a size that was negative before it was converted",
         _INTERCEPTED),
    Kind(_ASAN, "bad-__sanitizer_annotate_*", "bounds of a container that are out of order"),
    Kind(_ASAN, "invalid-pointer-pair", "pointers into two objects are compared or subtracted",
         flag="detect_invalid_pointer_pairs=1"),
    Kind(_ASAN, "odr-violation", "two definitions of one variable", "odr_violation",
         flag="detect_odr_violation=0"),
    Kind(_ASAN, "w-and-x-usage", "pages that may be written and executed (a warning)",
         flag="detect_write_exec=1"),
    # leaks
    Kind(_LSAN, "direct-leak", "nothing points to the block any more", "leak",
         flag="detect_leaks=0"),
    Kind(_LSAN, "indirect-leak", "only blocks that are lost point to it", "leak",
         flag="detect_leaks=0"),
    # the sampled pool
    Kind(_GWP, "Use After Free", "access to a slot that was freed"),
    Kind(_GWP, "Double Free", "a slot is freed twice"),
    Kind(_GWP, "Invalid (Wild) Free", "free of what is no block of the pool"),
    Kind(_GWP, "Buffer Overflow", "access behind a slot's block"),
    Kind(_GWP, "Buffer Underflow", "access before a slot's block"),
    # races
    Kind(_TSAN, "data race", "two accesses that nothing orders, one of them a write", "race",
         "data-race", "report_bugs=0"),
    Kind(_TSAN, "data race on vptr (ctor/dtor vs virtual call)",
         "an object is made or destroyed while another thread calls it", "race", "data-race-vptr",
         "report_bugs=0"),
    Kind(_TSAN, "heap-use-after-free",
         "an access that nothing orders with the free of its block; without address checks any "
         "access after it", "race",
         flag="report_bugs=0"),
    Kind(_TSAN, "heap-use-after-free (virtual call vs free)",
         "a virtual call that nothing orders with the free of its object", "race",
         "heap-use-after-free-vptr", "report_bugs=0"),
    Kind(_TSAN, "race on *", "two uses of an object by its library's own words", "race",
         "external-race"),
    Kind(_TSAN, "Swift access race", "two uses of a Swift variable", "race", "external-race"),
    Kind(_TSAN, "missed expected data race", "a race that was announced has not come", "race"),
    # locks
    Kind(_TSAN, "lock-order-inversion (potential deadlock)",
         "threads take locks in orders that can make them wait for each other", "deadlock",
         "lock-order-inversion", "detect_deadlocks=0"),
    Kind(_TSAN, "deadlock", "all threads wait, some of them for each other (irsan's own)",
         "deadlock"),
    Kind(_TSAN, "lost wakeup (all threads asleep for ever)",
         "all threads wait, and no thread or handler could wake them (irsan's own)",
         "deadlock"),
    Kind(_TSAN, "no progress (threads run for ever)",
         "a schedule that is explored has had more points than it may (irsan's own)", "deadlock"),
    Kind(_TSAN, "double lock of a mutex", "a thread locks what it holds", "mutex",
         "mutex-double-lock", "report_mutex_bugs=0"),
    Kind(_TSAN, "unlock of an unlocked mutex (or by a wrong thread)",
         "a lock is given up by who does not hold it", "mutex", "mutex-bad-unlock",
         "report_mutex_bugs=0"),
    Kind(_TSAN, "read lock of a write locked mutex", "a thread reads under its own write lock",
         "mutex", "mutex-bad-read-lock", "report_mutex_bugs=0"),
    Kind(_TSAN, "read unlock of a write locked mutex",
         "a write lock is given up as if it were a read lock", "mutex", "mutex-bad-read-unlock",
         "report_mutex_bugs=0"),
    Kind(_TSAN, "destroy of a locked mutex", "a lock is destroyed while it is held", "mutex",
         "locked-mutex-destroy", "report_destroy_locked=0"),
    Kind(_TSAN, "use of an invalid mutex (e.g. uninitialized or destroyed)",
         "a lock is used after it was destroyed", "mutex", "mutex-invalid-access",
         "report_mutex_bugs=0"),
    Kind(_TSAN, "wait on a condition variable without its mutex",
         "a thread waits and does not hold the mutex (irsan's own)", "mutex",
         flag="report_mutex_bugs=0"),
    Kind(_TSAN, "wait on a condition variable with two mutexes",
         "threads wait for one condition with different mutexes (irsan's own)", "mutex",
         flag="report_mutex_bugs=0"),
    Kind(_TSAN, "mutex held at thread exit", "a thread has ended and holds a lock (irsan's own)",
         "mutex", flag="report_mutex_bugs=0"),
    Kind(_TSAN, "mutex held in the wrong context",
         "locks are held where the program says that none may be", "mutex",
         "mutex-held-wrong-context"),
    # threads and signals
    Kind(_TSAN, "thread leak",
         "a thread has ended, or not begun, and is neither joined nor detached", "thread",
         "thread-leak", "report_thread_leaks=0"),
    Kind(_TSAN, "thread finished with ignores enabled",
         "an annotation began to ignore accesses or synchronisation, and none has ended that",
         "thread", flag="report_bugs=0"),
    Kind(_TSAN, "join of *", "a thread is joined that was joined before, or that cannot be joined",
         "thread", flag="detect_invalid_join=0"),
    Kind(_TSAN, "signal-unsafe call inside of a signal",
         "a handler calls what may not be called there", "signal", "signal-unsafe-call",
         "report_signal_unsafe=0"),
    Kind(_TSAN, "signal handler spoils errno", "a handler leaves another errno behind", "signal",
         "errno-in-signal-handler", "report_bugs=0"),
    # undefined behaviour
    Kind(_UBSAN, "null-pointer-use",
         "a null pointer is read or written through, or bound to a reference", "null"),
    Kind(_UBSAN, "misaligned-pointer-use",
         "an address that is no multiple of what its type asks for", "alignment"),
    Kind(_UBSAN, "insufficient-object-size",
         "less memory than the type that is accessed needs", "object-size"),
    Kind(_UBSAN, "alignment-assumption",
         "an alignment that the program has promised is not there", "alignment"),
    Kind(_UBSAN, "nullptr-with-offset",
         "zero is added to a null pointer (in C)", "pointer-overflow"),
    Kind(_UBSAN, "nullptr-with-nonzero-offset",
         "a null pointer and an offset are added", "pointer-overflow"),
    Kind(_UBSAN, "nullptr-after-nonzero-offset",
         "pointer arithmetic leads to null", "pointer-overflow"),
    Kind(_UBSAN, "pointer-overflow",
         "pointer arithmetic wraps around the address space", "pointer-overflow"),
    Kind(_UBSAN, "signed-integer-overflow",
         "a result does not fit its signed type", "signed-integer-overflow"),
    Kind(_UBSAN, "unsigned-integer-overflow",
         "a result wraps; defined, checked when asked for",
         "unsigned-integer-overflow", flag="silence_unsigned_overflow=1"),
    Kind(_UBSAN, "integer-divide-by-zero",
         "an integer is divided by zero", "integer-divide-by-zero"),
    Kind(_UBSAN, "float-divide-by-zero",
         "a floating-point number is divided by zero; checked when asked for",
         "float-divide-by-zero"),
    Kind(_UBSAN, "invalid-shift-base",
         "a shift moves bits out of a signed type, or shifts a negative number", "shift-base"),
    Kind(_UBSAN, "invalid-shift-exponent",
         "a shift by a negative number, or by as many bits as there are", "shift-exponent"),
    Kind(_UBSAN, "out-of-bounds-index",
         "an index beyond an array whose length the type says", "bounds"),
    Kind(_UBSAN, "local-out-of-bounds",
         "an access outside a variable whose size the compiler knows", "local-bounds"),
    Kind(_UBSAN, "non-positive-vla-index",
         "a variable-length array without an element", "vla-bound"),
    Kind(_UBSAN, "float-cast-overflow",
         "a floating-point value does not fit the integer type", "float-cast-overflow"),
    Kind(_UBSAN, "invalid-bool-load", "a boolean that is neither 0 nor 1", "bool"),
    Kind(_UBSAN, "invalid-enum-load", "a value that an enumeration cannot have", "enum"),
    Kind(_UBSAN, "implicit-unsigned-integer-truncation",
         "a conversion loses bits; checked when asked for", "implicit-unsigned-integer-truncation"),
    Kind(_UBSAN, "implicit-signed-integer-truncation",
         "a conversion loses bits, one type is signed; checked when asked for",
         "implicit-signed-integer-truncation"),
    Kind(_UBSAN, "implicit-integer-sign-change",
         "a conversion changes the sign; checked when asked for", "implicit-integer-sign-change"),
    Kind(_UBSAN, "implicit-signed-integer-truncation-or-sign-change",
         "a conversion loses bits or changes the sign; checked when asked for",
         "implicit-integer-sign-change"),
    Kind(_UBSAN, "unreachable-call",
         "what the program says is never reached is reached", "unreachable"),
    Kind(_UBSAN, "missing-return", "a function that has a value ends without one", "return"),
    Kind(_UBSAN, "invalid-builtin-use",
         "__builtin_clz or __builtin_ctz of zero, an assumption that does not hold",
         "invalid-builtin-use"),
    Kind(_UBSAN, "invalid-null-argument",
         "null for an argument that is declared not to be null", "nonnull-attribute"),
    Kind(_UBSAN, "invalid-null-return",
         "null from a function that is declared not to return it", "returns-nonnull-attribute"),
    Kind(_UBSAN, "function-type-mismatch",
         "a function is called as if it had another type", "function"),
    Kind(_UBSAN, "dynamic-type-mismatch", "an object of another class, or none", "vptr"),
    Kind(_UBSAN, "invalid-objc-cast",
         "an Objective-C object of another class", "invalid-objc-cast"),
    Kind(_UBSAN, "cfi-bad-type",
         "an indirect call that control flow integrity does not allow", "cfi"),
    # values that were never set
    Kind(_MSAN, "use-of-uninitialized-value",
         "a value that was never set decides a branch, an address, a divisor or a library call",
         flag="report_umrs=0"),
    Kind(_MSAN, "missing-use-of-uninitialized-value",
         "the program has announced such a use to come, and none came"),
)  # fmt: skip


def find_kind(tool: Tool, text: str) -> Kind | None:
    """The row of a kind; None when it is not in the catalogue."""
    exact = (kind for kind in KINDS if (kind.tool, kind.text) == (tool, text))
    found = next(exact, None)
    if found is not None:
        return found
    named = (kind for kind in KINDS if kind.tool == tool and "*" in kind.text)
    return next((kind for kind in named if fnmatchcase(text, kind.text)), None)
