"""The C library's mmap, and files mapped into this process with it.

Python's mmap keeps a descriptor open, and the first file that a program opens is to get the number
that it would have natively.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import Final

MAP_FIXED: Final = 0x10
_FAILED: Final = ctypes.c_void_p(-1).value

libc_mmap = ctypes.CDLL(None, use_errno=True).mmap
libc_mmap.restype = ctypes.c_void_p
libc_mmap.argtypes = [
    ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long
]  # fmt: skip


def map_at(lo: int, size_bytes: int, protection: int, descriptor: int, offset: int) -> None:
    """Map a part of a file in the place of what is at `lo`; writes stay in this process.

    OSError when the kernel refuses.
    """
    flags = mmap.MAP_PRIVATE | MAP_FIXED
    _mapped(lo, size_bytes, protection, flags, descriptor, offset)


def view_file(descriptor: int, size_bytes: int) -> memoryview:
    """The bytes of a file, mapped for good. OSError when the kernel refuses."""
    if not size_bytes:
        return memoryview(b"")
    lo = _mapped(None, size_bytes, mmap.PROT_READ, mmap.MAP_PRIVATE, descriptor, 0)
    raw = (ctypes.c_uint8 * size_bytes).from_address(lo)
    return memoryview(raw).cast("B").toreadonly()


def _mapped(
    lo: int | None, size_bytes: int, protection: int, flags: int, descriptor: int, offset: int
) -> int:
    got: int | None = libc_mmap(lo, size_bytes, protection, flags, descriptor, offset)
    if got is None or got == _FAILED:
        raise OSError(ctypes.get_errno(), f"a file of {size_bytes} bytes cannot be mapped")
    return got
