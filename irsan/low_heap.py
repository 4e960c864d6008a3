"""Leave a process whose heap lies where the memory of programs is to be.

A Python that is no position-independent executable, as Debian's, has its heap at a random place
behind its own data: up to 32 MiB away, and since Linux 6.9 up to 1 GiB, which is in or near the
arena (runtime/layout/memory_map.py). Such a process starts itself again through the dynamic loader:
the kernel gives that one a heap far above.

    /venv/bin/python WORDS   ->   /lib64/ld-linux-x86-64.so.2 /venv/bin/python WORDS

Every process that runs programs calls this before it does anything that others see.

Source: `load_elf_binary` in binfmt_elf.c and `arch_randomize_brk` of Linux; ld.so(8).
"""

from __future__ import annotations

import os
import sys

_FACTS = "/proc/self/stat"
_HEAP_FIELD = 47  # start_brk, proc_pid_stat(5)
_FIRST_FIELD = 3  # behind the name, which may hold anything
_PROGRAMS_LO, _PROGRAMS_HI = 0x2000_0000, 0x8000_0000  # code and globals of programs
_ROOM_BYTES = 256 << 20  # what the heap may need before these are reserved
_LOADER = "/ld-linux-"


def leave_low_heap() -> None:
    """Start this process anew where its heap is in the way; else, or where that fails, return."""
    if not has_low_heap():
        return
    from irsan.given_environment import given_environment

    words = python_words()
    if len(words) > 1 and words[0] != os.readlink("/proc/self/exe"):  # noqa: PTH115
        try:
            os.execve(words[0], [*words, *sys.orig_argv[1:]], given_environment())
        except OSError:
            return


def has_low_heap() -> bool:
    """Whether the heap of this process is in the way; not, where the kernel cannot be asked."""
    try:
        return is_in_the_way(_heap_lo())
    except OSError:
        return False


def python_words() -> list[str]:
    """The command that starts this Python with a heap far above, if there is a loader."""
    return [*_loader(), sys.executable]


def is_in_the_way(heap_lo: int) -> bool:
    """Whether a heap that begins at an address would reach what programs need."""
    return _PROGRAMS_LO - _ROOM_BYTES < heap_lo < _PROGRAMS_HI


def _heap_lo() -> int:
    with open(_FACTS, "rb") as file:  # noqa: PTH123
        fields = file.read().rpartition(b")")[2].split()
    return int(fields[_HEAP_FIELD - _FIRST_FIELD])


def _loader() -> list[str]:
    """The dynamic loader of this process; nothing where it is linked statically."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        return [line.split()[-1] for line in file if _LOADER in line][:1]
