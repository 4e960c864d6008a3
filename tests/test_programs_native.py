"""A sample of the programs, judged by native ASan and TSan; tests/programs_check.py judges all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.programs_check import PROGRAMS, check_case
from tests.support.annotations import parse_program
from tests.support.native_guarded import find_symbolizer
from tests.support.native_oracle import find_clang, sanitizers_for, text_to_findings

SAMPLE = (
    "memory/heap_use_after_free_read.c", "memory/double_free.c", "race/global_write_write.c",
    "race/global_write_write_ok.c", "cpp/thread_lambda.cpp",
)

ASAN_TEXT = """\
==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x1 bp 0x2 sp 0x3
READ of size 4 at 0x60 thread T0
    #0 0x5 in inner /src/a.c:3:5
    #1 0x6 in main /src/a.c:9:1

0x60 is located 0 bytes inside of 4-byte region [0x60,0x64)
freed by thread T1 here:
    #0 0x7 in free (/src/a+0x1)
    #1 0x8 in drop /src/a.c:4

SUMMARY: AddressSanitizer: heap-use-after-free /src/a.c:3:5 in inner
"""

TSAN_TEXT = """\
WARNING: ThreadSanitizer: data race (pid=1)
  Atomic write of size 8 at 0x1 by main thread:
    #0 main /src/a.c:3:43 (a+0x1)

  Previous read of size 8 at 0x1 by thread T1:
    #0 work /src/a.c:7 (a+0x2)

  Thread T1 (tid=2, finished) created by main thread at:
    #0 pthread_create <null> (a+0x3)
    #1 main /src/a.c:12 (a+0x4)

SUMMARY: ThreadSanitizer: data race /src/a.c:3:43 in main
"""


def stack_lines(finding: dict[str, Any]) -> dict[str, list[int]]:
    return {s["role"]: [frame["line"] for frame in s["frames"]] for s in finding["stacks"]}


def test_asan_text_becomes_a_finding() -> None:
    (finding,) = text_to_findings(ASAN_TEXT)
    assert finding["kind"] == "heap-use-after-free"
    assert finding["access"] == {"operation": "read", "size": 4}
    assert stack_lines(finding) == {"access": [3, 9], "free": [4]}


def test_tsan_text_becomes_a_finding() -> None:
    (finding,) = text_to_findings(TSAN_TEXT)
    assert finding["kind"] == "data race"
    assert finding["access"] == {"operation": "atomic write", "size": 8}
    assert finding["previous"] == {"operation": "read", "size": 8}
    assert stack_lines(finding) == {"access": [3], "previous": [7], "thread-creation": [12]}


@pytest.mark.skipif(find_clang() is None, reason="no clang with compiler-rt on PATH")
@pytest.mark.parametrize("name", SAMPLE)
def test_native_tools_agree(name: str) -> None:
    case = parse_program(Path(PROGRAMS) / name)
    for sanitizer in sanitizers_for(case):
        assert check_case(case, sanitizer, "-O1") == []


GUARDED_SAMPLE = ("use_after_free_copy.c", "double_delete.cpp", "overflow_read.c", "family_ok.cpp")


@pytest.mark.skipif(
    find_clang() is None or find_symbolizer() is None, reason="no clang or no llvm-symbolizer"
)
@pytest.mark.parametrize("name", GUARDED_SAMPLE)
def test_scudos_gwp_asan_agrees(name: str) -> None:
    case = parse_program(Path(PROGRAMS) / "guarded" / name)
    assert check_case(case, "scudo", "-O1") == []
