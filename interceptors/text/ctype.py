"""The tables of ctype.h: what isalpha, tolower and their like read in the program's own code.

    __ctype_b_loc()         place of a pointer to a table of 384 entries, from number -128 on
    __ctype_tolower_loc()   likewise, entries of 32 bits
    __ctype_toupper_loc()

The C library owns both the place and the table, so each read of them would be looked up as one of
foreign memory (foreign.py), twice for each character of a text.  Here their shadow becomes zero:
they can be read as long as the process lives, or until the program frees its locale, when the read
is a fault.

Source: glibc, the declarations in ctype.h; LSB 5.0, "Interfaces for libc".
May miss: a wild write to the place, eight bytes of the C library.  A table cannot be written.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import addr_to_shadow, clear_bytes
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u64, store_u8
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64

BEFORE_ZERO = 128
N_ENTRIES = 384


@kernel
def table_located(ctx: Context, place: u64, entry_bytes: u64) -> None:
    """A table was asked for: it and its place can be read from now on."""
    if ctx.sanitize_address == 0 or ctx.foreign.is_unasked != 0:
        return
    table = load_u64(place)
    if load_u8(addr_to_shadow(place)) | load_u8(addr_to_shadow(table)) != 0:
        show_table(place, table - BEFORE_ZERO * entry_bytes, N_ENTRIES * entry_bytes)


@kernel(outlined=True)
def show_table(place: u64, lo: u64, n_bytes: u64) -> None:
    """Shadow of the granules that are wholly inside becomes zero.  Once for each table."""
    first, end = addr_to_shadow(lo + 7), addr_to_shadow(lo + n_bytes)
    if is_arena(place) or is_arena(lo):
        return
    store_u8(addr_to_shadow(place), 0)
    clear_bytes(first, end - first)


EXPORTS = (
    Export("ptr __ctype_b_loc()", kernel="table_located", real_first=True, constants=(2,)),
    Export("ptr __ctype_tolower_loc()", kernel="table_located", real_first=True, constants=(4,)),
    Export("ptr __ctype_toupper_loc()", kernel="table_located", real_first=True, constants=(4,)),
)
