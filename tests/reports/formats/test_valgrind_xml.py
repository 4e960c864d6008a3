"""Valgrind's XML: memcheck's and helgrind's shapes, and their words for our kinds."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from irsan.reports.formats.valgrind_xml import valgrind_kind
from irsan.reports.model.report import Finding
from irsan.reports.renderers import renderer
from tests.reports import samples


def root_of(*findings: Finding) -> ElementTree.Element:
    return ElementTree.fromstring(renderer("valgrind-xml")(samples.report(*findings)))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("heap-use-after-free", "InvalidRead"), ("heap-buffer-overflow", "InvalidWrite"),
        ("double-free", "InvalidFree"), ("alloc-dealloc-mismatch", "MismatchedFree"),
        ("memcpy-param-overlap", "Overlap"), ("SEGV", "InvalidRead"), ("FPE", "Misc"),
        ("uninitialised", "UninitCondition"), ("leak-0", "Leak_DefinitelyLost"),
        ("leak-1", "Leak_IndirectlyLost"), ("race-heap", "Race"),
        ("lock-order-inversion", "LockOrder"), ("unlock-of-unlocked", "UnlockUnlocked"),
        ("destroy-locked", "PthAPIerror"), ("deadlock", "Misc"), ("undefined", "Misc"),
    ],
)  # fmt: skip
def test_kinds(name: str, kind: str) -> None:
    assert valgrind_kind(samples.EVERYTHING[name]) == kind


def test_memcheck_shape() -> None:
    root = root_of(samples.MEMORY["heap-use-after-free"], samples.LEAKS[0])
    assert [e.tag for e in root][:8] == [
        "protocolversion", "protocoltool", "preamble", "pid", "ppid", "tool", "args", "status",
    ]  # fmt: skip
    assert root.findtext("protocoltool") == "memcheck"
    error, leak = root.findall("error")
    assert [e.tag for e in error] == [
        "unique", "tid", "kind", "what", "stack", "auxwhat", "stack", "auxwhat", "stack",
    ]  # fmt: skip
    top = error.find("stack/frame")
    assert top is not None
    assert {e.tag: e.text for e in top} == {
        "ip": "0x401070", "obj": "/src/a.out", "fn": "f", "dir": "/src", "file": "a.c", "line": "7",
    }  # fmt: skip
    assert leak.findtext("xwhat/leakedbytes") == "10"
    counts = [(p.findtext("count"), p.findtext("unique")) for p in root.iter("pair")]
    assert counts == [("1", "0x1"), ("1", "0x2")]


def test_helgrind_shape() -> None:
    root = root_of(samples.RACES["race-heap"])
    assert root.findtext("protocoltool") == "helgrind"
    threads = [e.findtext("hthreadid") for e in root.iter("announcethread")]
    assert threads == ["1", "2"]
    assert root.findtext("error/xwhat/hthreadid") == "1"
    assert root.findtext("error/auxwhat") == "previous read by thread T1 (worker)"
