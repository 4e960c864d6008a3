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

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.checks.foreign import (
    ANONYMOUS,
    READABLE,
    WRITABLE,
    foreign_allows,
    foreign_kind,
    foreign_mapped,
    is_arena,
)
from irsan.runtime.kernels.checks.foreign_shadow import (
    ADDRESSES,
    close_mapping,
    is_opened,
    open_mapping,
)
from irsan.runtime.kernels.checks.shadow import unpoison_range
from irsan.runtime.kernels.errno import set_errno
from irsan.runtime.kernels.injected import REGULAR, STATUS, file_type
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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import report_fault
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.threads.shared_memory import forget_shared, note_shared, shared_row
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.mapping_zone import USED, ZONE_BYTES, ZONE_LO
from irsan.runtime.layout.memory_map import ARENA_LO
from irsan.runtime.layout.options import DETECT_WRITE_EXEC

KIND_WRITE_EXEC = int(FaultKind.WRITE_EXEC)
PAGE_MASK = 4095
MADV_DONTNEED = libc.constant("MADV_DONTNEED")
MAP_PRIVATE = libc.constant("MAP_PRIVATE")
MAP_TYPE = 15
MAP_FIXED = libc.constant("MAP_FIXED")
MAP_ANONYMOUS = libc.constant("MAP_ANONYMOUS")
MAP_32BIT = libc.constant("MAP_32BIT")
MAP_FIXED_NOREPLACE = libc.constant("MAP_FIXED_NOREPLACE")
MAP_HARMLESS = 0x3F800  # MAP_NORESERVE, POPULATE, STACK, LOCKED, NONBLOCK, ignored ones
PROT_READ = libc.constant("PROT_READ")
PROT_WRITE = libc.constant("PROT_WRITE")
PROT_EXEC = libc.constant("PROT_EXEC")
PROT_NONE = 0
_NOWHERE = libc.constant("MAP_ANONYMOUS") | libc.constant("MAP_NORESERVE")
HOLE_FLAGS = int(MAP_PRIVATE) | int(MAP_FIXED) | _NOWHERE
LOWEST_PLACE = 0x0400_0000  # for MAP_32BIT: below lie the host's program and what it allocates
ERRNO_NOMEM = libc.constant("ENOMEM")
MREMAP_MAYMOVE = libc.constant("MREMAP_MAYMOVE")
MREMAP_FIXED = libc.constant("MREMAP_FIXED")
MREMAP_DONTUNMAP = libc.constant("MREMAP_DONTUNMAP")
WRITE_AND_EXECUTE = int(PROT_WRITE) | int(PROT_EXEC)
ALONE = int(MAP_PRIVATE) | int(MAP_ANONYMOUS)
FILE_BYTES = STATUS + libc.offset("struct stat.st_size")

FAILED = 0xFFFF_FFFF_FFFF_FFFF

real_mmap = real_function("mmap", 6)
real_mremap = real_function("mremap", 5)
real_shmctl = real_function("shmctl", 3)
IPC_STAT = libc.constant("IPC_STAT")
SHMID_PLACE = FD_SETS  # room for a struct shmid_ds
SEGMENT_BYTES = int(FD_SETS) + libc.offset("struct shmid_ds.shm_segsz")


@kernel
def round_to_pages(size_bytes: u64) -> u64:
    """Bytes of the pages that `size_bytes` take."""
    return (size_bytes + PAGE_MASK) & ~u64(PAGE_MASK)


@kernel
def check_protection(ctx: Context, addr: u64, size_bytes: u64, protection: i32) -> bool:
    """mmap and mprotect: WRITE_EXEC for pages that may be written and run; fault[6] = the bits."""
    is_asked = ctx.sanitize_address != 0 and ctx.options[DETECT_WRITE_EXEC] != 0
    if is_asked and (protection & WRITE_AND_EXECUTE) == WRITE_AND_EXECUTE:
        report_fault(ctx, KIND_WRITE_EXEC, addr, size_bytes, 0)
        ctx.fault[6] = u64(protection)
    return True


