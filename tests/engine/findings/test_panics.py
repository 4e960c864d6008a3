"""Panics of Rust: who catches them, and what their payload says."""

from __future__ import annotations

import ctypes

import pytest

from irsan.engine.findings import panics
from irsan.engine.findings.panics import has_panicked
from irsan.engine.guest.machine import Outcome
from irsan.reports.model.details import PanicFacts
from irsan.reports.model.report import Frame

MAIN = ("app::main", "std::rt::lang_start::{closure#0}", "std::panic::catch_unwind", "main")
TEXT = b"index out of bounds"


def frames(*names: str) -> tuple[Frame, ...]:
    return tuple(Frame(name) for name in names)


@pytest.mark.parametrize(
    ("names", "is_caught"),
    [
        (("std::panicking::begin_panic", "app::pick", *MAIN), False),
        (("core::panicking::panic", "app::pick", "std::panic::catch_unwind", *MAIN), True),
        (("app::pick", "_ZN3std9panicking3try17h0123456789abcdefE", *MAIN), True),
        (("app::pick", "start_thread"), True),
        ((), True),
    ],
)
def test_what_catches_a_panic(names: tuple[str, ...], is_caught: bool) -> None:
    assert panics._is_caught(frames(*names)) == is_caught


def test_an_abort_within_a_panic() -> None:
    assert has_panicked(frames("abort", "std::panicking::rust_panic_with_hook", "app::main"))
    assert not has_panicked(frames("abort", "app::main", "std::rt::lang_start"))


def _boxed(words: list[int]) -> tuple[int, list[object]]:
    """Address of a Box<dyn Any> with a payload of these words, and what must stay alive."""
    payload = (ctypes.c_uint64 * len(words))(*words)
    table = (ctypes.c_uint64 * 3)(0, 8 * len(words), 8)
    fat = (ctypes.c_uint64 * 2)(ctypes.addressof(payload), ctypes.addressof(table))
    return ctypes.addressof(fat), [payload, table, fat]


def test_payloads_that_are_text() -> None:
    text = ctypes.create_string_buffer(TEXT)
    start = ctypes.addressof(text)
    for words in ([start, len(TEXT)], [40, start, len(TEXT)], [start, 40, len(TEXT)]):
        place, alive = _boxed(words)
        assert panics._payload_text(place) == TEXT.decode()
        assert alive


class _Machine:
    """The main thread of a guest, which panics in user code."""

    class runtime:
        @staticmethod
        def kernel(name: str) -> int:
            assert name == "current_stack_id"
            return 3

    @staticmethod
    def current_thread() -> dict[str, int]:
        return {"tid": 0}


@pytest.mark.parametrize("n_before", [4, 5])  # words: 1.66 put a canary in front of the payload
def test_a_panic_that_ends_the_program(n_before: int) -> None:
    text = ctypes.create_string_buffer(TEXT)
    place, alive = _boxed([ctypes.addressof(text), len(TEXT)])
    fat = (ctypes.c_uint64 * 2).from_address(place)
    words = [0] * n_before + list(fat) + [0] * 3
    exception = (ctypes.c_uint64 * len(words))(*words)
    one = panics.Panics(lambda stack_id: frames("app::pick", *MAIN) if stack_id == 3 else ())
    one.raised(_Machine, [ctypes.addressof(exception)])  # type: ignore[arg-type]
    found = one.at_end(Outcome(status=panics.STATUS))
    assert found is not None
    assert found.details == PanicFacts(TEXT.decode())
    assert one.at_end(Outcome(status=0)) is None
    assert alive


def test_payloads_that_are_none() -> None:
    for words in ([7], [1, 2], [0, 0, 0], [1, 2, 3, 4]):
        place, alive = _boxed(words)
        assert panics._payload_text(place) == ""
        assert alive
    assert panics._payload_text(0) == ""
