"""What the system would grant one request for memory, however little of it is ever touched.

    overcommit_memory 0   memory and swap together
                      1   anything
                      2   the commit limit

irsan's own heap is mapped beforehand, so it has to ask itself what mmap would have said.

Source: proc(5), overcommit_memory; the kernel's __vm_enough_memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_ANYTHING: Final = 1 << 62


def largest_request(proc: Path = Path("/proc")) -> int:
    """Bytes; without the files of proc there is no limit."""
    try:
        mode = (proc / "sys/vm/overcommit_memory").read_text(encoding="ascii").strip()
        lines = (proc / "meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return _ANYTHING
    found = {line.partition(":")[0]: line.partition(":")[2].split() for line in lines}
    names = ("CommitLimit",) if mode == "2" else ("MemTotal", "SwapTotal")
    if mode == "1" or any(name not in found for name in names):
        return _ANYTHING
    return sum(int(found[name][0]) << 10 for name in names)
