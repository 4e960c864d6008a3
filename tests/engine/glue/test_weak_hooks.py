"""Which exports tell the program's hooks, and what they pass."""

from __future__ import annotations

import pytest

from irsan.engine.glue.text import context_field
from irsan.engine.glue.weak_hooks import WAIT_BEGIN, WAIT_END, begun_lines, told_lines
from irsan.interceptors.registry import Export
from irsan.runtime.layout.hook_words import HOOKED, WAIT_SYMBOLS, hook_symbol
from irsan.runtime.records.subsystems import INTERFACE_DTYPE, N_WEAK_HOOKS

SEARCH = Export("ptr memmem(ptr,u64,ptr,u64)", kernel="k", then_real=True)


def test_a_hook_gets_the_caller_the_arguments_and_the_result() -> None:
    text = "\n".join(told_lines(SEARCH, "%real"))
    assert "(ptr %caller, ptr %a0, i64 %a1, ptr %a2, i64 %a3, ptr %real)" in text
    assert context_field("interface.weak_hooks", HOOKED.index("memmem")) in text


@pytest.mark.parametrize(("name", "hook"), [("bcmp", "memcmp"), ("strcmp", "strcmp")])
def test_functions_that_share_a_hook(name: str, hook: str) -> None:
    lines = told_lines(Export(f"i32 {name}(ptr,ptr,u64)", kernel="k"), "%final")
    assert context_field("interface.weak_hooks", HOOKED.index(hook)) in lines[0]


def test_nobody_is_told_of_others() -> None:
    assert told_lines(Export("ptr strcpy(ptr,ptr)", kernel="k"), "%real") == []


def test_waiting_for_an_initialiser_is_told_before_and_after() -> None:
    acquire = Export("i32 __cxa_guard_acquire(ptr)", kernel="k")
    assert (begun_lines(acquire), told_lines(acquire, "%final")) == ([WAIT_BEGIN], [WAIT_END])
    assert begun_lines(SEARCH) == []


def test_each_function_has_a_word_of_its_own() -> None:
    assert len(HOOKED) == N_WEAK_HOOKS
    assert set(WAIT_SYMBOLS) <= set(INTERFACE_DTYPE.names)
    assert hook_symbol("strstr") == "__sanitizer_weak_hook_strstr"
