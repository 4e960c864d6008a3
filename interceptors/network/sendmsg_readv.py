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

from typing import Any

import numpy as np

from irsan.interceptors.memory.passed_memory import ask_text, read, used, written
from irsan.interceptors.network.peers import note_own_port, note_peer
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
from irsan.runtime.kernels.threads.waiting import await_input
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records import descriptor_records as dr

IO_SYNC = dr.IO_SYNC
SOCKET_CLOCK = np.uint64(dr.SOCKET_CLOCK)
CONNECT_CLOCK = np.uint64(dr.CONNECT_CLOCK)
FAMILY_IPV4 = np.uint16(libc.constant("AF_INET"))
I32_0 = np.int32(0)
I32_4 = np.int32(4)
I32_INET = np.int32(libc.constant("AF_INET"))
I32_INET6 = np.int32(libc.constant("AF_INET6"))
I64_0 = np.int64(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
U64_48 = np.uint64(libc.offset("struct msghdr.msg_flags"))
PIECE_BYTES = np.uint64(libc.size("struct iovec"))
PIECE_SHIFT = np.uint64(4)
NAME_BYTES_AT = np.uint64(libc.offset("struct msghdr.msg_namelen"))
PIECES_AT = np.uint64(libc.offset("struct msghdr.msg_iov"))
N_PIECES_AT = np.uint64(libc.offset("struct msghdr.msg_iovlen"))
CONTROL_AT = np.uint64(libc.offset("struct msghdr.msg_control"))
CONTROL_BYTES_AT = np.uint64(libc.offset("struct msghdr.msg_controllen"))


@kernel("void(ctx,u64,u64,i64,u64)", outlined=True)
def pieces_moved(ctx: Any, pieces: Any, n_pieces: Any, n_moved: Any, kind: Any) -> None:
    """The first n_moved bytes of a list of pieces were touched."""
    left = U64_0
    if n_moved > I64_0:
        left = np.uint64(n_moved)
    i = U64_0
    while i < n_pieces and left != U64_0:
        place = pieces + (i << PIECE_SHIFT)
        n_bytes = min(load_u64(place + U64_8), left)
        if kind == KIND_READ:
            used(ctx, load_u64(place), n_bytes)
        routine_access(ctx, load_u64(place), n_bytes, kind, U64_1)
        left -= n_bytes
        i += U64_1


@kernel("void(ctx,u64,i32)")
def pieces_read(ctx: Any, pieces: Any, n_pieces: Any) -> None:
    """The list itself is read."""
    if n_pieces > I32_0:
        read(ctx, pieces, np.uint64(n_pieces) << PIECE_SHIFT)
        used(ctx, pieces, np.uint64(n_pieces) << PIECE_SHIFT)


@kernel("void(ctx,u64,u64)")
def address_used(ctx: Any, address: Any, n_bytes: Any) -> None:
    """A socket address: its family, then of IPv4 port and number; others have parts left free."""
    used(ctx, address, min(n_bytes, U64_2))
    if n_bytes >= U64_8 and load_u16(address) == FAMILY_IPV4:
        used(ctx, address, U64_8)


@kernel("void(ctx,i32,u64,i32)")
def ask_readv(ctx: Any, descriptor: Any, pieces: Any, n_pieces: Any) -> None:
    """Before readv."""
    await_input(ctx, descriptor)
    pieces_read(ctx, pieces, n_pieces)


@kernel("void(ctx,i32,u64,i32)")
def ask_pieces(ctx: Any, _descriptor: Any, pieces: Any, n_pieces: Any) -> None:
    """Before writev, preadv and pwritev."""
    pieces_read(ctx, pieces, n_pieces)


@kernel("void(ctx,i64,i32,u64,i32)")
def filled_by_readv(ctx: Any, n_moved: Any, file: Any, pieces: Any, n_pieces: Any) -> None:
    """readv and preadv."""
    if n_moved >= I64_0:
        descriptor_read(ctx, file)
    pieces_moved(ctx, pieces, np.uint64(n_pieces), n_moved, KIND_WRITE)


@kernel("void(ctx,i64,i32,u64,i32)")
def taken_by_writev(ctx: Any, n_moved: Any, file: Any, pieces: Any, n_pieces: Any) -> None:
    """writev and pwritev."""
    descriptor_written(ctx, file)
    pieces_moved(ctx, pieces, np.uint64(n_pieces), n_moved, KIND_READ)


@kernel("void(ctx,i32,u64)")
def ask_recvmsg(ctx: Any, _descriptor: Any, header: Any) -> None:
    """Before recvmsg."""
    read(ctx, header, U64_48)


@kernel("void(ctx,i32,u64,u64)")
def ask_address(ctx: Any, _socket: Any, _address: Any, size_place: Any) -> None:
    """Before getsockname: how much room there is for an address."""
    if size_place != U64_0:
        read(ctx, size_place, U64_4)
        store_u64(SCRATCH_ROOM, np.uint64(load_u32(size_place)))


@kernel("void(ctx,i32,u64,u64)")
def ask_accept(ctx: Any, descriptor: Any, address: Any, size_place: Any) -> None:
    """Before accept."""
    await_input(ctx, descriptor)
    ask_address(ctx, descriptor, address, size_place)


@kernel("void(ctx,i32,u64,u64)")
def address_written(ctx: Any, status: Any, address: Any, size_place: Any) -> None:
    """getsockname and accept: an address as far as it fits, and its size."""
    if status < I32_0 or address == U64_0 or size_place == U64_0:
        return
    written(ctx, size_place, U64_4)
    written(ctx, address, min(np.uint64(load_u32(size_place)), load_u64(SCRATCH_ROOM)))


@kernel("void(ctx,i32,u64)")
def ask_sendmsg(ctx: Any, _descriptor: Any, header: Any) -> None:
    """Before sendmsg."""
    read(ctx, header, U64_48)
    used(ctx, header, U64_8)
    if load_u64(header) != U64_0:
        used(ctx, header + NAME_BYTES_AT, U64_4)
    used(ctx, header + PIECES_AT, U64_48 - PIECES_AT)
    used(ctx, load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT) << PIECE_SHIFT)