@kernel
def check_new_protection(ctx: Context, addr: u64, size_bytes: u64, protection: i32) -> bool:
    """mprotect: what `check_protection` does, and what checks need not look up any more."""
    n_bytes = round_to_pages(size_bytes)
    if (addr & PAGE_MASK) == 0:
        if protection & PROT_READ == 0:
            close_mapping(ctx, addr, n_bytes)
        elif foreign_allows(ctx, addr, n_bytes, ANONYMOUS):
            open_mapping(ctx, addr, n_bytes)
            note_foreign(ctx, addr, n_bytes, protection, ALONE)
    return check_protection(ctx, addr, size_bytes, protection)


@kernel
def bytes_there(ctx: Context, n_bytes: u64, flags: i32, fd: i32, offset: u64) -> u64:
    """How many bytes of a mapping, in whole pages, have something behind them: a file's end."""
    if flags & MAP_ANONYMOUS != 0:
        return n_bytes
    if file_type(ctx, fd) != REGULAR:
        return 0
    file_bytes = round_to_pages(load_u64(FILE_BYTES))
    return min(n_bytes, file_bytes - offset) if offset < file_bytes else u64(0)


@kernel
def settle_shadow(ctx: Context, addr: u64, n_bytes: u64, n_there: u64, protection: i32) -> None:
    """Pages that can be read cannot fault but behind the end of their file: not looked up."""
    n_open = u64(0) if protection & PROT_READ == 0 else n_there
    open_mapping(ctx, addr, n_open)
    close_mapping(ctx, addr + n_open, n_bytes - n_open)


@kernel
def check_mapping(ctx: Context, addr: u64, size_bytes: u64, protection: i32, flags: i32) -> bool:
    """mmap: what `check_protection` does; the shadow of a fixed mapping in the arena is cleared."""
    n_bytes = round_to_pages(size_bytes)
    is_ours = (flags & MAP_FIXED) != 0 and is_arena(addr) and is_arena(addr + n_bytes)
    if is_ours and ctx.sanitize_address != 0:
        unpoison_range(ctx, addr, n_bytes)
    return check_protection(ctx, addr, size_bytes, protection)


@kernel
def is_in_zone(addr: u64) -> bool:
    """Whether an address lies in the zone of mappings."""
    return addr - ZONE_LO < ZONE_BYTES


@kernel
def has_race_shadow(ctx: Context, addr: u64, n_bytes: u64, protection: i32, flags: i32) -> bool:
    """Whether a mapping is to lie in the zone, and it has room for it."""
    kind = flags & MAP_TYPE
    is_known = kind != 0 and kind <= MAP_PRIVATE
    is_known = is_known and flags & ~(MAP_TYPE | MAP_ANONYMOUS | MAP_HARMLESS) == 0
    is_data = flags & MAP_ANONYMOUS != 0 or protection & PROT_WRITE != 0
    if not is_known or not is_data or protection & PROT_EXEC != 0:
        return False
    is_asked = ctx.sanitize_thread != 0 and addr == 0 and n_bytes != 0
    return is_asked and n_bytes <= ZONE_BYTES - load_u64(USED)


@kernel
def empty_place(addr: u64, n_bytes: u64) -> None:
    """Pages of the zone belong to no mapping: empty, without access."""
    real_mmap(addr, n_bytes, PROT_NONE, HOLE_FLAGS, FAILED, 0)


@kernel
def settle_mapping(ctx: Context, place: u64, n_bytes: u64) -> u64:
    """The newest mapping of the zone: begins at `place`, as the system says, or has failed."""
    at = ZONE_LO + load_u64(USED)
    if place != at:
        empty_place(at, n_bytes)
        return place
    store_u64(USED, load_u64(USED) + n_bytes)
    note_mapped(ctx, place, place + n_bytes)
    return place


