"""Which functions and modules are instrumented, and how the sanitizers start."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, checks_in, instrumented

STORE = "{ store i32 1, ptr %p ret void }"


def test_plain_ir_is_instrumented_everywhere() -> None:
    text = instrumented(f"define void @f(ptr %p) {STORE}\ndefine void @g(ptr %p) {STORE}")
    assert checks_in(text, "f") == checks_in(text, "g") == ["__asan_store4", "__tsan_write4"]


def test_marks_restrict_their_sanitizer_only() -> None:
    text = instrumented(
        f"define void @f(ptr %p) sanitize_address {STORE}\ndefine void @g(ptr %p) {STORE}"
    )
    assert checks_in(text, "f") == ["__asan_store4", "__tsan_write4"]
    assert checks_in(text, "g") == ["__tsan_write4"]


@pytest.mark.parametrize(
    ("marks", "checks"),
    [
        ("sanitize_address", ["__asan_store4", "__tsan_write4"]),
        ("", ["__tsan_write4"]),
        ('sanitize_address "no_sanitize_thread"', ["__asan_store4"]),
    ],
)
def test_what_polly_has_outlined_is_checked_as_its_origin(marks: str, checks: list[str]) -> None:
    text = instrumented(
        f"define void @f(ptr %p) {marks} {STORE}\n"
        f'define internal void @f_polly_subfn_1(ptr %p) "polly.skip.fn" {STORE}\n'
        f"define void @marked(ptr %p) sanitize_address {STORE}\n"
        "define void @user(ptr %p) { call void @f_polly_subfn_1(ptr %p) ret void }"
    )
    assert checks_in(text, "f") == checks_in(text, "f_polly_subfn_1") == checks


def test_what_polly_has_outlined_of_a_function_that_is_gone_is_checked() -> None:
    text = instrumented(
        f'define void @gone_polly_subfn(ptr %p) "polly.skip.fn" {STORE}\n'
        f"define void @marked(ptr %p) sanitize_address {STORE}"
    )
    assert checks_in(text, "gone_polly_subfn") == ["__asan_store4", "__tsan_write4"]


def test_a_function_may_opt_out() -> None:
    text = instrumented(f'define void @f(ptr %p) "no_sanitize_thread" {STORE}')
    assert checks_in(text, "f") == ["__asan_store4"]


def test_atomics_of_unmarked_functions_are_instrumented() -> None:
    text = instrumented(
        f"define void @f(ptr %p) sanitize_thread {STORE}\n"
        "define void @g(ptr %p) {\n  store i32 1, ptr %p\n"
        "  store atomic i32 1, ptr %p release, align 4\n  ret void\n}",
        "thread",
    )
    assert checks_in(text, "g") == ["__tsan_atomic32_store"]


@pytest.mark.parametrize(
    ("declared", "hooks"),
    [
        ("__asan_init", ["__tsan_write4"]),
        ("__asan_load4", ["__tsan_write4"]),
        ("__tsan_func_entry", ["__asan_store4"]),
        ("__tsan_acquire", ["__asan_store4", "__tsan_write4"]),
    ],
)
def test_ir_with_hooks_is_not_instrumented_twice(declared: str, hooks: list[str]) -> None:
    text = instrumented(f"declare void @{declared}()\ndefine void @f(ptr %p) {STORE}")
    assert checks_in(text, "f") == hooks


def test_accesses_that_a_program_announces_itself_are_no_hooks_of_a_pass() -> None:
    text = instrumented(
        "declare void @__tsan_read4_pc(ptr, ptr)\n"
        "define void @f(ptr %p) { call void @__tsan_read4_pc(ptr %p, ptr %p)\n"
        "store i32 1, ptr %p ret void }"
    )
    assert "__tsan_write4" in checks_in(text, "f")


def test_parts_of_race_checks_can_be_left_out() -> None:
    source = (
        "define void @f(ptr %p) { store i32 1, ptr %p\n"
        "store atomic i32 1, ptr %p release, align 4 ret void }"
    )
    plain, atomic = "__tsan_write4", "__tsan_atomic32_store"
    assert checks_in(instrumented(source, "thread"), "f") == [plain, atomic]
    assert checks_in(instrumented(source, "thread,no-race-accesses"), "f") == [atomic]
    assert checks_in(instrumented(source, "thread,no-race-atomics"), "f") == [plain]


def test_marks_of_our_front_end_count_even_when_there_are_none() -> None:
    text = f"define void @f(ptr %p) {STORE}"
    assert checks_in(instrumented(text, marked="thread"), "f") == ["__asan_store4"]
    assert checks_in(instrumented(text, marked="address"), "f") == ["__tsan_write4"]
    assert checks_in(instrumented(text, marked="address,thread"), "f") == []


def test_race_hooks_that_a_marked_program_calls_are_its_own() -> None:
    text = instrumented(
        "declare i32 @__tsan_atomic32_load(ptr, i32)\n"
        "define void @f(ptr %p) sanitize_thread { store i32 1, ptr %p\n"
        "%v = call i32 @__tsan_atomic32_load(ptr %p, i32 2) ret void }",
        "thread",
        marked="thread",
    )
    assert checks_in(text, "f") == ["__tsan_write4", "__tsan_atomic32_load"]


def test_functions_without_race_checks_are_part_of_stacks() -> None:
    text = instrumented(
        "declare void @work()\ndefine void @f(ptr %p) { store i32 1, ptr %p\n"
        "call void @work() ret void }\n"
        "define void @g(ptr %p) disable_sanitizer_instrumentation { call void @work() ret void }",
        "thread",
        marked="thread",
    )
    check(body(text, "f"), "@__tsan_func_entry", "store", "@work", "@__tsan_func_exit")
    assert "__tsan" not in body(text, "g")


def test_our_own_output_is_left_alone() -> None:
    once = instrumented(f"define void @f(ptr %p) {STORE}")
    again = instrumented(once.partition("\n\n")[2])
    assert checks_in(again, "f") == checks_in(once, "f")


def test_constructors_start_the_sanitizers_first() -> None:
    text = instrumented(
        "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
        "[{ i32, ptr, ptr } { i32 65535, ptr @mine, ptr null }]\n"
        f"define internal void @mine() {{ ret void }}\ndefine void @f(ptr %p) {STORE}"
    )
    check(
        text,
        "i32 65535, ptr @mine",
        "i32 1, ptr @asan.module_ctor",
        "i32 0, ptr @tsan.module_ctor",
    )
    check(body(text, "asan.module_ctor"), "@__asan_init()", "@__asan_version_mismatch_check_v8()")
    check(body(text, "tsan.module_ctor"), "@__tsan_init()")


def test_only_what_is_asked_for_starts() -> None:
    text = instrumented(f"define void @f(ptr %p) {STORE}", "address")
    assert "asan.module_ctor" in text and "tsan" not in text


def test_broken_promises_are_taken_back() -> None:
    text = instrumented(
        "define i32 @f(ptr %p) nosync nofree memory(argmem: read) {\n"
        "  %v = load i32, ptr %p\n  ret i32 %v\n}\n"
        "define i32 @g(ptr %p) {\n  %v = call i32 @f(ptr %p) memory(read)\n  ret i32 %v\n}\n"
        "declare double @llvm.sqrt.f64(double)\n"
        "define double @h(double %x) { %y = call double @llvm.sqrt.f64(double %x) ret double %y }"
    )
    (promises,) = [one for one in text.splitlines() if "memory(" in one]
    assert "nocallback" in promises  # the intrinsic's


def test_calls_that_a_program_announces_itself_go_with_its_accesses() -> None:
    own = "declare void @__tsan_func_entry(ptr)\n"
    accesses = "declare void @__tsan_write4_pc(ptr, ptr)\n"
    body = (
        "define void @f(ptr %p) { call void @__tsan_func_entry(ptr %p)\n"
        "store i32 1, ptr %p ret void }"
    )
    assert "__tsan_write4" in checks_in(instrumented(own + accesses + body), "f")
    assert "__tsan_write4" not in checks_in(instrumented(own + body), "f")