@kernel("void(ctx,i64,i32,u64)")
def filled_by_recvmsg(ctx: Any, n_moved: Any, socket: Any, header: Any) -> None:
    """recvmsg writes the pieces, the name, the control data and how long those are."""
    if n_moved < I64_0:
        return
    descriptor_read(ctx, socket)
    name_bytes = np.uint64(load_u32(header + NAME_BYTES_AT))
    written(ctx, load_u64(header), min(name_bytes, load_u64(SCRATCH_ROOM)))
    pieces, n_pieces = load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT)
    pieces_moved(ctx, pieces, n_pieces, n_moved, KIND_WRITE)
    written(ctx, load_u64(header + CONTROL_AT), load_u64(header + CONTROL_BYTES_AT))


@kernel("void(ctx,i64,i32,u64)")
def taken_by_sendmsg(ctx: Any, n_moved: Any, socket: Any, header: Any) -> None:
    """sendmsg reads the pieces, the name and the control data."""
    if n_moved < I64_0:
        return
    descriptor_written(ctx, socket)
    name, name_bytes = load_u64(header), np.uint64(load_u32(header + NAME_BYTES_AT))
    read(ctx, name, name_bytes)
    if name != U64_0:
        address_used(ctx, name, name_bytes)
    pieces, n_pieces = load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT)
    pieces_moved(ctx, pieces, n_pieces, n_moved, KIND_READ)
    read(ctx, load_u64(header + CONTROL_AT), load_u64(header + CONTROL_BYTES_AT))


