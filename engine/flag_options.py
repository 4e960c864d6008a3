"""From flags, as users set them, to the option words that kernels read."""

from __future__ import annotations

from irsan.engine.machine_memory import largest_request
from irsan.engine.options import SAMPLING_SANITIZERS
from irsan.errors import UsageError
from irsan.runtime.diagnosis.diagnose_crash import HANDLE_FLAGS
from irsan.runtime.flags.flag_table import Owner
from irsan.runtime.flags.flags import Flags
from irsan.runtime.layout import options
from irsan.runtime.records.memory import guarded_records

_ASAN_WORDS = {
    "redzone": options.MIN_REDZONE_BYTES,
    "max_redzone": options.MAX_REDZONE_BYTES,
    "malloc_context_size": options.MALLOC_CONTEXT_SIZE,
    "max_malloc_fill_size": options.MAX_MALLOC_FILL_BYTES,
    "malloc_fill_byte": options.MALLOC_FILL_BYTE,
    "max_free_fill_size": options.MAX_FREE_FILL_BYTES,
    "free_fill_byte": options.FREE_FILL_BYTE,
    "allocator_may_return_null": options.ALLOCATOR_MAY_RETURN_NULL,
    "alloc_dealloc_mismatch": options.ALLOC_DEALLOC_MISMATCH,
    "new_delete_type_mismatch": options.NEW_DELETE_TYPE_MISMATCH,
    "poison_heap": options.POISON_HEAP,
    "poison_partial": options.POISON_PARTIAL,
    "poison_array_cookie": options.POISON_ARRAY_COOKIE,
    "allocator_frees_and_returns_null_on_realloc_zero": options.FREES_ON_REALLOC_ZERO,
    "check_malloc_usable_size": options.CHECK_MALLOC_USABLE_SIZE,
    "allow_user_poisoning": options.ALLOW_USER_POISONING,
    "detect_container_overflow": options.DETECT_CONTAINER_OVERFLOW,
    "replace_str": options.REPLACE_STR,
    "replace_intrin": options.REPLACE_INTRIN,
    "strict_string_checks": options.STRICT_STRING_CHECKS,
    "detect_stack_use_after_return": options.DETECT_STACK_USE_AFTER_RETURN,
    "detect_invalid_pointer_pairs": options.DETECT_INVALID_POINTER_PAIRS,
    "strict_memcmp": options.STRICT_MEMCMP,
    "check_printf": options.CHECK_PRINTF,
    "check_initialization_order": options.CHECK_INIT_ORDER,
    "enable_unmalloced_free_check": options.CHECK_UNMALLOCED_FREE,
    "detect_write_exec": options.DETECT_WRITE_EXEC,
    "strict_init_order": options.STRICT_INIT_ORDER,
}
_IRSAN_WORDS = {
    "check_object_bounds": options.CHECK_OBJECT_BOUNDS,
    "max_stack_fill_size": options.MAX_STACK_FILL_BYTES,
    "stack_fill_byte": options.STACK_FILL_BYTE,
}
_INTERCEPT_FLAGS = {
    "intercept_strstr": options.OFF_STRSTR,
    "intercept_strspn": options.OFF_STRSPN,
    "intercept_strtok": options.OFF_STRTOK,
    "intercept_strpbrk": options.OFF_STRPBRK,
    "intercept_strcmp": options.OFF_STRCMP,
    "intercept_strlen": options.OFF_STRLEN,
    "intercept_strchr": options.OFF_STRCHR,
    "intercept_memcmp": options.OFF_MEMCMP,
    "intercept_memmem": options.OFF_MEMMEM,
    "intercept_send": options.OFF_SEND,
    "intercept_stat": options.OFF_STAT,
    "intercept_strndup": options.OFF_STRNDUP,
}
_LOOKING_TOOLS: tuple[tuple[str, Owner], ...] = (
    ("address", "asan"), ("memory", "msan"), ("thread", "tsan"),
)  # fmt: skip
_MIB = 1 << 20
TREES_FROM_SIDS = 17  # up to 16 epochs are one cache line: whatever looks at one sees all
# With the pool alone, ordinary blocks behave as those of a C library: their frees are not checked.
_PLAIN_HEAP = {
    options.ALLOC_DEALLOC_MISMATCH: 0,
    options.NEW_DELETE_TYPE_MISMATCH: 0,
    options.CHECK_MALLOC_USABLE_SIZE: 0,
    options.ALLOCATOR_MAY_RETURN_NULL: 1,
}


# How a block was allocated is the address sanitizer's business; the others take every free.
_FAMILIES_UNJUDGED = {options.ALLOC_DEALLOC_MISMATCH: 0, options.NEW_DELETE_TYPE_MISMATCH: 0}


