"""ClusterFuzz's StackParser: type, address and state of each finding, one report per text."""

from __future__ import annotations

from functools import lru_cache

import pytest

from irsan.reports.text.report import format_finding
from irsan.reports.text.style import TextStyle
from tests.reports import samples
from tests.reports.consumers.environments import json_of_python, python_environment

COMPAT = TextStyle(pid=12, report_style="compat", command=("a.c",), schedule="r0")
PARSE = """
import json, sys
from clusterfuzz.stacktraces import StackParser
found = {}
for name, text in json.load(sys.stdin).items():
    crash = StackParser(symbolized=True, include_ubsan=True).parse(text)
    found[name] = [crash.crash_type, crash.crash_address, crash.crash_state]
json.dump(found, sys.stdout)
"""
#: a limit of irsan is no crash; ClusterFuzz knows no text of the guarded pool alone
UNKNOWN = {"limit", "guarded"}


@lru_cache(maxsize=1)
def crashes() -> dict[str, list[str]]:
    python = python_environment("clusterfuzz==2.6.0", "setuptools<81")
    texts = {name: format_finding(f, COMPAT) for name, f in samples.EVERYTHING.items()}
    found: dict[str, list[str]] = json_of_python(python, PARSE, texts)
    return found


def test_every_finding_is_a_crash() -> None:
    assert {name for name, (kind, _, _) in crashes().items() if not kind} == UNKNOWN


@pytest.mark.parametrize(
    ("name", "kind", "address", "state"),
    [
        ("heap-use-after-free", "Heap-use-after-free\nREAD 4", "0x602000000014", "f\n"),
        ("heap-use-after-free-threads", "Heap-use-after-free\nWRITE 1", "0x602000000010", "f\ng\n"),
        ("double-free", "Heap-double-free", "0x602000000010", "NULL"),
        ("bad-free", "Invalid-free", "0x000070000020", "NULL"),
        ("SEGV", "Null-dereference READ", "0x000000000000", "NULL"),
        ("race-heap", "Data race\nWRITE 4", "0x602000000010", "f\n"),
        ("lock-order-inversion", "Lock-order-inversion", "",
         "pthread_mutex_lock\npthread_mutex_lock\nf\n"),
        ("undefined", "Integer-overflow", "", "NULL"),
        ("uninitialised", "Use-of-uninitialized-value", "", "f\n"),
        ("leak-0", "Direct-leak", "", "f\n"),
    ],
)  # fmt: skip
def test_type_address_and_state(name: str, kind: str, address: str, state: str) -> None:
    assert crashes()[name] == [kind, address, state]
