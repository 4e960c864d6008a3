"""mmap, munmap, mremap and mprotect: writable and executable pages, and mappings in the arena.

    mprotect   pages that are both writable and executable, when detect_write_exec asks
    mmap       the same; a mapping made over freed blocks (MAP_FIXED) is new memory: no shadow
    munmap     pages of the arena are emptied, but never unmapped: the heap is handed out again

While races are looked for, mappings come from a zone of the arena that has race shadow
(runtime/layout/mapping_zone.py): private and shared memory, files that may be written.  mmap is a
write of what it maps, munmap of what goes, mremap of both its old and its new place
(mapping_marks.py). Addresses of the zone are used again only if the newest mapping goes first, so a
use of memory that was unmapped is a fault as it should be; for the same reason mremap always moves
what grows.

Source: LLVM's sanitizer_common (ReportMmapWriteExec); mmap(2), mremap(2).
May miss: races in files that may only be read, executable memory, mappings below 2 GiB, huge pages,
at addresses that the program chose, and once a run has mapped 127 GiB; between two mappings of one
file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import is_arena
from irsan.runtime.kernels.checks.shadow import unpoison_range
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u64,
    real_function,
    real_madvise,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.kernels.race.cells.mapping_marks import note_mapped
from irsan.runtime.kernels.race.descriptors import descriptor_used
from irsan.runtime.kernels.race.race_ranges import race_forget
from irsan.runtime.kernels.race.race_unmap import race_unmap
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.threads.shared_memory import forget_shared, note_shared, shared_row
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import mapping_zone, options
from irsan.runtime.layout.faults import FaultKind

DETECT_WRITE_EXEC = options.DETECT_WRITE_EXEC
U64_0 = np.uint64(0)
U64_KIND_WRITE_EXEC = np.uint64(int(FaultKind.WRITE_EXEC))
U64_1 = np.uint64(1)
U64_16 = np.uint64(16)
U64_PAGE_MASK = np.uint64(4095)
U64_MADV_DONTNEED = np.uint64(libc.constant("MADV_DONTNEED"))
I32_0 = np.int32(0)
MAP_PRIVATE = np.int32(libc.constant("MAP_PRIVATE"))
MAP_TYPE = np.int32(15)
MAP_FIXED = np.int32(libc.constant("MAP_FIXED"))
MAP_ANONYMOUS = np.int32(libc.constant("MAP_ANONYMOUS"))
MAP_HARMLESS = np.int32(0x3F800)  # MAP_NORESERVE, POPULATE, STACK, LOCKED, NONBLOCK, ignored ones
PROT_WRITE = np.int32(libc.constant("PROT_WRITE"))
PROT_EXEC = np.int32(libc.constant("PROT_EXEC"))
PROT_NONE = np.uint64(0)
U64_MAP_FIXED = np.uint64(libc.constant("MAP_FIXED"))
_NOWHERE = libc.constant("MAP_ANONYMOUS") | libc.constant("MAP_NORESERVE")
U64_HOLE_FLAGS = np.uint64(int(MAP_PRIVATE) | int(MAP_FIXED) | _NOWHERE)
MREMAP_MAYMOVE = np.int32(libc.constant("MREMAP_MAYMOVE"))
MREMAP_FIXED = np.int32(libc.constant("MREMAP_FIXED"))
MREMAP_DONTUNMAP = np.int32(libc.constant("MREMAP_DONTUNMAP"))
U64_ZONE = np.uint64(mapping_zone.ZONE_LO)
U64_ZONE_BYTES = np.uint64(mapping_zone.ZONE_BYTES)
U64_USED = np.uint64(mapping_zone.USED)
WRITE_AND_EXECUTE = np.int32(int(PROT_WRITE) | int(PROT_EXEC))

U64_FAILED = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

real_mmap = real_function("mmap", 6)
real_mremap = real_function("mremap", 5)
real_shmctl = real_function("shmctl", 3)
IPC_STAT = np.uint64(libc.constant("IPC_STAT"))
SHMID_PLACE = FD_SETS  # room for a struct shmid_ds
SEGMENT_BYTES = np.uint64(int(FD_SETS) + libc.offset("struct shmid_ds.shm_segsz"))


@kernel("u64(u64)")
def round_to_pages(size_bytes: Any) -> Any:
    """Bytes of the pages that `size_bytes` take."""
    return (size_bytes + U64_PAGE_MASK) & ~U64_PAGE_MASK


@kernel("b1(ctx,u64,u64,i32)")
def check_protection(ctx: Any, addr: Any, size_bytes: Any, protection: Any) -> Any:
    """mmap and mprotect: WRITE_EXEC for pages that may be written and run; fault[6] = the bits."""
    is_asked = ctx.sanitize_address != U64_0 and ctx.options[DETECT_WRITE_EXEC] != U64_0
    if is_asked and (protection & WRITE_AND_EXECUTE) == WRITE_AND_EXECUTE:
        report_fault(ctx, U64_KIND_WRITE_EXEC, addr, size_bytes, U64_0)
        ctx.fault[6] = np.uint64(protection)
    return True


@kernel("b1(ctx,u64,u64,i32,i32)")
def check_mapping(ctx: Any, addr: Any, size_bytes: Any, protection: Any, flags: Any) -> Any:
    """mmap: what `check_protection` does; the shadow of a fixed mapping in the arena is cleared."""
    n_bytes = round_to_pages(size_bytes)
    is_ours = (flags & MAP_FIXED) != I32_0 and is_arena(addr) and is_arena(addr + n_bytes)
    if is_ours and ctx.sanitize_address != U64_0:
        unpoison_range(ctx, addr, n_bytes)
    return check_protection(ctx, addr, size_bytes, protection)


@kernel("b1(u64)")
def is_in_zone(addr: Any) -> Any:
    """Whether an address lies in the zone of mappings."""
    return addr - U64_ZONE < U64_ZONE_BYTES


@kernel("b1(ctx,u64,u64,i32,i32)")
def has_race_shadow(ctx: Any, addr: Any, n_bytes: Any, protection: Any, flags: Any) -> Any:
    """Whether a mapping is to lie in the zone, and it has room for it."""
    kind = flags & MAP_TYPE
    is_known = kind != I32_0 and kind <= MAP_PRIVATE
    is_known = is_known and flags & ~(MAP_TYPE | MAP_ANONYMOUS | MAP_HARMLESS) == I32_0
    is_data = flags & MAP_ANONYMOUS != I32_0 or protection & PROT_WRITE != I32_0
    if not is_known or not is_data or protection & PROT_EXEC != I32_0:
        return False
    is_asked = ctx.sanitize_thread != U64_0 and addr == U64_0 and n_bytes != U64_0
    return is_asked and n_bytes <= U64_ZONE_BYTES - load_u64(U64_USED)


@kernel("void(u64,u64)")
def empty_place(addr: Any, n_bytes: Any) -> None:
    """Pages of the zone belong to nobody: empty, without access."""
    real_mmap(addr, n_bytes, PROT_NONE, U64_HOLE_FLAGS, U64_FAILED, U64_0)


@kernel("u64(ctx,u64,u64)")
def settle_mapping(ctx: Any, place: Any, n_bytes: Any) -> Any:
    """The newest mapping of the zone: begins at `place`, as the system says, or has failed."""
    at = U64_ZONE + load_u64(U64_USED)
    if place != at:
        empty_place(at, n_bytes)
        return place
    store_u64(U64_USED, load_u64(U64_USED) + n_bytes)
    note_mapped(ctx, place, place + n_bytes)
    return place


@kernel("void(ctx,u64,u64)")
def leave_place(ctx: Any, addr: Any, n_bytes: Any) -> None:
    """Pages of the zone are gone, without history."""
    empty_place(addr, n_bytes)
    race_forget(ctx, addr, n_bytes)
    end = addr + n_bytes - U64_ZONE
    if end == load_u64(U64_USED):
        store_u64(U64_USED, end - n_bytes)


@kernel("u64(ctx,u64,u64,i32)")
def placed(ctx: Any, addr: Any, n_bytes: Any, flags: Any) -> Any:
    """A mapping has begun at addr, or failed: other processes can have it, or not."""
    if addr == U64_FAILED:
        return addr
    forget_shared(ctx, addr, addr + n_bytes)
    if flags & MAP_TYPE != MAP_PRIVATE:
        named = U64_0 if flags & MAP_ANONYMOUS != I32_0 else U64_1
        note_shared(ctx, addr, addr + n_bytes, named)
    return addr


@kernel("u64(ctx,u64,u64,i32,i32,i32,i64)")
def i_mmap(
    ctx: Any, addr: Any, size_bytes: Any, protection: Any, flags: Any, fd: Any, offset: Any
) -> Any:
    """mmap, and mmap64."""
    check_mapping(ctx, addr, size_bytes, protection, flags)
    if flags & MAP_ANONYMOUS == I32_0 and fd >= I32_0:
        descriptor_used(ctx, fd)
    n_bytes = round_to_pages(size_bytes)
    prot, kind = np.uint64(protection), np.uint64(flags)
    file, start = np.uint64(fd), np.uint64(offset)
    if has_race_shadow(ctx, addr, n_bytes, protection, flags):
        place = U64_ZONE + load_u64(U64_USED)
        found = real_mmap(place, size_bytes, prot, kind | U64_MAP_FIXED, file, start)
        return placed(ctx, settle_mapping(ctx, found, n_bytes), n_bytes, flags)
    found = real_mmap(addr, size_bytes, prot, kind, file, start)
    if flags & MAP_FIXED != I32_0 and found == addr and is_in_zone(addr):
        race_forget(ctx, addr, n_bytes)
        note_mapped(ctx, addr, addr + n_bytes)
    return placed(ctx, found, n_bytes, flags)


@kernel("b1(ctx,u64,u64)")
def check_unmapping(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """munmap: whether the host is to do it; pages of the arena are given back and stay."""
    is_aligned = (addr & U64_PAGE_MASK) == U64_0
    if is_aligned:
        forget_shared(ctx, addr, addr + round_to_pages(size_bytes))
    if is_aligned and is_in_zone(addr) and size_bytes != U64_0:
        n_bytes = min(round_to_pages(size_bytes), U64_ZONE + U64_ZONE_BYTES - addr)
        race_unmap(ctx, addr, n_bytes)
        leave_place(ctx, addr, n_bytes)
        return False
    if not is_arena(addr) or (addr & U64_PAGE_MASK) != U64_0:
        return True
    real_madvise(addr, size_bytes, U64_MADV_DONTNEED)
    return False


@kernel("u64(ctx,u64,u64,u64,i32,u64)")
def remap(ctx: Any, addr: Any, old_bytes: Any, new_bytes: Any, flags: Any, target: Any) -> Any:
    """What mremap does: what grows moves to a new place of the zone, what shrinks loses its end."""
    old, new = round_to_pages(old_bytes), round_to_pages(new_bytes)
    is_plain = flags & ~(MREMAP_MAYMOVE | MREMAP_DONTUNMAP) == I32_0
    stays = flags & MREMAP_DONTUNMAP != I32_0 or old == U64_0
    if not is_in_zone(addr) or (new <= old and is_plain and not stays):
        found = real_mremap(addr, old_bytes, new_bytes, np.uint64(flags), target)
        if found == addr and is_in_zone(addr) and new < old:
            race_unmap(ctx, addr + new, old - new)
            leave_place(ctx, addr + new, old - new)
        return found
    has_room = new <= U64_ZONE_BYTES - load_u64(U64_USED)
    moves = is_plain and flags & MREMAP_MAYMOVE != I32_0 and has_room
    kind = flags
    if moves:
        kind |= MREMAP_FIXED
        target = U64_ZONE + load_u64(U64_USED)
    found = real_mremap(addr, old_bytes, new_bytes, np.uint64(kind), target)
    if found != U64_FAILED and found != addr and not stays:
        race_unmap(ctx, addr, old)
        empty_place(addr, old)
        race_forget(ctx, addr, old)
    if moves:
        return settle_mapping(ctx, found, new)
    if is_in_zone(found):
        race_forget(ctx, found, new)
        note_mapped(ctx, found, found + new)
    return found


@kernel("u64(ctx,u64,u64,u64,i32,u64)")
def i_mremap(ctx: Any, addr: Any, old_bytes: Any, new_bytes: Any, flags: Any, target: Any) -> Any:
    """mremap; what was shared memory is so at its new place."""
    row = shared_row(ctx, addr)
    found = remap(ctx, addr, old_bytes, new_bytes, flags, target)
    if row == U64_0 or found == U64_FAILED:
        return found
    named = load_u64(row + U64_16)
    forget_shared(ctx, addr, addr + round_to_pages(old_bytes))
    forget_shared(ctx, found, found + round_to_pages(new_bytes))
    note_shared(ctx, found, found + round_to_pages(new_bytes), named)
    return found


@kernel("void(ctx,u64,i32)")
def segment_attached(ctx: Any, addr: Any, segment: Any) -> None:
    """shmat: memory that any process may attach."""
    if addr == U64_FAILED:
        return
    real_shmctl(np.uint64(segment), IPC_STAT, SHMID_PLACE)
    note_shared(ctx, addr, addr + round_to_pages(load_u64(SEGMENT_BYTES)), U64_1)


EXPORTS = (
    Export("ptr mmap(ptr,u64,i32,i32,i32,i64)", kernel="i_mmap"),
    Export("ptr mmap64(ptr,u64,i32,i32,i32,i64)", kernel="i_mmap"),
    Export("ptr shmat(i32,ptr,i32)", kernel="segment_attached", real_first=True, takes=(0,)),
    Export("i32 munmap(ptr,u64)", kernel="check_unmapping", then_real=True),
    Export("ptr mremap(ptr,u64,u64,i32,ptr)", kernel="i_mremap"),
    Export("i32 mprotect(ptr,u64,i32)", kernel="check_protection", then_real=True),
)
