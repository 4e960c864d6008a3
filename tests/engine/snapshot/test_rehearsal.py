"""A child that does a process's work tells which pages that needs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.snapshot.other_process import PAGE_BYTES, touched_pages

SUBJECT = """
import ctypes, mmap, os, sys
from irsan.engine.snapshot.rehearsal import rehearse
memory = mmap.mmap(-1, 64 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for page in range(64):
    memory[page * 4096] = 1
def act():
    {act}
child = rehearse(act)
print(child, ctypes.addressof(ctypes.c_char.from_buffer(memory)), flush=True)
sys.stdin.read()
"""


def rehearsed(act: str) -> tuple[subprocess.Popen[str], int, int]:
    """The process that has had a child rehearse, the child, and where the 64 pages lie."""
    process = subprocess.Popen(
        [sys.executable, "-c", SUBJECT.format(act=act)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    child, place = map(int, process.stdout.readline().split())
    return process, child, place


@pytest.mark.parametrize("end", ["pass", "os._exit(3)", "raise ValueError"])
def test_pages_that_were_read_or_written(end: str) -> None:
    process, child, lo = rehearsed(f"memory[3 * 4096]; memory[9 * 4096] = 2; {end}")
    with process:
        found = {
            (page - lo) // PAGE_BYTES: is_written
            for page, is_written in touched_pages(child).items()
            if lo <= page < lo + 64 * PAGE_BYTES
        }
        if not found:
            pytest.skip("this kernel does not tell which pages were touched")
        assert found == {3: False, 9: True}
        process.communicate("")


def test_what_it_prints_is_not_shown_and_processes_that_it_forks_end() -> None:
    act = "print('hello'); os.fork() or os._exit(0); os.wait(); memory[5 * 4096]"
    process, child, lo = rehearsed(act)
    with process:
        assert not touched_pages(child) or lo + 5 * PAGE_BYTES in touched_pages(child)
        assert process.communicate("") == ("", None)


def test_a_child_that_is_killed_is_no_obstacle() -> None:
    process, child, _ = rehearsed(f"os.kill(os.getpid(), {int(signal.SIGKILL)})")
    with process:
        assert touched_pages(child) == {}
        process.communicate("")
    assert process.returncode == 0


def test_the_child_ends_with_its_parent() -> None:
    process, child, _ = rehearsed("pass")
    with process:
        watch = os.pidfd_open(child)
        process.kill()
    status = Path(f"/proc/{child}/stat")
    for _ in range(500):
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            break
        signal.sigtimedwait([], 0.01)
    else:
        pytest.fail("the child is still there")
    os.close(watch)
