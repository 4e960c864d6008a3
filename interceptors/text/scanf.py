"""scanf and its kin: the library reads, then every object that it assigned is checked.

    sscanf(text, "%d %4s", &i, s) = 1     text and format are read; 4 bytes at &i were written

What has been assigned is known from the result, so these are `real_first`; the format, and the
text of sscanf, are checked beforehand.  A thread that would wait for input lets others run.

The three names of each function differ in what their formats mean: plain scanf takes `%as` as
`%ms`, __isoc99_scanf and __isoc23_scanf take the a as a float conversion.

Source: the scanf interceptors of LLVM's sanitizer_common_interceptors_format.inc.
Deviations: the text of sscanf is read whole, as the C library does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.text.formats import characters_read
from irsan.runtime.kernels.text.scan_formats import format_written
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.kernels.threads.waiting import await_stream

U64_0 = np.uint64(0)
U64_4 = np.uint64(4)


@kernel("void(ctx,u64)")
def ask_scanf(ctx: Any, form: Any) -> None:
    """Before scanf: wait for standard input."""
    await_stream(ctx, load_u64(ctx.stdin_addr))
    if ctx.action == NONE:
        whole_string_read(ctx, form, NO_FAMILY)


@kernel("void(ctx,u64,u64)")
def ask_fscanf(ctx: Any, stream: Any, form: Any) -> None:
    """Before fscanf."""
    await_stream(ctx, stream)
    if ctx.action == NONE:
        whole_string_read(ctx, form, NO_FAMILY)


@kernel("void(ctx,u64,u64)")
def ask_sscanf(ctx: Any, text: Any, form: Any) -> None:
    """Before sscanf."""
    whole_string_read(ctx, text, NO_FAMILY)
    whole_string_read(ctx, form, NO_FAMILY)


@kernel("void(ctx,u64)")
def ask_wscanf(ctx: Any, form: Any) -> None:
    """Before wscanf."""
    await_stream(ctx, load_u64(ctx.stdin_addr))
    if ctx.action == NONE:
        characters_read(ctx, form, U64_4, NO_FAMILY)


@kernel("void(ctx,u64,u64)")
def ask_fwscanf(ctx: Any, stream: Any, form: Any) -> None:
    """Before fwscanf."""
    await_stream(ctx, stream)
    if ctx.action == NONE:
        characters_read(ctx, form, U64_4, NO_FAMILY)


@kernel("void(ctx,u64,u64)")
def ask_swscanf(ctx: Any, text: Any, form: Any) -> None:
    """Before swscanf."""
    characters_read(ctx, text, U64_4, NO_FAMILY)
    characters_read(ctx, form, U64_4, NO_FAMILY)


@kernel("void(ctx,i32,u64,u64,u64,u64)")
def assigned_by_scanf(
    ctx: Any, n_assigned: Any, form: Any, arguments: Any, step: Any, takes_a: Any
) -> None:
    """scanf: format and va_list; characters of `step` bytes; takes_a: an a may allocate."""
    format_written(ctx, form, arguments, n_assigned, step, takes_a != U64_0)


_SHAPES = (
    ("scanf", "ptr", 1), ("fscanf", "ptr,ptr", 1), ("sscanf", "ptr,ptr", 1),
    ("wscanf", "ptr", 4), ("fwscanf", "ptr,ptr", 4), ("swscanf", "ptr,ptr", 4),
)  # fmt: skip


def _exports(prefix: str, name: str, fixed: str, step: int) -> tuple[Export, Export]:
    n_fixed = fixed.count("ptr")

    def export(function: str, rest: str, real: str) -> Export:
        return Export(
            f"i32 {prefix}{function}({fixed},{rest})",
            kernel="assigned_by_scanf",
            real_first=True,
            before=f"ask_{name}",
            real=real,
            takes=(n_fixed - 1, n_fixed),
            constants=(step, int(not prefix)),
        )

    return export(name, "...", f"{prefix}v{name}"), export(f"v{name}", "va", "")


EXPORTS = tuple(
    export
    for prefix in ("", "__isoc99_", "__isoc23_")
    for shape in _SHAPES
    for export in _exports(prefix, *shape)
)
