"""readv, writev, sendmsg, recvmsg and socket addresses: pieces of memory listed by other memory.

How writev, sendmsg and recvmsg move them is in partial_writes.py, send.py and
recv.py.

    struct iovec   base ptr | bytes u64            one piece; the result says how much of them moved
    struct msghdr  name ptr | name bytes u32 | pieces ptr | their number u64 | control ptr |
                   control bytes u64 | flags i32   56 bytes

Source: readv(2), sendmsg(2), accept(2); the interceptors of LLVM's
sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import acted_upon, ask_text, read, used, written
from irsan.interceptors.network.peers import note_own_port, note_peer, note_peer_at
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE, routine_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u16, load_u32, load_u64, store_u64
from irsan.runtime.kernels.out_parameters import SCRATCH_ROOM
from irsan.runtime.kernels.race.descriptors import (
    descriptor_opened,
    descriptor_read,
    descriptor_used,
    descriptor_written,
)
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.threads.waiting import await_input
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.race.descriptor_records import CONNECT_CLOCK, SOCKET_CLOCK

FAMILY_IPV4 = libc.constant("AF_INET")
INET = libc.constant("AF_INET")
INET6 = libc.constant("AF_INET6")
EINPROGRESS = libc.constant("EINPROGRESS")
FLAGS_AT = libc.offset("struct msghdr.msg_flags")
PIECE_BYTES = libc.size("struct iovec")
PIECE_SHIFT = 4
NAME_BYTES_AT = libc.offset("struct msghdr.msg_namelen")
PIECES_AT = libc.offset("struct msghdr.msg_iov")
N_PIECES_AT = libc.offset("struct msghdr.msg_iovlen")
CONTROL_AT = libc.offset("struct msghdr.msg_control")
CONTROL_BYTES_AT = libc.offset("struct msghdr.msg_controllen")


@kernel(outlined=True)
def pieces_moved(ctx: Context, pieces: u64, n_pieces: u64, n_moved: i64, kind: u64) -> None:
    """The first n_moved bytes of a list of pieces were touched."""
    left = u64(0)
    if n_moved > 0:
        left = u64(n_moved)
    i = u64(0)
    while i < n_pieces and left != 0:
        place = pieces + (i << PIECE_SHIFT)
        n_bytes = min(load_u64(place + 8), left)
        if kind == KIND_READ:
            used(ctx, load_u64(place), n_bytes)
        routine_access(ctx, load_u64(place), n_bytes, kind, 1)
        left -= n_bytes
        i += 1


@kernel
def pieces_read(ctx: Context, pieces: u64, n_pieces: i32) -> None:
    """The list itself is read."""
    if n_pieces > 0:
        acted_upon(ctx, pieces, u64(n_pieces) << PIECE_SHIFT)


@kernel
def address_used(ctx: Context, address: u64, n_bytes: u64) -> None:
    """A socket address: its family, then of IPv4 port and number; others have parts left free."""
    used(ctx, address, min(n_bytes, u64(2)))
    if n_bytes >= 8 and load_u16(address) == FAMILY_IPV4:
        used(ctx, address, 8)


@kernel
def ask_readv(ctx: Context, descriptor: i32, pieces: u64, n_pieces: i32) -> None:
    """Before readv."""
    await_input(ctx, descriptor)
    pieces_read(ctx, pieces, n_pieces)


@kernel
def ask_pieces(ctx: Context, _descriptor: i32, pieces: u64, n_pieces: i32) -> None:
    """Before writev, preadv and pwritev."""
    pieces_read(ctx, pieces, n_pieces)


@kernel
def filled_by_readv(ctx: Context, n_moved: i64, file: i32, pieces: u64, n_pieces: i32) -> None:
    """readv and preadv."""
    if n_moved >= 0:
        descriptor_read(ctx, file)
    pieces_moved(ctx, pieces, u64(n_pieces), n_moved, KIND_WRITE)


@kernel
def taken_by_writev(ctx: Context, n_moved: i64, file: i32, pieces: u64, n_pieces: i32) -> None:
    """writev and pwritev."""
    descriptor_written(ctx, file)
    pieces_moved(ctx, pieces, u64(n_pieces), n_moved, KIND_READ)


@kernel
def ask_recvmsg(ctx: Context, _descriptor: i32, header: u64) -> None:
    """Before recvmsg."""
    read(ctx, header, FLAGS_AT)


@kernel
def ask_address(ctx: Context, _socket: i32, _address: u64, size_place: u64) -> None:
    """Before getsockname: how much room there is for an address."""
    if size_place != 0:
        read(ctx, size_place, 4)
        store_u64(SCRATCH_ROOM, u64(load_u32(size_place)))


@kernel
def ask_accept(ctx: Context, descriptor: i32, address: u64, size_place: u64) -> None:
    """Before accept."""
    await_input(ctx, descriptor)
    ask_address(ctx, descriptor, address, size_place)


@kernel
def address_written(ctx: Context, status: i32, address: u64, size_place: u64) -> None:
    """getsockname and accept: an address as far as it fits, and its size."""
    if status < 0 or address == 0 or size_place == 0:
        return
    written(ctx, size_place, 4)
    written(ctx, address, min(u64(load_u32(size_place)), load_u64(SCRATCH_ROOM)))


@kernel
def ask_sendmsg(ctx: Context, _descriptor: i32, header: u64) -> None:
    """Before sendmsg."""
    read(ctx, header, FLAGS_AT)
    used(ctx, header, 8)
    if load_u64(header) != 0:
        used(ctx, header + NAME_BYTES_AT, 4)
    used(ctx, header + PIECES_AT, u64(FLAGS_AT) - PIECES_AT)
    used(ctx, load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT) << PIECE_SHIFT)


@kernel
def filled_by_recvmsg(ctx: Context, n_moved: i64, socket: i32, header: u64) -> None:
    """recvmsg writes the pieces, the name, the control data and how long those are."""
    if n_moved < 0:
        return
    descriptor_read(ctx, socket)
    name_bytes = u64(load_u32(header + NAME_BYTES_AT))
    written(ctx, load_u64(header), min(name_bytes, load_u64(SCRATCH_ROOM)))
    pieces, n_pieces = load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT)
    pieces_moved(ctx, pieces, n_pieces, n_moved, KIND_WRITE)
    written(ctx, load_u64(header + CONTROL_AT), load_u64(header + CONTROL_BYTES_AT))


@kernel
def taken_by_sendmsg(ctx: Context, n_moved: i64, socket: i32, header: u64) -> None:
    """sendmsg reads the pieces, the name and the control data."""
    if n_moved < 0:
        return
    descriptor_written(ctx, socket)
    name, name_bytes = load_u64(header), u64(load_u32(header + NAME_BYTES_AT))
    read(ctx, name, name_bytes)
    if name != 0:
        address_used(ctx, name, name_bytes)
    pieces, n_pieces = load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT)
    pieces_moved(ctx, pieces, n_pieces, n_moved, KIND_READ)
    read(ctx, load_u64(header + CONTROL_AT), load_u64(header + CONTROL_BYTES_AT))


@kernel
def accepted(ctx: Context, new: i32, socket: i32, address: u64, size_place: u64) -> None:
    """accept: what the peer did before it connected is known now."""
    address_written(ctx, new, address, size_place)
    if new >= 0:
        note_peer(ctx, new)
    if new < 0 or ctx.action != NONE:
        return
    sync_acquire(ctx, CONNECT_CLOCK)
    descriptor_opened(ctx, new, SOCKET_CLOCK)
    if ctx.action == NONE:
        descriptor_used(ctx, socket)


@kernel
def check_address_read(ctx: Context, _socket: i32, address: u64, n_bytes: i32) -> bool:
    """bind and connect read a socket address."""
    if n_bytes > 0:
        read(ctx, address, u64(n_bytes))
        address_used(ctx, address, u64(n_bytes))
    return True


@kernel
def ask_connect(ctx: Context, socket: i32, address: u64, n_bytes: i32) -> None:
    """connect reads a socket address; whoever accepts will know the running thread's past."""
    check_address_read(ctx, socket, address, n_bytes)
    if ctx.sanitize_thread != 0 and ctx.descriptors.io_sync != 0:
        sync_release(ctx, CONNECT_CLOCK)