@kernel
def forget_pages(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """Nothing is known of pages any more."""
    n_bytes = round_to_pages(size_bytes)
    close_mapping(ctx, addr, n_bytes)
    foreign_mapped(ctx, addr, addr + n_bytes, 0)


@kernel
def leave_place(ctx: Context, addr: u64, n_bytes: u64) -> None:
    """Pages of the zone are gone, without history."""
    empty_place(addr, n_bytes)
    race_forget(ctx, addr, n_bytes)
    end = addr + n_bytes - ZONE_LO
    if end == load_u64(USED):
        store_u64(USED, end - n_bytes)


@kernel
def note_foreign(ctx: Context, addr: u64, n_bytes: u64, protection: i32, flags: i32) -> None:
    """A mapping that may be read, or be allowed to later, is known to the checks of foreign
    addresses."""
    kind = u64(0)
    if protection & PROT_READ != 0:
        kind |= READABLE
        if protection & PROT_WRITE != 0:
            kind |= WRITABLE
    if flags & MAP_ANONYMOUS != 0 and flags & MAP_TYPE == MAP_PRIVATE:
        kind |= ANONYMOUS
    if not is_arena(addr):
        foreign_mapped(ctx, addr, addr + n_bytes, kind)


@kernel
def placed(
    ctx: Context, addr: u64, n_bytes: u64, n_there: u64, protection: i32, flags: i32
) -> u64:
    """A mapping has begun at addr, or failed: other processes can have it, or not."""
    if addr == FAILED:
        return addr
    note_foreign(ctx, addr, n_bytes, protection, flags)
    settle_shadow(ctx, addr, n_bytes, n_there, protection)
    forget_shared(ctx, addr, addr + n_bytes)
    if flags & MAP_TYPE != MAP_PRIVATE:
        named = u64(0) if flags & MAP_ANONYMOUS != 0 else u64(1)
        note_shared(ctx, addr, addr + n_bytes, named)
    return addr


@kernel
def map_below(ctx: Context, size_bytes: u64, prot: u64, flags: u64, fd: u64, offset: u64) -> u64:
    """A mapping in the first 2 GiB, where the system has room for none: below the arena."""
    kind = flags & ~u64(MAP_32BIT) | MAP_FIXED_NOREPLACE
    n_bytes = round_to_pages(size_bytes)
    place = u64(ARENA_LO)
    while n_bytes != 0 and place - LOWEST_PLACE >= n_bytes:
        place -= n_bytes
        if real_mmap(place, size_bytes, prot, kind, fd, offset) == place:
            return place
    set_errno(ctx, ERRNO_NOMEM)
    return FAILED


@kernel
def i_mmap(
    ctx: Context, addr: u64, size_bytes: u64, protection: i32, flags: i32, fd: i32, offset: i64
) -> u64:
    """mmap, and mmap64."""
    check_mapping(ctx, addr, size_bytes, protection, flags)
    if flags & MAP_ANONYMOUS == 0 and fd >= 0:
        descriptor_used(ctx, fd)
    n_bytes = round_to_pages(size_bytes)
    prot, kind = u64(protection), u64(flags)
    file, start = u64(fd), u64(offset)
    n_there = bytes_there(ctx, n_bytes, flags, fd, start)
    if has_race_shadow(ctx, addr, n_bytes, protection, flags):
        place = ZONE_LO + load_u64(USED)
        found = real_mmap(place, size_bytes, prot, kind | MAP_FIXED, file, start)
        settled = settle_mapping(ctx, found, n_bytes)
        return placed(ctx, settled, n_bytes, n_there, protection, flags)
    found = real_mmap(addr, size_bytes, prot, kind, file, start)
    if found == FAILED and flags & MAP_32BIT != 0 and flags & MAP_FIXED == 0:
        found = map_below(ctx, size_bytes, prot, kind, file, start)
    if flags & MAP_FIXED != 0 and found == addr and is_in_zone(addr):
        race_forget(ctx, addr, n_bytes)
        note_mapped(ctx, addr, addr + n_bytes)
    return placed(ctx, found, n_bytes, n_there, protection, flags)


@kernel
def check_unmapping(ctx: Context, addr: u64, size_bytes: u64) -> bool:
    """munmap: whether the host is to do it; pages of the arena are given back and stay."""
    is_aligned = (addr & PAGE_MASK) == 0
    if size_bytes > ADDRESSES:  # the system refuses it
        return True
    if is_aligned:
        forget_shared(ctx, addr, addr + round_to_pages(size_bytes))
        forget_pages(ctx, addr, size_bytes)
    if is_aligned and is_in_zone(addr) and size_bytes != 0:
        n_bytes = min(round_to_pages(size_bytes), u64(ZONE_LO) + ZONE_BYTES - addr)
        race_unmap(ctx, addr, n_bytes)
        leave_place(ctx, addr, n_bytes)
        return False
    if not is_arena(addr) or not is_aligned:
        return True
    real_madvise(addr, size_bytes, MADV_DONTNEED)
    return False


@kernel
def remap(ctx: Context, addr: u64, old_bytes: u64, new_bytes: u64, flags: i32, target: u64) -> u64:
    """What mremap does: what grows moves to a new place of the zone, what shrinks loses its end."""
    old, new = round_to_pages(old_bytes), round_to_pages(new_bytes)
    is_plain = flags & ~(MREMAP_MAYMOVE | MREMAP_DONTUNMAP) == 0
    stays = flags & MREMAP_DONTUNMAP != 0 or old == 0
    if not is_in_zone(addr) or (new <= old and is_plain and not stays):
        found = real_mremap(addr, old_bytes, new_bytes, u64(flags), target)
        if found == addr and is_in_zone(addr) and new < old:
            race_unmap(ctx, addr + new, old - new)
            leave_place(ctx, addr + new, old - new)
        return found
    has_room = new <= ZONE_BYTES - load_u64(USED)
    moves = is_plain and flags & MREMAP_MAYMOVE != 0 and has_room
    kind = flags
    if moves:
        kind = i32(kind | MREMAP_FIXED)
        target = ZONE_LO + load_u64(USED)
    found = real_mremap(addr, old_bytes, new_bytes, u64(kind), target)
    if found != FAILED and found != addr and not stays:
        race_unmap(ctx, addr, old)
        empty_place(addr, old)
        race_forget(ctx, addr, old)
    if moves:
        return settle_mapping(ctx, found, new)
    if is_in_zone(found):
        race_forget(ctx, found, new)
        note_mapped(ctx, found, found + new)
    return found


@kernel
def note_remapped(ctx: Context, addr: u64, n_bytes: u64, kind: u64, is_open: bool) -> None:
    """What checks know of pages behind mremap, `kind` and `is_open` before; of a file nothing, as
    it may end among them."""
    if kind & ANONYMOUS == 0:
        forget_pages(ctx, addr, n_bytes)
        return
    foreign_mapped(ctx, addr, addr + n_bytes, kind)
    if is_open:
        open_mapping(ctx, addr, n_bytes)


@kernel
def i_mremap(
    ctx: Context, addr: u64, old_bytes: u64, new_bytes: u64, flags: i32, target: u64
) -> u64:
    """mremap; what was shared memory is so at its new place."""
    row = shared_row(ctx, addr)
    kind, is_open = foreign_kind(ctx, addr), is_opened(ctx, addr)
    found = remap(ctx, addr, old_bytes, new_bytes, flags, target)
    if found != FAILED:
        if flags & MREMAP_DONTUNMAP == 0:
            forget_pages(ctx, addr, old_bytes)
        note_remapped(ctx, found, round_to_pages(new_bytes), kind, is_open)
    if row == 0 or found == FAILED:
        return found
    named = load_u64(row + 16)
    forget_shared(ctx, addr, addr + round_to_pages(old_bytes))
    forget_shared(ctx, found, found + round_to_pages(new_bytes))
    note_shared(ctx, found, found + round_to_pages(new_bytes), named)
    return found


@kernel
def segment_attached(ctx: Context, addr: u64, segment: i32) -> None:
    """shmat: memory that any process may attach."""
    if addr == FAILED:
        return
    real_shmctl(u64(segment), IPC_STAT, SHMID_PLACE)
    note_shared(ctx, addr, addr + round_to_pages(load_u64(SEGMENT_BYTES)), 1)


EXPORTS = (
    Export("ptr mmap(ptr,u64,i32,i32,i32,i64)", kernel="i_mmap"),
    Export("ptr mmap64(ptr,u64,i32,i32,i32,i64)", kernel="i_mmap"),
    Export("ptr shmat(i32,ptr,i32)", kernel="segment_attached", real_first=True, takes=(0,)),
    Export("i32 munmap(ptr,u64)", kernel="check_unmapping", then_real=True),
    Export("ptr mremap(ptr,u64,u64,i32,ptr)", kernel="i_mremap"),
    Export("i32 mprotect(ptr,u64,i32)", kernel="check_new_protection", then_real=True),
)
