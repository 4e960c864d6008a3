"""What the kernel tells of a process that has stopped for us."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.snapshot import other_process as other
from irsan.engine.snapshot.other_process import PAGE_BYTES

CHILD = """
import ctypes, mmap, os, signal
from irsan.engine.snapshot.other_process import trace_me
memory = mmap.mmap(-1, 64 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory[3 * 4096] = 1
memory[9 * 4096] = 1
print(ctypes.addressof(ctypes.c_char.from_buffer(memory)), flush=True)
trace_me()
os.kill(os.getpid(), signal.SIGSTOP)
"""


@pytest.fixture
def stopped() -> Iterator[tuple[int, int]]:
    """A child and the address of its 64 pages, of which it has written the fourth and the tenth."""
    with subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            pytest.skip("tracing is forbidden here")
        os.waitpid(process.pid, os.WUNTRACED)
        yield process.pid, int(line)
        os.kill(process.pid, signal.SIGKILL)


def test_pages_that_were_written(stopped: tuple[int, int]) -> None:
    pid, lo = stopped
    found = list(other.changed_pages(pid, lo, lo + 64 * PAGE_BYTES))
    assert [(page - lo) // PAGE_BYTES for page in found] == [3, 9]


def test_mappings(stopped: tuple[int, int]) -> None:
    pid, lo = stopped
    areas = other.areas(pid)
    (own,) = [area for area in areas if area.lo <= lo < area.hi]
    assert own.protection == mmap.PROT_READ | mmap.PROT_WRITE
    assert (own.path, own.is_shared, own.resident_bytes >= 2 * PAGE_BYTES) == ("", False, True)
    code = [area for area in areas if area.protection & mmap.PROT_EXEC]
    assert any(Path(area.path).is_file() for area in code)
    (stack,) = [area for area in areas if area.path == "[stack]"]
    assert "gd" in stack.flags


def test_registers_and_layout(stopped: tuple[int, int]) -> None:
    pid, _ = stopped
    areas = other.areas(pid)
    registers = other.registers(pid)
    rip, rsp = registers[16], registers[19]
    assert [area.protection & mmap.PROT_EXEC for area in areas if area.lo <= rip < area.hi] == [4]
    assert [area.path for area in areas if area.lo <= rsp < area.hi] == ["[stack]"]
    layout = other.layout_of(pid, brk=1)
    assert layout.start_code < layout.end_code and layout.brk == 1
    assert [area.path for area in areas if area.lo <= layout.start_stack < area.hi] == ["[stack]"]
