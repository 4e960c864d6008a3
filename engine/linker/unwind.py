"""Exception tables of linked code, registered with the unwinder of the process.

libgcc_s takes a whole `.eh_frame` list that a zero word ends; LLVM's libunwind, under the same
name, takes one FDE per call.  Which one answers is found out by libunwind's own extra symbol.

Source: the GCC and LLVM unwinder interfaces; the LSB description of `.eh_frame`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

from irsan.engine.linker.native_symbols import host_symbol


@dataclass(slots=True)
class Frames:
    """What was registered, so that it can be taken back."""

    addresses: list[int]

    @classmethod
    def register(cls, lo: int, hi: int) -> Frames:
        """Register the `.eh_frame` bytes [lo, hi) that a zero word follows."""
        if hi <= lo:
            return cls([])
        is_llvm = host_symbol("__unw_add_dynamic_fde") is not None
        addresses = list(frame_descriptions(lo, hi)) if is_llvm else [lo]
        _call("__register_frame", addresses)
        return cls(addresses)

    def unregister(self) -> None:
        """Take everything back, last first."""
        _call("__deregister_frame", self.addresses[::-1])
        self.addresses = []


def frame_descriptions(lo: int, hi: int) -> Iterator[int]:
    """Addresses of the FDEs (not the CIEs) in [lo, hi)."""
    at = lo
    while at + 4 <= hi:
        length = ctypes.c_uint32.from_address(at).value
        if length == 0:
            return
        if ctypes.c_uint32.from_address(at + 4).value != 0:
            yield at
        at += 4 + length


def _call(name: str, addresses: list[int]) -> None:
    address = host_symbol(name)
    if address is None:
        return  # no unwinder in the process: nothing can throw either
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
    for each in addresses:
        function(each)
