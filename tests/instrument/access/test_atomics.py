"""Atomic operations as hooks, and the loops for operations that have none."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.instrument.checked_ir import body, check, checks_in, instrumented, native

ORDERS = [("monotonic", 0), ("acquire", 2), ("release", 3), ("acq_rel", 4), ("seq_cst", 5)]


@pytest.mark.parametrize(("word", "number"), [("unordered", 0), *ORDERS[:2], ORDERS[4]])
def test_loads(word: str, number: int) -> None:
    text = instrumented(
        f"define i32 @f(ptr %p) {{ %v = load atomic i32, ptr %p {word}, align 4 ret i32 %v }}"
    )
    check(
        body(text, "f"),
        "call void @__asan_load4(ptr %p)",
        f"%v = call i32 @__tsan_atomic32_load(ptr %p, i32 {number})",
        "ret i32 %v",
    )


@pytest.mark.parametrize(("kind", "bits"), [("i8", 8), ("i16", 16), ("i64", 64), ("i128", 128)])
def test_stores(kind: str, bits: int) -> None:
    text = instrumented(
        f"define void @f(ptr %p, {kind} %v) {{ "
        f"store atomic {kind} %v, ptr %p release, align {bits // 8} ret void }}",
        "thread",
    )
    check(body(text, "f"), f"@__tsan_atomic{bits}_store(ptr %p, {kind} ", "%v, i32 3)", "ret void")
    assert "store atomic" not in text


@pytest.mark.parametrize(
    ("operation", "hook"),
    [("xchg", "exchange"), ("add", "fetch_add"), ("sub", "fetch_sub"), ("and", "fetch_and"),
     ("or", "fetch_or"), ("xor", "fetch_xor"), ("nand", "fetch_nand")],
)  # fmt: skip
@pytest.mark.parametrize(("word", "number"), ORDERS)
def test_named_operations(operation: str, hook: str, word: str, number: int) -> None:
    text = instrumented(
        f"define i32 @f(ptr %p, i32 %v) {{ %o = atomicrmw {operation} ptr %p, i32 %v {word} "
        "ret i32 %o }"
    )
    expected = f"%o = call i32 @__tsan_atomic32_{hook}(ptr %p, i32 %v, i32 {number})"
    check(body(text, "f"), "@__asan_store4(ptr %p)", expected, "ret i32 %o")


def test_compare_exchange_gives_the_pair() -> None:
    text = instrumented(
        "define { i32, i1 } @f(ptr %p, i32 %e, i32 %n) {\n"
        "  %r = cmpxchg weak ptr %p, i32 %e, i32 %n acq_rel acquire\n  ret { i32, i1 } %r\n}",
        "thread",
    )
    check(
        body(text, "f"),
        "@__tsan_atomic32_compare_exchange_val(ptr %p, i32 %e, i32 %n, i32 4, i32 2)",
        "icmp eq i32", "insertvalue", "%r = insertvalue", "ret { i32, i1 } %r",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "there", "back"),
    [
        ("ptr", "ptrtoint ptr %v to i64", "inttoptr i64"),
        ("double", "bitcast double %v to i64", "bitcast i64"),
    ],
)
def test_other_types_travel_as_integers(kind: str, there: str, back: str) -> None:
    text = instrumented(
        f"define {kind} @f(ptr %p, {kind} %v) {{\n"
        f"  %o = atomicrmw xchg ptr %p, {kind} %v seq_cst\n  ret {kind} %o\n}}",
        "thread",
    )
    check(body(text, "f"), there, "@__tsan_atomic64_exchange", back, "ret")


def test_fences() -> None:
    text = instrumented(
        "define void @f() {\n  fence acquire\n"
        '  fence syncscope("singlethread") seq_cst\n  ret void\n}'
    )
    check(body(text, "f"), "@__tsan_atomic_thread_fence(i32 2)", "_signal_fence(i32 5)")


def test_single_thread_accesses_are_plain() -> None:
    text = instrumented(
        "define i32 @f(ptr %p) {\n"
        '  %v = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4\n'
        "  ret i32 %v\n}",
        "thread",
    )
    assert checks_in(text, "f") == ["__tsan_read4"]


def test_memory_checks_alone_keep_the_operation() -> None:
    text = instrumented(
        "define i32 @f(ptr %p) { %v = atomicrmw umax ptr %p, i32 1 seq_cst ret i32 %v }", "address"
    )
    check(body(text, "f"), "@__asan_store4", "atomicrmw umax")


def test_private_variables_keep_the_operation() -> None:
    text = instrumented(
        "define i32 @f() {\n  %a = alloca i32\n  store i32 0, ptr %a\n"
        "  %v = atomicrmw add ptr %a, i32 1 seq_cst\n  ret i32 %v\n}"
    )
    check(body(text, "f"), "atomicrmw add")


def test_an_expanded_operation_goes_around_a_loop() -> None:
    text = instrumented(
        "define i32 @f(ptr %p, i32 %v) { %o = atomicrmw umin ptr %p, i32 %v release ret i32 %o }"
    )
    check(
        body(text, "f"),
        "@__asan_store4", "@__tsan_atomic32_load(ptr %p, i32 0)", "phi i32", "icmp ult", "select",
        "@__tsan_atomic32_compare_exchange_val(ptr %p", "i32 3, i32 0)", "br i1",
    )  # fmt: skip
    assert "atomicrmw" not in text


MACHINE = """
define i{b} @__tsan_atomic{b}_load(ptr %p, i32 %mo) {{
  %v = load atomic i{b}, ptr %p seq_cst, align {n}
  ret i{b} %v
}}
define i{b} @__tsan_atomic{b}_compare_exchange_val(ptr %p, i{b} %e, i{b} %n, i32 %a, i32 %c) {{
  %r = cmpxchg ptr %p, i{b} %e, i{b} %n seq_cst seq_cst
  %v = extractvalue {{ i{b}, i1 }} %r, 0
  ret i{b} %v
}}
"""
START = (
    "define void @__tsan_init() { ret void }\n"
    "define void @__tsan_func_entry(ptr %p) { ret void }\n"
    "define void @__tsan_func_exit() { ret void }\n"
)
INTEGER = ("max", "min", "umax", "umin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat")
FLOATING = ("fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum")


def both_ways(operation: str, kind: str, bits: int, pairs: list[tuple[int, int]]) -> None:
    """LLVM's own instruction and our loop agree on results and on memory, bit by bit."""
    import llvmlite.binding as llvm

    plain = f"define void @{{name}}(ptr %p, ptr %v, ptr %o) {{{{\n  %x = load {kind}, ptr %v\n" \
        f"  %r = atomicrmw {operation} ptr %p, {kind} %x seq_cst\n" \
        f"  store {kind} %r, ptr %o\n  ret void\n}}}}\n"  # fmt: skip
    text = instrumented(plain.format(name="loop"), "thread")
    for hook in ("read", "write"):
        text += f"\ndefine void @__tsan_{hook}{bits // 8}(ptr %p) {{ ret void }}"
        text = text.replace(f"declare void @__tsan_{hook}{bits // 8}(ptr)", "; ")
    module = llvm.parse_assembly(plain.format(name="direct") + MACHINE.format(b=bits, n=bits // 8))
    module.link_in(llvm.parse_assembly(START))
    module.link_in(llvm.parse_assembly(text))
    word = {8: ctypes.c_uint8, 32: ctypes.c_uint32, 64: ctypes.c_uint64}[bits]
    with native(module) as address_of:
        signature = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)
        functions = [signature(address_of(name)) for name in ("direct", "loop")]
        for memory, value in pairs:
            outcomes = []
            for function in functions:
                cells = [word(memory), word(value), word(0)]
                function(*[ctypes.addressof(cell) for cell in cells])
                outcomes.append((cells[0].value, cells[2].value))
            assert outcomes[0] == outcomes[1], (operation, memory, value)


@pytest.mark.parametrize("operation", INTEGER)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_integer_loops_mean_what_the_instruction_means(operation: str, data: st.DataObject) -> None:
    for bits in (8, 64):
        edges = st.sampled_from([0, 1, 2, (1 << bits) - 1, 1 << (bits - 1)])
        number = st.one_of(edges, st.integers(0, (1 << bits) - 1))
        both_ways(operation, f"i{bits}", bits, data.draw(st.lists(st.tuples(number, number))))


@pytest.mark.parametrize("operation", FLOATING)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_floating_loops_mean_what_the_instruction_means(
    operation: str, data: st.DataObject
) -> None:
    number = st.floats(width=32, allow_nan=False).map(float_to_bits)
    both_ways(operation, "float", 32, data.draw(st.lists(st.tuples(number, number))))


def float_to_bits(value: float) -> int:
    return ctypes.c_uint32.from_buffer(ctypes.c_float(value)).value
