"""Who is at the other end of a socket: this program itself, or another process.

    AF_UNIX          SO_PEERCRED names the process
    AF_INET, INET6   the peer's port is one of a socket of this program, or it is not

A peer in another process matters from then on: virtual time waits for real time
(kernels/threads/real_time.py).

Sources: unix(7), ip(7).
May miss: peers of sockets without connections; another process at an address of another machine
whose port this program has as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u16,
    load_u32,
    real_function,
    real_getpid,
    store_u8,
    store_u16,
    store_u32,
)
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import outside_words as ow

OTHERS = ow.OTHERS
OWN_PORTS = np.uint64(ow.OWN_PORTS)
SIZE_PLACE = FD_SETS
ADDRESS = np.uint64(FD_SETS + np.uint64(8))
ADDRESS_BYTES = np.uint32(128)
AF_UNIX = np.uint64(libc.constant("AF_UNIX"))
AF_INET = np.uint64(libc.constant("AF_INET"))
AF_INET6 = np.uint64(libc.constant("AF_INET6"))
SOL_SOCKET = np.uint64(libc.constant("SOL_SOCKET"))
SO_PEERCRED = np.uint64(libc.constant("SO_PEERCRED"))
U8_0 = np.uint8(0)
U16_0 = np.uint16(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)

real_getsockname = real_function("getsockname", 3)
real_getpeername = real_function("getpeername", 3)
real_getsockopt = real_function("getsockopt", 5)


@kernel("u64(u64)")
def port_place(port: Any) -> Any:
    """The byte that says whether a port is this program's."""
    return OWN_PORTS + port


@kernel("u64()")
def port_of_address() -> Any:
    """The port, in the order of the net, in the address at ADDRESS; 0: it has none."""
    family = np.uint64(load_u16(ADDRESS))
    if family == AF_INET or family == AF_INET6:
        return np.uint64(load_u16(ADDRESS + U64_2))
    return U64_0


@kernel("void()")
def make_room() -> None:
    """An empty address, and the room for one."""
    store_u32(SIZE_PLACE, ADDRESS_BYTES)
    store_u16(ADDRESS, U16_0)
    store_u16(ADDRESS + U64_2, U16_0)


@kernel("void(ctx,i32)", outlined=True)
def note_own_port(ctx: Any, socket: Any) -> None:
    """A socket has got its port; errno stays."""
    errno = load_u32(ctx.errno_addr)
    make_room()
    real_getsockname(np.uint64(socket), ADDRESS, SIZE_PLACE)
    store_u32(ctx.errno_addr, errno)
    port = port_of_address()
    if port != U64_0:
        store_u8(port_place(port), np.uint8(1))


@kernel("b1(i32)")
def is_peer_here(socket: Any) -> Any:
    """Whether the other end of a connected socket is this process."""
    make_room()
    real_getpeername(np.uint64(socket), ADDRESS, SIZE_PLACE)
    port = port_of_address()
    if port != U64_0:
        return load_u8(port_place(port)) != U8_0
    store_u32(SIZE_PLACE, ADDRESS_BYTES)
    store_u32(ADDRESS, np.uint32(0))
    real_getsockopt(np.uint64(socket), SOL_SOCKET, SO_PEERCRED, ADDRESS, SIZE_PLACE)
    return np.uint64(load_u32(ADDRESS)) == np.uint64(np.uint32(real_getpid()))


@kernel("void(ctx,i32)", outlined=True)
def note_peer(ctx: Any, socket: Any) -> None:
    """A socket is connected; errno stays."""
    errno = load_u32(ctx.errno_addr)
    if not is_peer_here(socket):
        ctx.outside[OTHERS] += U64_1
    store_u32(ctx.errno_addr, errno)


EXPORTS = ()
