"""Flags become the words that kernels read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine import flag_options
from irsan.engine.flag_options import exclusive_signals, flags_to_options
from irsan.errors import UsageError
from irsan.runtime.flags.flag_table import FLAGS
from irsan.runtime.flags.flags import parse_flags
from irsan.runtime.layout import options

MIB = 1 << 20


def words(text: str, variable: str = "ASAN_OPTIONS") -> dict[int, int]:
    parsed = parse_flags({variable: text})
    assert parsed.warnings == ()
    return flags_to_options(parsed.flags)


def test_no_flags_give_a_word_for_every_option() -> None:
    found = words("")
    assert set(options.DEFAULTS) <= set(found)
    assert all(isinstance(value, int) for value in found.values())
    assert max(found) < 64  # the Context has that many


def test_kernels_start_from_the_flags_defaults() -> None:
    """What a kernel sees without a host is what it sees with one, but for the machine's memory."""
    machine = {options.MACHINE_BYTES: words("")[options.MACHINE_BYTES]}
    assert words("") == {**words(""), **options.DEFAULTS, **machine}
    assert machine[options.MACHINE_BYTES] > 1 << 20


NUMBERS = {n: i for n, i in flag_options._ASAN_WORDS.items()
           if next(f for f in FLAGS if f.name == n).type in ("int", "uptr")}  # fmt: skip
SWITCHES = {n: i for n, i in flag_options._ASAN_WORDS.items() if n not in NUMBERS}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_a_word(name: str) -> None:
    assert words(f"{name}=77")[NUMBERS[name]] == 77
    assert words(f"{name}=77", "IRSAN_OPTIONS")[NUMBERS[name]] == 77


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_a_word(name: str) -> None:
    for text, value in (("0", 0), ("1", 1), ("no", 0), ("true", 1)):
        found = words(f"{name}={text}")[SWITCHES[name]]
        assert found == value or name == "replace_intrin"


@pytest.mark.parametrize("name", flag_options._INTERCEPT_FLAGS)
def test_each_family_is_switched_off_by_a_bit_of_its_own(name: str) -> None:
    bit = flag_options._INTERCEPT_FLAGS[name]
    assert bit.bit_count() == 1
    assert words(f"{name}=0")[options.SWITCHED_OFF] == bit
    assert words(f"{name}=1")[options.SWITCHED_OFF] == 0


def test_bits_of_families_differ() -> None:
    bits = list(flag_options._INTERCEPT_FLAGS.values())
    assert len(set(bits)) == len(bits)


@pytest.mark.parametrize(
    ("sanitize", "variable"),
    [
        ({"memory"}, "MSAN_OPTIONS"),
        ({"memory", "leak"}, "MSAN_OPTIONS"),
        ({"thread", "memory"}, "MSAN_OPTIONS"),
        ({"thread"}, "TSAN_OPTIONS"),
        ({"address", "memory"}, "ASAN_OPTIONS"),
        (set(), "ASAN_OPTIONS"),
    ],
)
def test_the_tool_that_looks_at_memory_says_what_is_left_unseen(
    sanitize: set[str], variable: str
) -> None:
    text = "intercept_strlen=0:strict_memcmp=0"
    for other in ("ASAN_OPTIONS", "TSAN_OPTIONS", "MSAN_OPTIONS", "IRSAN_OPTIONS"):
        flags = parse_flags({other: text}).flags
        found = flags_to_options(flags, frozenset(sanitize))
        is_heard = other in (variable, "IRSAN_OPTIONS")
        assert found[options.SWITCHED_OFF] == (options.OFF_STRLEN if is_heard else 0)
        assert found[options.STRICT_MEMCMP] == (not is_heard)


@given(st.integers(0, 1 << 20))
def test_limits_in_mb_become_bytes(size_mb: int) -> None:
    assert words(f"quarantine_size_mb={size_mb}")[options.QUARANTINE_BYTES] == size_mb * MIB
    found = words(f"max_allocation_size_mb={size_mb}")[options.MAX_ALLOCATION_BYTES]
    assert found == (size_mb * MIB or options.DEFAULTS[options.MAX_ALLOCATION_BYTES])


def test_flags_of_the_leak_tool_limit_the_heap_that_it_searches() -> None:
    text = "max_allocation_size_mb=3:allocator_may_return_null=1"
    flags = parse_flags({"LSAN_OPTIONS": text}).flags
    for sanitize, is_limited in ((["leak"], True), (["address"], False)):
        found = flags_to_options(flags, frozenset(sanitize))
        assert (found[options.MAX_ALLOCATION_BYTES] == 3 * MIB) is is_limited
        assert found[options.ALLOCATOR_MAY_RETURN_NULL] == is_limited


def test_the_older_quarantine_flag_is_in_bytes() -> None:
    assert words("quarantine_size=4096")[options.QUARANTINE_BYTES] == 4096
    assert words("quarantine_size_mb=-1") == words("")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("quarantine_size=4096:quarantine_size_mb=2", "but not both"),
        ("thread_local_quarantine_size_kb=0", "only when quarantine_size_mb is set to 0"),
        ("thread_local_quarantine_size_kb=0:quarantine_size_mb=3", "is set to 0"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        words(text)
    assert words("thread_local_quarantine_size_kb=0:quarantine_size_mb=0")


def test_strict_order_implies_the_order() -> None:
    assert words("strict_init_order=1")[options.CHECK_INIT_ORDER] == 1
    assert words("strict_init_order=0")[options.CHECK_INIT_ORDER] == 0


def test_exclusive_signals_are_bits() -> None:
    flags = parse_flags({"ASAN_OPTIONS": "handle_segv=2:handle_sigfpe=exclusive"}).flags
    assert exclusive_signals(flags) == 1 << 11 | 1 << 8
    assert exclusive_signals(parse_flags({}).flags) == 0
    older = parse_flags({"ASAN_OPTIONS": "allow_user_segv_handler=0:handle_sigfpe=0"}).flags
    assert exclusive_signals(older) == 1 << 11 | 1 << 7 | 1 << 6 | 1 << 4


def test_intrinsics_are_checked_when_both_flags_say_so() -> None:
    for text, value in (("", 1), ("replace_intrin=0", 0), ("intercept_intrin=0", 0)):
        assert words(text)[options.REPLACE_INTRIN] == value


@pytest.mark.parametrize("variable", ["TSAN_OPTIONS", "IRSAN_OPTIONS"])
def test_clocks_and_logical_times_share_a_word(variable: str) -> None:
    assert words("", variable)[options.CLOCK] == 0
    assert words("print_clocks=1", variable)[options.CLOCK] == options.CLOCK_LAMPORT
    trees = words("clock=tree", variable)[options.CLOCK]
    assert trees & 0xFF == options.CLOCK_TREES
    assert trees >> options.CLOCK_SIDS_SHIFT == flag_options.TREES_FROM_SIDS
    both = words("clock=tree:print_clocks=1", variable)[options.CLOCK]
    assert both == trees | options.CLOCK_LAMPORT


def test_how_blocks_were_allocated_is_judged_for_the_address_sanitizer_only() -> None:
    flags = parse_flags({}).flags
    for sanitize, is_judged in ((["thread"], 0), (["leak"], 0), (["address", "thread"], 1)):
        found = flags_to_options(flags, frozenset(sanitize))
        assert found[options.ALLOC_DEALLOC_MISMATCH] == is_judged
        assert found[options.NEW_DELETE_TYPE_MISMATCH] == is_judged
