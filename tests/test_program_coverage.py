"""Every kind of memory error has programs: two that report it, and two clean twins of such.

The kinds are read from the code that names them.  The twin of a program has its name, or at least
the first word of it, with `_ok` at the end.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections import defaultdict
from pathlib import Path
from typing import get_args

import pytest

from irsan.reports.model.report import Role
from irsan.runtime.diagnosis import diagnose_memory
from irsan.runtime.diagnosis.diagnose_crash import SIGNAL_NAMES
from tests.support.annotations import ProgramCase, discover_cases

_KIND = re.compile(r"[a-z]+(?:-[a-z]+)+")
_WANTED = 2
# Kinds that are made of a function's name.
_OF_FUNCTIONS = {
    *(f"{name}-param-overlap" for name in ("memcpy", "strcpy", "strcat", "strncpy", "strncat")),
    "bad-malloc_usable_size",
    "bad-__sanitizer_get_allocated_size",
    "bad-__sanitizer_annotate_contiguous_container",
    "bad-__sanitizer_annotate_double_ended_contiguous_container",
}
# No C program can be told to do it; or it is a warning, tested with its flag.
_WITHOUT_PROGRAMS = {"unknown-crash", "w-and-x-usage"}


def kinds_in_code() -> set[str]:
    """Kinds that diagnose_memory and diagnose_crash can name."""
    tree = ast.parse(inspect.getsource(diagnose_memory))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    words = {text for text in texts if isinstance(text, str) and _KIND.fullmatch(text)}
    return (words - set(get_args(Role))) | set(SIGNAL_NAMES.values()) | {"stack-overflow"}


def programs_by_kind() -> dict[str, list[ProgramCase]]:
    found = defaultdict(list)
    for case in discover_cases(Path(__file__).parent / "programs"):
        for kind in {kind for wanted in case.expectations for kind in wanted.kinds}:
            found[kind].append(case)
    return found


def first_word(case: ProgramCase) -> str:
    return case.name.partition("_")[0]


def test_the_catalogue_is_not_empty() -> None:
    assert {"heap-buffer-overflow", "double-free", "SEGV", "calloc-overflow"} <= kinds_in_code()
    assert kinds_in_code() >= _WITHOUT_PROGRAMS


@pytest.mark.parametrize("kind", sorted((kinds_in_code() | _OF_FUNCTIONS) - _WITHOUT_PROGRAMS))
def test_each_kind_has_programs_and_twins(kind: str) -> None:
    programs = programs_by_kind()[kind]
    words = {first_word(case) for case in programs}
    cases = discover_cases(Path(__file__).parent / "programs")
    twins = [c for c in cases if c.is_clean and c.name.endswith("_ok") and first_word(c) in words]
    assert len(programs) >= _WANTED and len(twins) >= _WANTED, [case.name for case in programs]
