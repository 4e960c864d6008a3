"""Memory that a caller passes to a library function: checks that tables of functions share.

    frexp(x, &e)          4 bytes are written             written, takes (1,), constants (4,)
    stat(path, &s) = 0    144 bytes are written           written_when_zero
    localtime_r(&t, &m)   56 bytes are written, or none   written_when_given
    asctime_r(&m, b)      a string is written             text_when_given

Each kernel takes the pointers that the export names in `takes`, and their sizes as `constants`.
A null pointer is one that the function does not use.

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc.
"""

from __future__ import annotations

from irsan.runtime.kernels.combined.touches import KIND_READ, KIND_WRITE, routine_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, real_strlen
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.kernels.uninitialised.uninit_use import used_bits


@kernel(outlined=True)
def written(ctx: Context, target: u64, n_bytes: u64) -> None:
    """A function wrote an object."""
    if target != 0:
        routine_access(ctx, target, n_bytes, KIND_WRITE, 1)


@kernel(outlined=True)
def read(ctx: Context, source: u64, n_bytes: u64) -> None:
    """A function reads an object."""
    if source != 0:
        routine_access(ctx, source, n_bytes, KIND_READ, 1)


@kernel
def used(ctx: Context, source: u64, n_bytes: u64) -> None:
    """A function acts upon an object, or a part of it: unset bytes there are a finding."""
    if source != 0:
        used_bits(ctx, source, n_bytes)


@kernel
def acted_upon(ctx: Context, source: u64, n_bytes: u64) -> None:
    """A function reads an object and acts upon all of it."""
    read(ctx, source, n_bytes)
    used(ctx, source, n_bytes)


@kernel
def two_written(ctx: Context, first: u64, second: u64, n_first: u64, n_second: u64) -> None:
    """A function wrote two objects."""
    written(ctx, first, n_first)
    written(ctx, second, n_second)


@kernel
def check_object_read(ctx: Context, source: u64, n_bytes: u64) -> bool:
    """A function that reads an object; its own null pointers are its own business."""
    read(ctx, source, n_bytes)
    return True


@kernel
def check_object_changed(ctx: Context, target: u64, n_bytes: u64) -> bool:
    """A function that reads and writes an object."""
    used(ctx, target, n_bytes)
    written(ctx, target, n_bytes)
    return True


@kernel
def written_when_zero(ctx: Context, status: i32, target: u64, n_bytes: u64) -> None:
    """A function that succeeds with 0 wrote an object."""
    if status == 0:
        written(ctx, target, n_bytes)


@kernel
def written_when_one(ctx: Context, status: i32, target: u64, n_bytes: u64) -> None:
    """A function that succeeds with a positive number wrote an object."""
    if status > 0:
        written(ctx, target, n_bytes)


@kernel
def written_unless_failed(ctx: Context, result: i64, target: u64, n_bytes: u64) -> None:
    """A function that fails with -1 wrote an object."""
    if result >= 0:
        written(ctx, target, n_bytes)


@kernel
def written_when_given(ctx: Context, result: u64, target: u64, n_bytes: u64) -> None:
    """A function that fails with a null pointer wrote an object."""
    if result != 0:
        written(ctx, target, n_bytes)


@kernel
def items_written(ctx: Context, n_items: i64, target: u64, item_bytes: u64) -> None:
    """A function gives the number of items that it wrote."""
    if n_items > 0:
        written(ctx, target, u64(n_items) * item_bytes)



@kernel
def text_written(ctx: Context, target: u64) -> None:
    """A function wrote a string."""
    if target != 0:
        written(ctx, target, real_strlen(target) + 1)


@kernel
def text_when_zero(ctx: Context, status: i32, target: u64) -> None:
    """A function that succeeds with 0 wrote a string."""
    if status == 0:
        text_written(ctx, target)


@kernel
def text_when_given(ctx: Context, result: u64, target: u64) -> None:
    """A function that fails with a null pointer wrote a string."""
    if result != 0:
        text_written(ctx, target)


@kernel
def sized_when_zero(ctx: Context, status: i32, target: u64, size_place: u64) -> None:
    """A function wrote an object, and its size (4 bytes) to another place."""
    if status < 0 or size_place == 0:
        return
    written(ctx, size_place, 4)
    written(ctx, target, u64(load_u32(size_place)))


@kernel
def ask_text(ctx: Context, text: u64) -> None:
    """Before a function that reads a string."""
    if text != 0:
        whole_string_read(ctx, text, NO_FAMILY)


@kernel
def ask_second_text(ctx: Context, _first: i32, text: u64) -> None:
    """Before a function whose second argument is a string."""
    ask_text(ctx, text)



@kernel
def check_given_text(ctx: Context, text: u64) -> bool:
    """A function that reads a string, unless the pointer is null."""
    return text == 0 or whole_string_read(ctx, text, NO_FAMILY)


@kernel
def check_given_texts(ctx: Context, first: u64, second: u64) -> bool:
    """The same with two strings."""
    may_read = check_given_text(ctx, first)
    return check_given_text(ctx, second) and may_read


@kernel
def ask_two_texts(ctx: Context, first: u64, second: u64) -> None:
    """Before a function that reads two strings."""
    ask_text(ctx, first)
    ask_text(ctx, second)


@kernel
def two_when_zero(
    ctx: Context, status: i32, first: u64, second: u64, n_first: u64, n_second: u64
) -> None:
    """A function that succeeds with 0 wrote two objects."""
    if status == 0:
        two_written(ctx, first, second, n_first, n_second)


@kernel
def counted_when_zero(ctx: Context, status: i32, n_bytes: u64, target: u64) -> None:
    """A function that succeeds with 0 filled a buffer of a given size."""
    if status == 0:
        written(ctx, target, n_bytes)


@kernel
def check_buffer_given(ctx: Context, buffer: u64, n_bytes: u64) -> bool:
    """A function that is handed a buffer for later use."""
    written(ctx, buffer, n_bytes)
    return True
