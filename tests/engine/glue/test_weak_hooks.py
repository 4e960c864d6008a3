"""Which exports tell the program's hooks, and what they pass."""

from __future__ import annotations

import pytest

from irsan.engine.glue.text import context_field
from irsan.engine.glue.weak_hooks import WAIT_BEGIN, WAIT_END, begun_lines, told_lines
from irsan.interceptors.registry import Export
from irsan.runtime.layout.hook_words import FIRST_HOOK, HOOKED, WAIT_ENDS, hook_symbol
from irsan.runtime.layout.interface_notes import COOKIE_OF_FREED
from irsan.runtime.layout.interface_words import FREE_SIZES_UNCHECKED

SEARCH = Export("ptr memmem(ptr,u64,ptr,u64)", kernel="k", then_real=True)


def test_a_hook_gets_the_caller_the_arguments_and_the_result() -> None:
    text = "\n".join(told_lines(SEARCH, "%real"))
    assert "(ptr %caller, ptr %a0, i64 %a1, ptr %a2, i64 %a3, ptr %real)" in text
    assert context_field("interface", FIRST_HOOK + HOOKED.index("memmem")) in text


@pytest.mark.parametrize(("name", "hook"), [("bcmp", "memcmp"), ("strcmp", "strcmp")])
def test_functions_that_share_a_hook(name: str, hook: str) -> None:
    lines = told_lines(Export(f"i32 {name}(ptr,ptr,u64)", kernel="k"), "%final")
    assert context_field("interface", FIRST_HOOK + HOOKED.index(hook)) in lines[0]


def test_nobody_is_told_of_others() -> None:
    assert told_lines(Export("ptr strcpy(ptr,ptr)", kernel="k"), "%real") == []


def test_waiting_for_an_initialiser_is_told_before_and_after() -> None:
    acquire = Export("i32 __cxa_guard_acquire(ptr)", kernel="k")
    assert (begun_lines(acquire), told_lines(acquire, "%final")) == ([WAIT_BEGIN], [WAIT_END])
    assert begun_lines(SEARCH) == []


def test_the_words_are_nobody_elses() -> None:
    words = range(FIRST_HOOK, WAIT_ENDS + 1)
    assert words[0] > FREE_SIZES_UNCHECKED and words[-1] < COOKIE_OF_FREED
    assert hook_symbol("strstr") == "__sanitizer_weak_hook_strstr"
