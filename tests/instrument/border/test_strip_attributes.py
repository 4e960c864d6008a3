"""Checked functions lose their marks in portable output, and only there, and only those."""

from __future__ import annotations

from tests.instrument.checked_ir import instrumented

MARKED = "define void @f(ptr %p) sanitize_address sanitize_thread {\n  ret void\n}"


def test_the_marks_of_what_was_put_in_go() -> None:
    text = instrumented(MARKED, "address")
    assert "sanitize_address" not in text and "sanitize_thread" in text
    assert "sanitize_" not in instrumented(MARKED, "address,thread")


def test_the_engine_has_no_compiler_that_would_look() -> None:
    assert "sanitize_address" in instrumented(MARKED, "address", portable=False)