@kernel("void(ctx,i32,i32,u64,u64)")
def accepted(ctx: Any, new: Any, socket: Any, address: Any, size_place: Any) -> None:
    """accept: what the peer did before it connected is known now."""
    address_written(ctx, new, address, size_place)
    if new >= I32_0:
        note_peer(ctx, new)
    if new < I32_0 or ctx.action != NONE:
        return
    sync_acquire(ctx, CONNECT_CLOCK)
    descriptor_opened(ctx, new, SOCKET_CLOCK)
    if ctx.action == NONE:
        descriptor_used(ctx, socket)


@kernel("b1(ctx,i32,u64,i32)")
def check_address_read(ctx: Any, _socket: Any, address: Any, n_bytes: Any) -> Any:
    """bind and connect read a socket address."""
    if n_bytes > I32_0:
        read(ctx, address, np.uint64(n_bytes))
        address_used(ctx, address, np.uint64(n_bytes))
    return True


@kernel("void(ctx,i32,u64,i32)")
def ask_connect(ctx: Any, socket: Any, address: Any, n_bytes: Any) -> None:
    """connect reads a socket address; whoever accepts will know the running thread's past."""
    check_address_read(ctx, socket, address, n_bytes)
    if ctx.sanitize_thread != U64_0 and ctx.sync[IO_SYNC] != U64_0:
        sync_release(ctx, CONNECT_CLOCK)


@kernel("void(ctx,i32,i32)")
def connected(ctx: Any, status: Any, socket: Any) -> None:
    """connect has given the socket a port; it may have no peer yet (EINPROGRESS)."""
    note_own_port(ctx, socket)
    if status == I32_0:
        note_peer(ctx, socket)


@kernel("void(ctx,i32,i32)")
def listening(ctx: Any, status: Any, socket: Any) -> None:
    """listen: who connects to this port speaks with this program."""
    if status == I32_0:
        note_own_port(ctx, socket)


@kernel("b1(ctx,i32,i32,i32,u64,i32)")
def check_setsockopt(
    ctx: Any, _socket: Any, _level: Any, _name: Any, value: Any, n_bytes: Any
) -> Any:
    """setsockopt reads the option's value; only one that is a number is whole."""
    if n_bytes > I32_0:
        read(ctx, value, np.uint64(n_bytes))
    if n_bytes == I32_4:
        used(ctx, value, U64_4)
    return True


@kernel("void(ctx,u64,u64,u64)")
def ask_getaddrinfo(ctx: Any, node: Any, service: Any, hints: Any) -> None:
    """Before getaddrinfo."""
    ask_text(ctx, node)
    ask_text(ctx, service)
    read(ctx, hints, U64_48)


@kernel("void(ctx,i32,u64,u64,u64,u64)")
def ask_process_vm(
    ctx: Any, _process: Any, own: Any, n_own: Any, other: Any, n_other: Any
) -> None:
    """Before process_vm_readv and process_vm_writev: both lists are the caller's."""
    read(ctx, own, n_own << PIECE_SHIFT)
    read(ctx, other, n_other << PIECE_SHIFT)


@kernel("void(ctx,i64,u64,u64,u64)")
def own_pieces_moved(ctx: Any, n_moved: Any, own: Any, n_own: Any, kind: Any) -> None:
    """process_vm_readv filled the caller's pieces; process_vm_writev took from them."""
    pieces_moved(ctx, own, n_own, n_moved, kind)


_LIST = "(i32,ptr,i32)"
_PLACED = "(i32,ptr,i32,i64)"


@kernel("void(ctx,i32,u64)")
def ask_inet_ntop(ctx: Any, family: Any, address: Any) -> None:
    """Before inet_ntop: an address of 4 bytes, or of 16."""
    if family == I32_INET:
        used(ctx, address, U64_4)
    elif family == I32_INET6:
        used(ctx, address, U64_16)


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
    Export("i32 connect(i32,ptr,i32)", kernel="connected", real_first=True, takes=(0,),
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
