"""What a str* function reads and writes of its strings, passed to both detectors.

    text: | c h a r s ... | NUL |        extent = bytes that the function looked at
          strict_string_checks: the extent is the whole string with its NUL

A scan ends at the first byte that must not be read (string_scans.py).  The report is then of the
extent that the function needs: on to the NUL that follows in memory, wherever that is ours.
A family is one bit OFF_* of the option SWITCHED_OFF (the intercept_* flags), REPLACED for what
replace_str switches off, or 0 for those always checked.
"""

from __future__ import annotations

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.combined.touches import (
    KIND_READ,
    KIND_WRITE,
    allowed_access,
    is_clear,
    routine_access,
)
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.text.string_scans import (
    needed_bytes,
    string_length,
    string_length_within,
)
from irsan.runtime.layout.options import REPLACE_STR, STRICT_STRING_CHECKS, SWITCHED_OFF

NONE = int(actions.NONE)
NO_FAMILY = 0
REPLACED = 1 << 63


@kernel
def is_unchecked(ctx: Context, family: u64) -> bool:
    """Whether the strings of a family are left to the library, unseen."""
    if family == REPLACED:
        return ctx.options[REPLACE_STR] == 0
    return (ctx.options[SWITCHED_OFF] & family) != 0


@kernel
def is_strict(ctx: Context) -> bool:
    """Whether strings have to end where the function would not look any more."""
    return ctx.options[STRICT_STRING_CHECKS] != 0 and ctx.sanitize_address != 0


@kernel
def needed_read(ctx: Context, text: u64, n_bytes: u64) -> bool:
    """The function saw `n_bytes` of a string, and read what it needs of it."""
    if ctx.action == NONE and is_clear(ctx, text, n_bytes):
        allowed_access(ctx, text, n_bytes, KIND_READ)
        return True
    return routine_access(ctx, text, needed_bytes(ctx, text, n_bytes), KIND_READ, 1)


@kernel(outlined=True)
def string_read(ctx: Context, text: u64, n_bytes: u64, family: u64) -> bool:
    """The function read `n_bytes` of a string; False when the range cannot be touched at all."""
    if is_unchecked(ctx, family):
        return True
    if is_strict(ctx):
        n_bytes = string_length(ctx, text) + 1
    return needed_read(ctx, text, n_bytes)


@kernel(outlined=True)
def string_part_read(ctx: Context, text: u64, n_bytes: u64, family: u64) -> bool:
    """The function read these bytes of an array with a length of its own: never extended."""
    if is_unchecked(ctx, family):
        return True
    return routine_access(ctx, text, n_bytes, KIND_READ, 1)


@kernel(outlined=True)
def whole_string_read(ctx: Context, text: u64, family: u64) -> bool:
    """The function read a string and its NUL."""
    if is_unchecked(ctx, family):
        return True
    return needed_read(ctx, text, string_length(ctx, text) + 1)


@kernel
def string_write(ctx: Context, target: u64, n_bytes: u64) -> bool:
    """The function writes these bytes; False when the range cannot be touched at all."""
    return routine_access(ctx, target, n_bytes, KIND_WRITE, 1)


@kernel
def family_write(ctx: Context, target: u64, n_bytes: u64, family: u64) -> bool:
    """string_write of a family that may be switched off."""
    return is_unchecked(ctx, family) or string_write(ctx, target, n_bytes)


@kernel
def bytes_read_of(ctx: Context, text: u64, limit: u64) -> u64:
    """How many bytes a function reads that stops after the NUL or at `limit` bytes."""
    return min(string_length_within(ctx, text, limit) + 1, limit)
