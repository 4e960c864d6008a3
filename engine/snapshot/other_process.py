"""What the kernel says of a stopped process that this one traces: registers, mappings, pages.

Sources: ptrace(2), proc(5); Documentation/admin-guide/mm/pagemap.rst of Linux.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from irsan.engine.snapshot.table import N_REGISTERS, Layout

PAGE_BYTES: Final = 4096
_GETREGS: Final = 12
_GET_RSEQ: Final = 0x420F
_PRESENT, _SWAPPED, _OF_FILE = 1 << 63, 1 << 62, 1 << 61
_STAT_FIRST: Final = 3  # number of the first field behind the name
#: start_code, end_code, start_data, end_data, start_brk, startstack
_LAYOUT_FIELDS: Final = (26, 27, 45, 46, 47, 28)


@dataclass(frozen=True, slots=True)
class Area:
    """One mapping: its protection as PROT_ bits, file and flags (VmFlags of smaps)."""

    lo: int
    hi: int
    permissions: str
    offset: int
    path: str
    resident_bytes: int
    flags: frozenset[str]

    @property
    def protection(self) -> int:
        """PROT_READ, PROT_WRITE and PROT_EXEC."""
        return sum(bit for bit, sign in ((1, "r"), (2, "w"), (4, "x")) if sign in self.permissions)

    @property
    def is_shared(self) -> bool:
        """Whether writes are seen by others."""
        return self.permissions[3] == "s"


def areas(pid: int) -> list[Area]:
    """All mappings of a process, by address."""
    found: list[Area] = []
    head: list[str] = []
    resident = 0
    for line in Path(f"/proc/{pid}/smaps").read_text(errors="surrogateescape").splitlines():
        name, _, rest = line.partition(":")
        if "-" in name.split(" ", 1)[0]:
            head = line.split(maxsplit=5)
        elif name == "Rss":
            resident = int(rest.split()[0]) * 1024
        elif name == "VmFlags":
            found.append(_area(head, resident, frozenset(rest.split())))
    return found


def _area(head: list[str], resident_bytes: int, flags: frozenset[str]) -> Area:
    lo, hi = (int(part, 16) for part in head[0].split("-"))
    path = head[5] if len(head) > 5 else ""
    return Area(lo, hi, head[1], int(head[2], 16), path, resident_bytes, flags)


def changed_pages(pid: int, lo: int, hi: int) -> Iterator[int]:
    """Addresses of pages in [lo, hi) that hold something of the process's own."""
    with Path(f"/proc/{pid}/pagemap").open("rb", buffering=0) as pagemap:
        pagemap.seek(lo // PAGE_BYTES * 8)
        raw = pagemap.read((hi - lo) // PAGE_BYTES * 8)
    for number, (entry,) in enumerate(struct.iter_unpack("<Q", raw)):
        if entry & _SWAPPED or entry & (_PRESENT | _OF_FILE) == _PRESENT:
            yield lo + number * PAGE_BYTES


def touched_pages(pid: int) -> dict[int, bool]:
    """Pages of a fork that are a mapping of their own and were touched (rehearsal.py).

    Address to whether it was written: what a fork has only read it still shares.
    """
    found = {}
    lo = hi = 0
    is_written = False
    with Path(f"/proc/{pid}/smaps").open(errors="surrogateescape") as lines:
        for line in lines:
            name, _, rest = line.partition(":")
            if "-" in name.split(" ", 1)[0]:
                lo, hi = (int(part, 16) for part in line.split(" ", 1)[0].split("-"))
            elif name == "Private_Dirty":
                is_written = int(rest.split()[0]) > 0
            elif name == "Referenced" and hi - lo == PAGE_BYTES and int(rest.split()[0]):
                found[lo] = is_written
    return found


def registers(pid: int) -> tuple[int, ...]:
    """Its general registers, in the order of struct user_regs_struct. OSError when refused."""
    words = (ctypes.c_uint64 * N_REGISTERS)()
    _trace(_GETREGS, pid, 0, ctypes.addressof(words))
    return tuple(words)


def restartable_sequences(pid: int) -> tuple[int, int, int]:
    """Address, size and signature of the area registered for rseq(2); zeros for none."""
    raw = (ctypes.c_uint32 * 6)()
    try:
        _trace(_GET_RSEQ, pid, ctypes.sizeof(raw), ctypes.addressof(raw))
    except OSError:  # a kernel before 5.13, or without rseq
        return 0, 0, 0
    return raw[0] | raw[1] << 32, raw[2], raw[3]


def layout_of(pid: int, brk: int) -> Layout:
    """Where the kernel thinks that its parts lie; brk: the end of its heap."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    code, end_code, data, end_data, heap, stack = (
        int(fields[number - _STAT_FIRST]) for number in _LAYOUT_FIELDS
    )
    return Layout(code, end_code, data, end_data, heap, brk, stack)


def trace_me() -> None:
    """Let the parent trace this process. OSError when that is forbidden."""
    _trace(0, 0, 0, 0)


def _trace(request: int, pid: int, address: int, data: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    if libc.ptrace(request, pid, address, data) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"ptrace: {os.strerror(error)}")
