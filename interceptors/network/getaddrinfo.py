"""gethostbyname, getnameinfo, inet_pton, ether_aton_r and similar: names, addresses of hosts.

    inet_pton(AF_INET6, s, d) = 1        s is read, 16 bytes of d are written
    getnameinfo(a, n, h, ..., v, ...)    n bytes read, the strings at h and v written

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; getnameinfo(3), inet_pton(3).
"""

from __future__ import annotations

from irsan.interceptors.files.read_write import filled_by_read
from irsan.interceptors.memory.passed_memory import read, text_written, written
from irsan.interceptors.network.sendmsg_readv import (
    address_written,
    ask_address,
    check_address_read,
    pieces_moved,
)
from irsan.interceptors.registry import Export
from irsan.interceptors.text.state_checks import check_state, reads_text
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.records.race.library_states import state_of

GETHOSTBYADDR = state_of("gethostbyaddr")
IPV6 = 10
HOST_BYTES = libc.size("struct hostent")
MESSAGE_BYTES = libc.size("struct mmsghdr")
LENGTH_AT = libc.offset("struct mmsghdr.msg_len")
PIECES_AT = libc.offset("struct msghdr.msg_iov")
N_PIECES_AT = libc.offset("struct msghdr.msg_iovlen")


@kernel
def ask_counted(ctx: Context, source: u64, n_bytes: i32) -> None:
    """Before a function that reads an object of so many bytes."""
    if n_bytes > 0:
        read(ctx, source, u64(n_bytes))


@kernel
def check_counted(ctx: Context, source: u64, n_bytes: i32) -> bool:
    """gethostbyaddr."""
    ask_counted(ctx, source, n_bytes)
    return check_state(ctx, GETHOSTBYADDR)


@kernel
def two_texts_when_zero(ctx: Context, status: i32, first: u64, second: u64) -> None:
    """getnameinfo."""
    if status == 0:
        text_written(ctx, first)
        text_written(ctx, second)


@kernel
def address_parsed(ctx: Context, status: i32, family: i32, _text: u64, target: u64) -> None:
    """inet_pton: 16 bytes of IPv6, else 4."""
    if status > 0:
        if family == IPV6:
            written(ctx, target, 16)
        else:
            written(ctx, target, 4)


@kernel
def host_written(
    ctx: Context, status: i32, entry: u64, result_place: u64, error_place: u64
) -> None:
    """gethostbyname_r and similar."""
    written(ctx, result_place, 8)
    if status == 0 and load_u64(result_place) != 0:
        written(ctx, entry, HOST_BYTES)
    elif status != 0:
        written(ctx, error_place, 4)


@kernel
def ask_mmsg(ctx: Context, _descriptor: i32, messages: u64, n_messages: i32) -> None:
    """Before recvmmsg and sendmmsg."""
    if n_messages > 0:
        read(ctx, messages, u64(n_messages) * MESSAGE_BYTES)


@kernel
def messages_moved(ctx: Context, n_moved: i64, messages: u64, kind: u64) -> None:
    """The pieces of each message that went through, and how long it was."""
    if n_moved < 0:
        return
    i = u64(0)
    while i < u64(n_moved):
        header = messages + i * MESSAGE_BYTES
        written(ctx, header + LENGTH_AT, 4)
        n_bytes = i64(load_u32(header + LENGTH_AT))
        pieces_moved(
            ctx, load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT), n_bytes, kind
        )
        i += 1


@kernel
def ask_recvfrom(
    ctx: Context,
    descriptor: i32,
    _buffer: u64,
    _size: u64,
    _flags: i32,
    address: u64,
    size_place: u64,
) -> None:
    """Before recvfrom."""
    ask_address(ctx, descriptor, address, size_place)


@kernel
def ask_recvfrom_chk(
    ctx: Context,
    descriptor: i32,
    _buffer: u64,
    _size: u64,
    _declared: u64,
    _flags: i32,
    address: u64,
    size_place: u64,
) -> None:
    """Before __recvfrom_chk."""
    ask_address(ctx, descriptor, address, size_place)