def flags_to_options(flags: Flags, sanitize: frozenset[str] = frozenset()) -> dict[int, int]:
    """Option number -> word for every option; limits given in MB become bytes.

    sanitize: what the run was asked for.  Raises UsageError for a pool that cannot be.
    """
    words = dict(options.DEFAULTS)
    view = flags.asan.as_mapping()
    for name, index in _ASAN_WORDS.items():
        words[index] = int(view[name])
    own = flags.tool("irsan").as_mapping()
    for name, index in _IRSAN_WORDS.items():
        words[index] = int(own[name])
    words.update(_library_words(flags, sanitize))
    words[options.REPLACE_INTRIN] &= int(view["intercept_intrin"])
    words[options.CHECK_INIT_ORDER] |= words[options.STRICT_INIT_ORDER]
    _refuse_contradictions(flags)
    quarantine_mb = int(view["quarantine_size_mb"])
    if int(view["quarantine_size"]) >= 0:
        words[options.QUARANTINE_BYTES] = int(view["quarantine_size"])
    if quarantine_mb >= 0:
        words[options.QUARANTINE_BYTES] = quarantine_mb * _MIB
    limit_mb = int(view["max_allocation_size_mb"])
    if "leak" in sanitize:  # flags of both tools count, as in a native run with both
        lost = flags.tool("lsan").as_mapping()
        words[options.ALLOCATOR_MAY_RETURN_NULL] |= int(lost["allocator_may_return_null"])
        limit_mb = limit_mb or int(lost["max_allocation_size_mb"])
    if "thread" in sanitize and "address" not in sanitize:
        races = flags.tsan.as_mapping()
        words[options.ALLOCATOR_MAY_RETURN_NULL] |= int(races["allocator_may_return_null"])
        limit_mb = limit_mb or int(races["max_allocation_size_mb"])
    words[options.MACHINE_BYTES] = largest_request()
    if limit_mb > 0:
        words[options.MAX_ALLOCATION_BYTES] = limit_mb * _MIB
    words[options.DETECT_DEADLOCKS] = int(flags.tsan.get_bool("detect_deadlocks"))
    words[options.ATEXIT_SLEEP_NS] = max(0, flags.tsan.get_int("atexit_sleep_ms")) * 1_000_000
    words[options.RACE_DETECTOR] = options.RACE_DETECTORS.index(flags.tsan.get_str("race_detector"))
    words[options.CLOCK] = _clock_bits(flags)
    if sanitize and "address" not in sanitize:
        words.update(_FAMILIES_UNJUDGED)
    if "gwp-asan" in sanitize:
        words.update(_pool_words(flags))
    if sanitize and sanitize <= SAMPLING_SANITIZERS:
        words.update(_PLAIN_HEAP)
    return words


def _library_words(flags: Flags, sanitize: frozenset[str]) -> dict[int, int]:
    """What library functions leave unseen: the flags of the first tool that looks at memory."""
    chosen = [owner for name, owner in _LOOKING_TOOLS if name in sanitize]
    view = flags.tool(chosen[0] if chosen else "asan").as_mapping()
    off = sum(bit for name, bit in _INTERCEPT_FLAGS.items() if not view[name])
    return {options.SWITCHED_OFF: off, options.STRICT_MEMCMP: int(view["strict_memcmp"])}


def _clock_bits(flags: Flags) -> int:
    """Form of the clocks, and what reports show of them."""
    trees = options.CLOCK_TREES | TREES_FROM_SIDS << options.CLOCK_SIDS_SHIFT
    bits = trees if flags.tsan.get_str("clock") == "tree" else 0
    return bits | (options.CLOCK_LAMPORT if flags.tsan.get_bool("print_clocks") else 0)


def exclusive_signals(flags: Flags) -> int:
    """Bit n is set when the program cannot replace the handler of signal n."""
    modes = flags.asan.as_mapping()
    meaning = ("exclusive",) if modes["allow_user_segv_handler"] else ("exclusive", "yes")
    return sum(1 << number for number, name in HANDLE_FLAGS.items() if modes[name] in meaning)


def _refuse_contradictions(flags: Flags) -> None:
    """Settings of the quarantine that cannot both hold."""
    quarantine_mb = flags.asan.get_int("quarantine_size_mb")
    if quarantine_mb >= 0 and flags.asan.get_int("quarantine_size") >= 0:
        raise UsageError(
            "ASAN_OPTIONS: please use either 'quarantine_size' (deprecated) or quarantine_size_mb,"
            " but not both"
        )
    if flags.asan.get_int("thread_local_quarantine_size_kb") == 0 and quarantine_mb:
        raise UsageError(
            "ASAN_OPTIONS: thread_local_quarantine_size_kb can be set to 0 only when"
            " quarantine_size_mb is set to 0"
        )


def _pool_words(flags: Flags) -> dict[int, int]:
    """The words of the guarded pool."""
    view = flags.gwp_asan
    n_slots = _limited(flags, "MaxSimultaneousAllocations", guarded_records.MAX_SLOTS)
    rate = _limited(flags, "SampleRate", guarded_records.MAX_SAMPLE_RATE)
    return {
        options.GUARDED_SLOTS: n_slots if view.get_bool("Enabled") else 0,
        options.GUARDED_SAMPLE_RATE: rate,
        options.GUARDED_RIGHT_ALIGN: int(view.get_bool("PerfectlyRightAlign")),
        options.GUARDED_RECOVERABLE: int(view.get_bool("Recoverable")),
    }


def _limited(flags: Flags, name: str, limit: int) -> int:
    value = flags.gwp_asan.get_int(name)
    if not 0 < value <= limit:
        raise UsageError(f"GWP_ASAN_OPTIONS: {name}={value}: expected a number from 1 to {limit}")
    return value