@kernel
def connected(ctx: Context, status: i32, socket: i32, address: u64) -> None:
    """connect has given the socket a port; one that does not wait will have its peer later."""
    note_own_port(ctx, socket)
    if status == 0:
        note_peer(ctx, socket)
    elif load_u32(ctx.c_library.errno_addr) == EINPROGRESS:
        note_peer_at(ctx, address)


@kernel
def listening(ctx: Context, status: i32, socket: i32) -> None:
    """listen: who connects to this port speaks with this program."""
    if status == 0:
        note_own_port(ctx, socket)


@kernel
def check_setsockopt(
    ctx: Context, _socket: i32, _level: i32, _name: i32, value: u64, n_bytes: i32
) -> bool:
    """setsockopt reads the option's value; only one that is a number is whole."""
    if n_bytes > 0:
        read(ctx, value, u64(n_bytes))
    if n_bytes == 4:
        used(ctx, value, 4)
    return True


@kernel
def ask_getaddrinfo(ctx: Context, node: u64, service: u64, hints: u64) -> None:
    """Before getaddrinfo."""
    ask_text(ctx, node)
    ask_text(ctx, service)
    read(ctx, hints, FLAGS_AT)


@kernel
def ask_process_vm(
    ctx: Context, _process: i32, own: u64, n_own: u64, other: u64, n_other: u64
) -> None:
    """Before process_vm_readv and process_vm_writev: both lists are the caller's."""
    read(ctx, own, n_own << PIECE_SHIFT)
    read(ctx, other, n_other << PIECE_SHIFT)


