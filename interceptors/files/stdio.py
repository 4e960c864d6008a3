"""fdopen, setvbuf, open_memstream, tmpnam and similar: streams and what they use.

    setvbuf(f, b, mode, n)    n bytes of b belong to the stream from now on: checked as written
    open_memstream(&b, &n)    two places of 8 bytes, which the stream writes

Source: the stdio interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: the block that a memory stream grows is the C library's own.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import check_given_text, read, written
from irsan.interceptors.registry import Export
from irsan.interceptors.text.wide_strings import chars_to_bytes
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import real_wcslen
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.layout import libc_layout as libc

UNBUFFERED = libc.constant("_IONBF")
BUFSIZ = libc.constant("BUFSIZ")


@kernel
def check_fmemopen(ctx: Context, buffer: u64, n_bytes: u64, mode: u64) -> bool:
    """fmemopen: the stream works in the buffer."""
    read(ctx, buffer, n_bytes)
    return whole_string_read(ctx, mode, NO_FAMILY)


@kernel
def check_setvbuf(ctx: Context, buffer: u64, mode: i32, n_bytes: u64) -> bool:
    """setvbuf; without buffering the buffer is not used."""
    if mode != UNBUFFERED:
        written(ctx, buffer, n_bytes)
    return True


@kernel
def check_two_places(ctx: Context, first: u64, second: u64) -> bool:
    """open_memstream."""
    written(ctx, first, 8)
    written(ctx, second, 8)
    return True


@kernel
def check_freopen(ctx: Context, path: u64, mode: u64, _stream: u64) -> bool:
    """freopen: without a path it changes the mode."""
    may_read = check_given_text(ctx, path)
    return whole_string_read(ctx, mode, NO_FAMILY) and may_read


@kernel
def wide_text_given(ctx: Context, text: u64) -> None:
    """fgetws: the result is the buffer with a wide string in it, or 0."""
    if text != 0:
        written(ctx, text, chars_to_bytes(real_wcslen(text) + 1))


EXPORTS = (
    Export("ptr fdopen(i32,ptr)", kernel="check_text", then_real=True, takes=(1,)),
    *(
        Export(f"ptr {name}(ptr,ptr,ptr)", kernel="check_freopen", then_real=True)
        for name in ("freopen", "freopen64")
    ),
    Export("ptr fmemopen(ptr,u64,ptr)", kernel="check_fmemopen", then_real=True),
    Export("ptr open_memstream(ptr,ptr)", kernel="check_two_places", then_real=True),
    Export("ptr open_wmemstream(ptr,ptr)", kernel="check_two_places", then_real=True),
    Export("i32 setvbuf(ptr,ptr,i32,u64)", kernel="check_setvbuf", then_real=True,
           takes=(1, 2, 3)),
    Export("void setbuf(ptr,ptr)", kernel="check_buffer_given", then_real=True, takes=(1,),
           constants=(BUFSIZ,)),
    Export("void setbuffer(ptr,ptr,u64)", kernel="check_buffer_given", then_real=True,
           takes=(1, 2)),
    *(
        Export(f"ptr {name}(ptr)", kernel="text_when_given", real_first=True, takes=(0,))
        for name in ("tmpnam", "tmpnam_r", "ctermid")
    ),
    Export("ptr tempnam(ptr,ptr)", kernel="check_given_texts", then_real=True),
    Export("void perror(ptr)", kernel="check_given_text", then_real=True),
    Export("ptr fgetws(ptr,i32,ptr)", kernel="wide_text_given", real_first=True,
           before="await_stream_third"),
)  # fmt: skip
