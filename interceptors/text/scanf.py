"""scanf and similar: the library reads, then every object that it assigned is checked.

    sscanf(text, "%d %4s", &i, s) = 1     text and format are read; 4 bytes at &i were written

What has been assigned is known from the result, so these are `real_first`; the format, and the
text of sscanf, are checked beforehand.  A thread that would wait for input lets others run.

The three names of each function differ in what their formats mean: plain scanf takes `%as` as
`%ms`, __isoc99_scanf and __isoc23_scanf take the a as a float conversion.

Source: the scanf interceptors of LLVM's sanitizer_common_interceptors_format.inc.
Deviations: the text of sscanf is read whole, as the C library does.
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.text.formats import characters_read
from irsan.runtime.kernels.text.scan_formats import format_written
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.kernels.threads.waiting import await_standard_input, await_stream


@kernel
def ask_scanf(ctx: Context, form: u64) -> None:
    """Before scanf: wait for standard input."""
    await_standard_input(ctx)
    if ctx.action == NONE:
        whole_string_read(ctx, form, NO_FAMILY)


@kernel
def ask_fscanf(ctx: Context, stream: u64, form: u64) -> None:
    """Before fscanf."""
    await_stream(ctx, stream)
    if ctx.action == NONE:
        whole_string_read(ctx, form, NO_FAMILY)


@kernel
def ask_sscanf(ctx: Context, text: u64, form: u64) -> None:
    """Before sscanf."""
    whole_string_read(ctx, text, NO_FAMILY)
    whole_string_read(ctx, form, NO_FAMILY)


@kernel
def ask_wscanf(ctx: Context, form: u64) -> None:
    """Before wscanf."""
    await_standard_input(ctx)
    if ctx.action == NONE:
        characters_read(ctx, form, 4, NO_FAMILY)


@kernel
def ask_fwscanf(ctx: Context, stream: u64, form: u64) -> None:
    """Before fwscanf."""
    await_stream(ctx, stream)
    if ctx.action == NONE:
        characters_read(ctx, form, 4, NO_FAMILY)


@kernel
def ask_swscanf(ctx: Context, text: u64, form: u64) -> None:
    """Before swscanf."""
    characters_read(ctx, text, 4, NO_FAMILY)
    characters_read(ctx, form, 4, NO_FAMILY)


@kernel
def assigned_by_scanf(
    ctx: Context, n_assigned: i32, form: u64, arguments: u64, step: u64, takes_a: u64
) -> None:
    """scanf: format and va_list; characters of `step` bytes; takes_a: an a may allocate."""
    format_written(ctx, form, arguments, n_assigned, step, takes_a != 0)


_SHAPES = (
    ("scanf", "ask_scanf", "ptr", 1), ("fscanf", "ask_fscanf", "ptr,ptr", 1),
    ("sscanf", "ask_sscanf", "ptr,ptr", 1), ("wscanf", "ask_wscanf", "ptr", 4),
    ("fwscanf", "ask_fwscanf", "ptr,ptr", 4), ("swscanf", "ask_swscanf", "ptr,ptr", 4),
)  # fmt: skip


def _exports(
    prefix: str, name: str, before: str, fixed: str, step: int
) -> tuple[Export, Export]:
    n_fixed = fixed.count("ptr")

    def export(function: str, rest: str, real: str) -> Export:
        return Export(
            f"i32 {prefix}{function}({fixed},{rest})",
            kernel="assigned_by_scanf",
            real_first=True,
            before=before,
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
