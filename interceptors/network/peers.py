"""Who is at the other end of a socket: this program itself, or another process.

    AF_UNIX          SO_PEERCRED names the process
    AF_INET, INET6   the peer's port is one of a socket of this program, or it is not; of a connect
                     that does not wait, the port that it asks for

A peer in another process matters from then on: virtual time waits for real time
(kernels/threads/real_time.py).

Sources: unix(7), ip(7).
May miss: peers of sockets without connections; another process at an address of another machine
whose port this program has as well.
"""

from __future__ import annotations

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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout.outside_words import OWN_PORTS

SIZE_PLACE = FD_SETS
ADDRESS = FD_SETS + 8
ADDRESS_BYTES = 128
AF_UNIX = libc.constant("AF_UNIX")
AF_INET = libc.constant("AF_INET")
AF_INET6 = libc.constant("AF_INET6")
SOL_SOCKET = libc.constant("SOL_SOCKET")
SO_PEERCRED = libc.constant("SO_PEERCRED")

real_getsockname = real_function("getsockname", 3)
real_getpeername = real_function("getpeername", 3)
real_getsockopt = real_function("getsockopt", 5)


@kernel
def port_place(port: u64) -> u64:
    """The byte that says whether a port is this program's."""
    return OWN_PORTS + port


@kernel
def port_of_address(address: u64) -> u64:
    """The port, in the order of the net, in a struct sockaddr; 0: it has none."""
    family = u64(load_u16(address))
    if family == AF_INET or family == AF_INET6:
        return u64(load_u16(address + 2))
    return 0


@kernel
def make_room() -> None:
    """An empty address, and the room for one."""
    store_u32(SIZE_PLACE, ADDRESS_BYTES)
    store_u16(ADDRESS, 0)
    store_u16(ADDRESS + 2, 0)


@kernel(outlined=True)
def note_own_port(ctx: Context, socket: i32) -> None:
    """A socket has got its port; errno stays."""
    errno = load_u32(ctx.c_library.errno_addr)
    make_room()
    real_getsockname(u64(socket), ADDRESS, SIZE_PLACE)
    store_u32(ctx.c_library.errno_addr, errno)
    port = port_of_address(ADDRESS)
    if port != 0:
        store_u8(port_place(port), 1)


@kernel
def is_peer_here(socket: i32) -> bool:
    """Whether the other end of a connected socket is this process."""
    make_room()
    real_getpeername(u64(socket), ADDRESS, SIZE_PLACE)
    port = port_of_address(ADDRESS)
    if port != 0:
        return load_u8(port_place(port)) != 0
    store_u32(SIZE_PLACE, ADDRESS_BYTES)
    store_u32(ADDRESS, 0)
    real_getsockopt(u64(socket), SOL_SOCKET, SO_PEERCRED, ADDRESS, SIZE_PLACE)
    return u64(load_u32(ADDRESS)) == u64(u32(real_getpid()))


@kernel(outlined=True)
def note_peer(ctx: Context, socket: i32) -> None:
    """A socket is connected; errno stays."""
    errno = load_u32(ctx.c_library.errno_addr)
    if not is_peer_here(socket):
        ctx.outside.others += 1
    store_u32(ctx.c_library.errno_addr, errno)


@kernel(outlined=True)
def note_peer_at(ctx: Context, address: u64) -> None:
    """A socket is going to be connected to an address: whose it is, its port says."""
    port = port_of_address(address)
    if port != 0 and load_u8(port_place(port)) == 0:
        ctx.outside.others += 1


EXPORTS = ()
