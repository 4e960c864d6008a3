"""gethostbyname, getnameinfo, inet_pton, ether_aton_r and their kin: names, addresses of hosts.

    inet_pton(AF_INET6, s, d) = 1        s is read, 16 bytes of d are written
    getnameinfo(a, n, h, ..., v, ...)    n bytes read, the strings at h and v written

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; getnameinfo(3), inet_pton(3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.files.read_write import filled_by_read
from irsan.interceptors.memory.passed_memory import read, text_written, written
from irsan.interceptors.network.sendmsg_readv import (
    address_written,
    ask_address,
    check_address_read,
    pieces_moved,
)
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64
from irsan.runtime.layout import libc_layout as libc

I32_0 = np.int32(0)
I32_IPV6 = np.int32(10)
I64_0 = np.int64(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_16 = np.uint64(16)
HOST_BYTES = np.uint64(libc.size("struct hostent"))
MESSAGE_BYTES = np.uint64(libc.size("struct mmsghdr"))
LENGTH_AT = np.uint64(libc.offset("struct mmsghdr.msg_len"))
PIECES_AT = np.uint64(libc.offset("struct msghdr.msg_iov"))
N_PIECES_AT = np.uint64(libc.offset("struct msghdr.msg_iovlen"))


@kernel("void(ctx,u64,i32)")
def ask_counted(ctx: Any, source: Any, n_bytes: Any) -> None:
    """Before a function that reads an object of so many bytes."""
    if n_bytes > I32_0:
        read(ctx, source, np.uint64(n_bytes))


@kernel("b1(ctx,u64,i32)")
def check_counted(ctx: Any, source: Any, n_bytes: Any) -> Any:
    """gethostbyaddr."""
    ask_counted(ctx, source, n_bytes)
    return True


@kernel("void(ctx,i32,u64,u64)")
def two_texts_when_zero(ctx: Any, status: Any, first: Any, second: Any) -> None:
    """getnameinfo."""
    if status == I32_0:
        text_written(ctx, first)
        text_written(ctx, second)


@kernel("void(ctx,i32,i32,u64,u64)")
def address_parsed(ctx: Any, status: Any, family: Any, _text: Any, target: Any) -> None:
    """inet_pton: 16 bytes of IPv6, else 4."""
    if status > I32_0:
        if family == I32_IPV6:
            written(ctx, target, U64_16)
        else:
            written(ctx, target, U64_4)


@kernel("void(ctx,i32,u64,u64,u64)")
def host_written(ctx: Any, status: Any, entry: Any, result_place: Any, error_place: Any) -> None:
    """gethostbyname_r and its kin."""
    written(ctx, result_place, U64_8)
    if status == I32_0 and load_u64(result_place) != U64_0:
        written(ctx, entry, HOST_BYTES)
    elif status != I32_0:
        written(ctx, error_place, U64_4)


@kernel("void(ctx,i32,u64,i32)")
def ask_mmsg(ctx: Any, _descriptor: Any, messages: Any, n_messages: Any) -> None:
    """Before recvmmsg and sendmmsg."""
    if n_messages > I32_0:
        read(ctx, messages, np.uint64(n_messages) * MESSAGE_BYTES)


@kernel("void(ctx,i64,u64,u64)")
def messages_moved(ctx: Any, n_moved: Any, messages: Any, kind: Any) -> None:
    """The pieces of each message that went through, and how long it was."""
    if n_moved < I64_0:
        return
    i = U64_0
    while i < np.uint64(n_moved):
        header = messages + i * MESSAGE_BYTES
        written(ctx, header + LENGTH_AT, U64_4)
        n_bytes = np.int64(load_u32(header + LENGTH_AT))
        pieces_moved(
            ctx, load_u64(header + PIECES_AT), load_u64(header + N_PIECES_AT), n_bytes, kind
        )
        i += U64_1


@kernel("void(ctx,i32,u64,u64,i32,u64,u64)")
def ask_recvfrom(
    ctx: Any, descriptor: Any, _buffer: Any, _size: Any, _flags: Any, address: Any, size_place: Any
) -> None:
    """Before recvfrom."""
    ask_address(ctx, descriptor, address, size_place)


@kernel("void(ctx,i32,u64,u64,u64,i32,u64,u64)")
def ask_recvfrom_chk(
    ctx: Any,
    descriptor: Any,
    _buffer: Any,
    _size: Any,
    _declared: Any,
    _flags: Any,
    address: Any,
    size_place: Any,
) -> None:
    """Before __recvfrom_chk."""
    ask_address(ctx, descriptor, address, size_place)


@kernel("void(ctx,i64,i32,u64,u64,u64)")
def filled_by_recvfrom(
    ctx: Any, n_moved: Any, descriptor: Any, buffer: Any, address: Any, size_place: Any
) -> None:
    """recvfrom: the bytes, and who sent them."""
    filled_by_read(ctx, n_moved, descriptor, buffer)
    if n_moved >= I64_0:
        address_written(ctx, I32_0, address, size_place)


@kernel("void(ctx,i32,u64,u64,i32,u64,i32)")
def ask_sendto(
    ctx: Any, descriptor: Any, _buffer: Any, _size: Any, _flags: Any, address: Any, n_bytes: Any
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
    "ptr getprotobyname(ptr)", "i32 if_nametoindex(ptr)", "ptr ether_aton(ptr)",
    "i32 inet_addr(ptr)",
)  # fmt: skip

EXPORTS = (
    *(Export(prototype, kernel="check_text", then_real=True) for prototype in _TEXTS),
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
    Export("ptr ether_ntoa(ptr)", kernel="check_object_read", then_real=True, takes=(0,),
           constants=(libc.size("struct ether_addr"),)),
    Export("ptr ether_ntoa_r(ptr,ptr)", kernel="text_when_given", real_first=True, takes=(1,)),
)  # fmt: skip
