"""Which hooks of one place become one check."""

from __future__ import annotations

import pytest

from irsan.instrument.hooks import HOOKS, check_name
from tests.instrument.checked_ir import checks_in, instrumented


def checks(lines: str, sanitizers: str = "address,thread") -> list[str]:
    text = f"define void @f(ptr %p, ptr %q) {{\n{lines}\n  ret void\n}}"
    return checks_in(instrumented(text, sanitizers, portable=False), "f")


def calls(*hooks: str) -> list[str]:
    """Checks of a function that calls hooks itself, as IR instrumented elsewhere does."""
    declared = sorted({hook.partition("(")[0] for hook in hooks})
    lines = "\n".join(f"  call void {hook}" for hook in hooks)
    text = "\n".join(f"declare void {name}(ptr)" for name in declared)
    text += f"\ndefine void @f(ptr %p, ptr %q) sanitize_thread {{\n{lines}\n  ret void\n}}"
    return checks_in(instrumented(text, "address,thread", portable=False), "f")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("  %v = load i32, ptr %p", ["read4_both"]),
        ("  store i64 1, ptr %p", ["write8_both"]),
        ("  %v = load i64, ptr %p, align 1", ["read8_both_anywhere"]),
        ("  store i16 1, ptr %p, align 1", ["write2_both_anywhere"]),
        ("  %v = load <4 x i32>, ptr %p, align 4", ["read16_both_anywhere"]),
        ("  %v = load i32, ptr %p\n  store i32 %v, ptr %p", ["read4_address", "write4_thread"]),
        ("  %v = load i8, ptr %p\n  store i8 %v, ptr %q", ["read1_both", "write1_both"]),
    ],
)
def test_both_questions_are_asked_at_once(lines: str, expected: list[str]) -> None:
    assert checks(lines) == [f"__irsan_check_{name}" for name in expected]


@pytest.mark.parametrize("size", [32, 64])
def test_wide_vectors_are_checked_for_their_address_and_are_ranges_for_races(size: int) -> None:
    load = f"  %v = load <{size // 4} x i32>, ptr %p, align 4"
    assert checks(load, "address") == [f"__irsan_check_read{size}_address_anywhere"]
    assert checks(load)[0] == f"__irsan_check_read{size}_address_anywhere"


def test_other_sizes_are_ranges() -> None:
    assert checks("  %v = load <6 x i32>, ptr %p, align 4", "address") == ["__asan_loadN"]


@pytest.mark.parametrize("sanitizer", ["address", "thread"])
def test_one_sanitizer_asks_its_own_question(sanitizer: str) -> None:
    assert checks("  store i32 1, ptr %p", sanitizer) == [f"__irsan_check_write4_{sanitizer}"]


@pytest.mark.parametrize(
    "hooks",
    [
        ("@__asan_load4(ptr %p)", "@__tsan_read4(ptr %q)"),  # another address
        ("@__asan_load4(ptr %p)", "@__tsan_read8(ptr %p)"),  # another size
        ("@__asan_load4(ptr %p)", "@__tsan_write4(ptr %p)"),  # another direction
        ("@__tsan_read4(ptr %p)", "@__tsan_read4(ptr %p)"),  # twice the same question
    ],
)
def test_other_hooks_stay_two(hooks: tuple[str, str]) -> None:
    found = calls(*hooks)
    assert len(found) == 2 and not any("both" in name for name in found)


def test_every_combination_has_a_hook() -> None:
    for is_write in (False, True):
        for size in (1, 2, 4, 8, 16):
            for what in ("address", "thread", "both"):
                hook = HOOKS[check_name(is_write, size, what)]
                assert (hook.size_bytes, hook.is_write, hook.operation) == (size, is_write, what)