@kernel
def own_pieces_moved(ctx: Context, n_moved: i64, own: u64, n_own: u64, kind: u64) -> None:
    """process_vm_readv filled the caller's pieces; process_vm_writev took from them."""
    pieces_moved(ctx, own, n_own, n_moved, kind)


_LIST = "(i32,ptr,i32)"
_PLACED = "(i32,ptr,i32,i64)"


@kernel
def ask_inet_ntop(ctx: Context, family: i32, address: u64) -> None:
    """Before inet_ntop: an address of 4 bytes, or of 16."""
    if family == INET:
        acted_upon(ctx, address, 4)
    elif family == INET6:
        acted_upon(ctx, address, 16)


EXPORTS = (
    Export(f"i64 readv{_LIST}", kernel="filled_by_readv", real_first=True, before="ask_readv"),
    *(
        Export(f"i64 {name}{_PLACED}", kernel=kernel_name, real_first=True, before="ask_pieces")
        for kernel_name, names in (
            ("filled_by_readv", ("preadv", "preadv64")),
            ("taken_by_writev", ("pwritev", "pwritev64")),
        )
        for name in names
    ),
    *(
        Export(f"i64 {name}(i32,ptr,i32,i64,i32)", kernel=kernel_name, real_first=True,
               before="ask_pieces")
        for name, kernel_name in (("preadv2", "filled_by_readv"), ("pwritev2", "taken_by_writev"))
    ),
    *(
        Export(f"i64 process_vm_{name}(i32,ptr,u64,ptr,u64,u64)", kernel="own_pieces_moved",
               real_first=True, before="ask_process_vm", takes=(1, 2), constants=(int(kind),))
        for name, kind in (("readv", KIND_WRITE), ("writev", KIND_READ))
    ),
    Export("i32 bind(i32,ptr,i32)", kernel="check_address_read", then_real=True),
    Export("i32 connect(i32,ptr,i32)", kernel="connected", real_first=True, takes=(0, 1),
           before="ask_connect"),
    Export("i32 listen(i32,i32)", kernel="listening", real_first=True, takes=(0,)),
    Export("i32 setsockopt(i32,i32,i32,ptr,i32)", kernel="check_setsockopt", then_real=True),
    Export("i32 getsockopt(i32,i32,i32,ptr,ptr)", kernel="sized_when_zero", real_first=True,
           takes=(3, 4)),
    *(
        Export(f"i32 {name}(i32,ptr,ptr)", kernel="address_written", real_first=True, takes=(1, 2),
               before="ask_address")
        for name in ("getsockname", "getpeername")
    ),
    *(
        Export(f"i32 {prototype}", kernel="accepted", real_first=True, before="ask_accept")
        for prototype in ("accept(i32,ptr,ptr)", "accept4(i32,ptr,ptr,i32)")
    ),
    Export("i32 socketpair(i32,i32,i32,ptr)", kernel="two_opened", real_first=True, takes=(3,)),
    Export("i32 getaddrinfo(ptr,ptr,ptr,ptr)", kernel="written_when_zero", real_first=True,
           before="ask_getaddrinfo", takes=(3,), constants=(8,)),
    Export("ptr inet_ntop(i32,ptr,ptr,i32)", kernel="text_when_given", real_first=True, takes=(2,),
           before="ask_inet_ntop"),
)  # fmt: skip
