"""A process whose heap is in the way of the arena starts itself anew, and is otherwise the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from irsan import low_heap
from irsan.low_heap import has_low_heap, is_in_the_way, python_words
from irsan.runtime.layout import memory_map

MIB = 1 << 20
FACTS = """
import json, os, sys
print(json.dumps([
    sys.executable, sys.prefix, sys.path, sys.argv, sys.flags.utf8_mode, sys.stdin.read(),
    os.readlink("/proc/self/exe"), low_heap.has_low_heap(),
]))
"""
LOW = "from irsan import low_heap; low_heap._heap_lo = lambda: {at:#x}; low_heap.leave_low_heap();"


def facts(text: str, *words: str) -> list[Any]:
    """What a Python says of itself behind a text."""
    command = [*words, "-X", "utf8", "-c", text + FACTS, "first", "two words"]
    done = subprocess.run(command, input="given\n", capture_output=True, text=True, check=True)
    found: list[Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("heap_lo", "is_low"),
    [
        (0xA8_6000, False),  # behind Debian's Python, where nothing is random
        (0x2000_0000 - 256 * MIB, False),
        (memory_map.ARENA_LO - MIB, True),
        (memory_map.GLOBALS_LO, True),
        (memory_map.GLOBALS_HI - 1, True),
        (0x8000_0000, False),
        (0x5555_5555_6000, False),
    ],
)
def test_what_is_in_the_way(heap_lo: int, is_low: bool) -> None:
    assert is_in_the_way(heap_lo) == is_low


def test_this_process_has_no_low_heap() -> None:
    heaps = [line for line in Path("/proc/self/maps").read_text().splitlines() if "[heap]" in line]
    for heap in heaps:
        assert not is_in_the_way(int(heap.partition("-")[0], 16))
    assert not has_low_heap()


def test_without_proc_nothing_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(low_heap, "_FACTS", str(tmp_path / "stat"))
    assert not has_low_heap()
    low_heap.leave_low_heap()


def test_what_starts_anew_is_the_same_process_but_for_its_heap() -> None:
    *before, executable, _ = facts(LOW.format(at=0x5555_5555_6000), sys.executable)
    *after, loader, _ = facts(LOW.format(at=memory_map.GLOBALS_LO), sys.executable)
    assert after == before
    assert (executable, loader) == (str(Path(sys.executable).resolve()), python_words()[0])


def test_the_heap_that_the_loader_has_is_not_in_the_way() -> None:
    assert facts("from irsan import low_heap", *python_words())[-1] is False


def test_a_loader_that_cannot_be_started_leaves_the_process_as_it_is(tmp_path: Path) -> None:
    low = LOW.replace("low_heap.leave", "low_heap._loader = lambda: [{loader!r}]; low_heap.leave")
    found = facts(low.format(at=memory_map.GLOBALS_LO, loader=str(tmp_path)), sys.executable)
    assert found[-2:] == [str(Path(sys.executable).resolve()), True]