@kernel
def filled_by_recvfrom(
    ctx: Context, n_moved: i64, descriptor: i32, buffer: u64, address: u64, size_place: u64
) -> None:
    """recvfrom: the bytes, and who sent them."""
    filled_by_read(ctx, n_moved, descriptor, buffer)
    if n_moved >= 0:
        address_written(ctx, 0, address, size_place)


@kernel
def ask_sendto(
    ctx: Context, descriptor: i32, _buffer: u64, _size: u64, _flags: i32, address: u64, n_bytes: i32
) -> None:
    """Before sendto."""
    check_address_read(ctx, descriptor, address, n_bytes)


_HOST_R = (
    ("gethostbyname_r(ptr,ptr,ptr,u64,ptr,ptr)", (1, 4, 5), "ask_text"),
    ("gethostbyname2_r(ptr,i32,ptr,ptr,u64,ptr,ptr)", (2, 5, 6), "ask_text"),
    ("gethostbyaddr_r(ptr,i32,i32,ptr,ptr,u64,ptr,ptr)", (3, 6, 7), "ask_counted"),
    ("gethostent_r(ptr,ptr,u64,ptr,ptr)", (0, 3, 4), ""),
)
_TEXTS = (
    "ptr gethostbyname(ptr)", "ptr gethostbyname2(ptr,i32)", "ptr getnetbyname(ptr)",
    "ptr getprotobyname(ptr)", "ptr ether_aton(ptr)",
)  # fmt: skip

EXPORTS = (
    *(reads_text(prototype) for prototype in _TEXTS),
    *(
        Export(f"i32 {name}(ptr)", kernel="check_text", then_real=True)
        for name in ("if_nametoindex", "inet_addr")
    ),
    *(
        Export(f"i32 {row}", kernel="host_written", real_first=True, takes=takes, before=before)
        for row, takes, before in _HOST_R
    ),
    *(
        Export(f"i32 {prototype}", kernel="two_when_zero", real_first=True, takes=takes,
               constants=(libc.size("struct protoent"), 8), before=before)
        for prototype, takes, before in (
            ("getprotobyname_r(ptr,ptr,ptr,u64,ptr)", (1, 4), "ask_text"),
            ("getprotobynumber_r(i32,ptr,ptr,u64,ptr)", (1, 4), ""),
            ("getprotoent_r(ptr,ptr,u64,ptr)", (0, 3), ""),
        )
    ),
    Export("ptr gethostbyaddr(ptr,i32,i32)", kernel="check_counted", then_real=True),
    Export("i32 getnameinfo(ptr,i32,ptr,i32,ptr,i32,i32)", kernel="two_texts_when_zero",
           real_first=True, before="ask_counted", takes=(2, 4)),
    Export("i32 inet_pton(i32,ptr,ptr)", kernel="address_parsed", real_first=True,
           before="ask_second_text"),
    Export("i32 inet_aton(ptr,ptr)", kernel="written_when_one", real_first=True,
           before="ask_text", takes=(1,), constants=(libc.size("struct in_addr"),)),
    Export("i32 getifaddrs(ptr)", kernel="written_when_zero", real_first=True, takes=(0,),
           constants=(8,)),
    Export("ptr if_indextoname(i32,ptr)", kernel="text_when_given", real_first=True, takes=(1,)),
    Export("ptr ether_aton_r(ptr,ptr)", kernel="written_when_given", real_first=True,
           before="ask_text", takes=(1,), constants=(libc.size("struct ether_addr"),)),
    Export("ptr ether_ntoa(ptr)", kernel="check_object_and_state", then_real=True, takes=(0,),
           constants=(libc.size("struct ether_addr"), state_of("ether_ntoa"))),
    Export("ptr ether_ntoa_r(ptr,ptr)", kernel="text_when_given", real_first=True, takes=(1,)),
)  # fmt: skip
