"""Memory that a caller passes to a library function: checks that tables of functions share.

    frexp(x, &e)          4 bytes are written             written, takes (1,), constants (4,)
    stat(path, &s) = 0    144 bytes are written           written_when_zero
    localtime_r(&t, &m)   56 bytes are written, or none   written_when_given
    asctime_r(&m, b)      a string is written             text_when_given

Each kernel takes the pointers that the export names in `takes`, and their sizes as `constants`.
A null pointer is one that the function was told not to use.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE, routine_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_strlen
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.kernels.uninitialised.uninit_use import used_bits

I32_0 = np.int32(0)
I64_0 = np.int64(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)


@kernel("void(ctx,u64,u64)", outlined=True)
def written(ctx: Any, target: Any, n_bytes: Any) -> None:
    """A function wrote an object."""
    if target != U64_0:
        routine_access(ctx, target, n_bytes, KIND_WRITE, U64_1)


@kernel("void(ctx,u64,u64)", outlined=True)
def read(ctx: Any, source: Any, n_bytes: Any) -> None:
    """A function reads an object."""
    if source != U64_0:
        routine_access(ctx, source, n_bytes, KIND_READ, U64_1)


@kernel("void(ctx,u64,u64)")
def used(ctx: Any, source: Any, n_bytes: Any) -> None:
    """A function acts upon an object, or a part of it: what is not set there is a finding."""
    if source != U64_0:
        used_bits(ctx, source, n_bytes)


@kernel("void(ctx,u64,u64,u64,u64)")
def two_written(ctx: Any, first: Any, second: Any, n_first: Any, n_second: Any) -> None:
    """A function wrote two objects."""
    written(ctx, first, n_first)
    written(ctx, second, n_second)


@kernel("b1(ctx,u64,u64)")
def check_object_read(ctx: Any, source: Any, n_bytes: Any) -> Any:
    """A function that reads an object; its own null pointers are its own business."""
    read(ctx, source, n_bytes)
    return True


@kernel("b1(ctx,u64,u64)")
def check_object_changed(ctx: Any, target: Any, n_bytes: Any) -> Any:
    """A function that reads and writes an object."""
    used(ctx, target, n_bytes)
    written(ctx, target, n_bytes)
    return True


@kernel("void(ctx,i32,u64,u64)")
def written_when_zero(ctx: Any, status: Any, target: Any, n_bytes: Any) -> None:
    """A function that succeeds with 0 wrote an object."""
    if status == I32_0:
        written(ctx, target, n_bytes)


@kernel("void(ctx,i32,u64,u64)")
def written_when_one(ctx: Any, status: Any, target: Any, n_bytes: Any) -> None:
    """A function that succeeds with a positive number wrote an object."""
    if status > I32_0:
        written(ctx, target, n_bytes)


@kernel("void(ctx,i64,u64,u64)")
def written_unless_failed(ctx: Any, result: Any, target: Any, n_bytes: Any) -> None:
    """A function that fails with -1 wrote an object."""
    if result >= I64_0:
        written(ctx, target, n_bytes)


@kernel("void(ctx,u64,u64,u64)")
def written_when_given(ctx: Any, result: Any, target: Any, n_bytes: Any) -> None:
    """A function that fails with a null pointer wrote an object."""
    if result != U64_0:
        written(ctx, target, n_bytes)


@kernel("void(ctx,i64,u64,u64)")
def items_written(ctx: Any, n_items: Any, target: Any, item_bytes: Any) -> None:
    """A function gives the number of items that it wrote."""
    if n_items > I64_0:
        written(ctx, target, np.uint64(n_items) * item_bytes)


@kernel("b1(ctx,u64,i64,u64)")
def check_items_read(ctx: Any, source: Any, n_items: Any, item_bytes: Any) -> Any:
    """A function that reads as many items as it is told."""
    if n_items > I64_0:
        read(ctx, source, np.uint64(n_items) * item_bytes)
    return True


@kernel("void(ctx,u64)")
def text_written(ctx: Any, target: Any) -> None:
    """A function wrote a string."""
    if target != U64_0:
        written(ctx, target, real_strlen(target) + U64_1)


@kernel("void(ctx,i32,u64)")
def text_when_zero(ctx: Any, status: Any, target: Any) -> None:
    """A function that succeeds with 0 wrote a string."""
    if status == I32_0:
        text_written(ctx, target)


@kernel("void(ctx,u64,u64)")
def text_when_given(ctx: Any, result: Any, target: Any) -> None:
    """A function that fails with a null pointer wrote a string."""
    if result != U64_0:
        text_written(ctx, target)


@kernel("void(ctx,i32,u64,u64)")
def sized_when_zero(ctx: Any, status: Any, target: Any, size_place: Any) -> None:
    """A function wrote an object, and its size (4 bytes) to another place."""
    if status < I32_0 or size_place == U64_0:
        return
    written(ctx, size_place, U64_4)
    written(ctx, target, np.uint64(load_u32(size_place)))


@kernel("void(ctx,u64)")
def ask_text(ctx: Any, text: Any) -> None:
    """Before a function that reads a string."""
    if text != U64_0:
        whole_string_read(ctx, text, NO_FAMILY)


@kernel("void(ctx,i32,u64)")
def ask_second_text(ctx: Any, _first: Any, text: Any) -> None:
    """Before a function whose second argument is a string."""
    ask_text(ctx, text)


@kernel("void(ctx,i32,i32,u64)")
def ask_third_text(ctx: Any, _first: Any, _second: Any, text: Any) -> None:
    """Before a function whose third argument is a string."""
    ask_text(ctx, text)


@kernel("b1(ctx,u64)")
def check_given_text(ctx: Any, text: Any) -> Any:
    """A function that reads a string, unless it is told to use none."""
    return text == U64_0 or whole_string_read(ctx, text, NO_FAMILY)


@kernel("b1(ctx,u64,u64)")
def check_given_texts(ctx: Any, first: Any, second: Any) -> Any:
    """The same with two strings."""
    may_read = check_given_text(ctx, first)
    return check_given_text(ctx, second) and may_read


@kernel("void(ctx,u64,u64)")
def ask_two_texts(ctx: Any, first: Any, second: Any) -> None:
    """Before a function that reads two strings."""
    ask_text(ctx, first)
    ask_text(ctx, second)


@kernel("void(ctx,i32,u64,u64,u64,u64)")
def two_when_zero(
    ctx: Any, status: Any, first: Any, second: Any, n_first: Any, n_second: Any
) -> None:
    """A function that succeeds with 0 wrote two objects."""
    if status == I32_0:
        two_written(ctx, first, second, n_first, n_second)


@kernel("void(ctx,i32,u64,u64)")
def counted_when_zero(ctx: Any, status: Any, n_bytes: Any, target: Any) -> None:
    """A function that succeeds with 0 filled a buffer of a given size."""
    if status == I32_0:
        written(ctx, target, n_bytes)


@kernel("b1(ctx,u64,u64)")
def check_buffer_given(ctx: Any, buffer: Any, n_bytes: Any) -> Any:
    """A function that is handed a buffer for later use."""
    written(ctx, buffer, n_bytes)
    return True
