"""strlen, strchr, strstr, strtok and similar: how far they read is found out, then checked.

    "a,b\\0"   strchr(s, ',') -> s + 1   2 bytes read     strchr(s, 'x') -> 0   all 4 bytes read

No result comes from behind the first byte that must not be read (string_scans.py); a string without
an end is reported as far as the function would have read it.

Source: the string interceptors of LLVM's sanitizer_common_interceptors.inc; ISO C 7.26.5 and the
strtok_r and strsep manual pages, as those are done here.
Deviations: strtok and strsep are checked for the token they give, where the original looks at the
first byte only unless strict_string_checks is on; strcasestr folds the letters of the C locale.
intercept_strtok=0 leaves strtok to the library.
"""

from __future__ import annotations

from irsan.interceptors.host_functions import host_function
from irsan.interceptors.registry import Export
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks.access import asan_ok1
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u64,
    real_strlen,
    real_strnlen,
    store_u8,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import STRTOK_PLACE
from irsan.runtime.kernels.race.library_states import library_state_used
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.kernels.text.string_scans import (
    addressable_run,
    byte_or_end,
    bytes_before,
    bytes_before_match,
    compared_bytes,
    needed_bytes,
    span,
    string_length,
    string_length_within,
)
from irsan.runtime.kernels.text.strings import (
    NO_FAMILY,
    is_unchecked,
    string_part_read,
    string_read,
    string_write,
    whole_string_read,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import tracks_bits
from irsan.runtime.kernels.uninitialised.uninit_use import routine_bits
from irsan.runtime.layout import options

BYTE = 0xFF
STRLEN = options.OFF_STRLEN
STRCHR = options.OFF_STRCHR
STRSTR = options.OFF_STRSTR
STRSPN = options.OFF_STRSPN
STRPBRK = options.OFF_STRPBRK
STRTOK = options.OFF_STRTOK
real_strtok_r = host_function("strtok_r", 3)


@kernel
def i_strlen(ctx: Context, text: u64) -> u64:
    """strlen reads the NUL, too."""
    room = addressable_run(ctx, text)
    length = real_strnlen(text, room)
    if length == room:
        length = string_length(ctx, text)
    if tracks_bits() and not is_unchecked(ctx, STRLEN):
        routine_bits(ctx, text, length + 1, False)
    if ctx.sanitize_thread == 0 and asan_ok1(ctx, text + length):
        return length  # the NUL may be read, and so may all before it
    if is_unchecked(ctx, STRLEN):
        return real_strlen(text)
    string_part_read(ctx, text, needed_bytes(ctx, text, length + 1), STRLEN)
    return length


@kernel
def i_strnlen(ctx: Context, text: u64, limit: u64) -> u64:
    """strnlen reads the NUL when it comes before the limit."""
    if is_unchecked(ctx, STRLEN):
        return real_strnlen(text, limit)
    length = string_length_within(ctx, text, limit)
    n_bytes = needed_bytes(ctx, text, min(length + 1, limit))
    string_part_read(ctx, text, min(n_bytes, limit), STRLEN)
    return length


@kernel
def check_strchr(ctx: Context, text: u64, character: i32) -> bool:
    """strchr, index and strchrnul read up to what they find."""
    value = u64(character) & BYTE
    return string_read(ctx, text, bytes_before(ctx, text, value) + 1, STRCHR)


@kernel
def check_strrchr(ctx: Context, text: u64) -> bool:
    """strrchr and rindex read everything."""
    return whole_string_read(ctx, text, STRCHR)


@kernel
def check_strstr(ctx: Context, text: u64, needle: u64) -> bool:
    """strstr reads the needle, and the text up to the end of the match."""
    needle_bytes = string_length(ctx, needle)
    may_read = whole_string_read(ctx, needle, STRSTR)
    n_before = bytes_before_match(ctx, text, needle, needle_bytes)
    if byte_or_end(ctx, text + n_before) == 0 and needle_bytes != 0:
        return whole_string_read(ctx, text, STRSTR) and may_read
    return string_read(ctx, text, n_before + needle_bytes, STRSTR) and may_read


@kernel
def bytes_before_folded(
    ctx: Context, text: u64, text_bytes: u64, needle: u64, needle_bytes: u64
) -> u64:
    """Offset of the first place where a needle lies in a text, A being a; its length if none."""
    at = u64(0)
    while at + needle_bytes <= text_bytes:
        if compared_bytes(ctx, text + at, needle, needle_bytes, True) == needle_bytes:
            return at
        at += 1
    return text_bytes


@kernel
def check_strcasestr(ctx: Context, text: u64, needle: u64) -> bool:
    """strcasestr reads as strstr does."""
    needle_bytes = string_length(ctx, needle)
    may_read = whole_string_read(ctx, needle, STRSTR)
    text_bytes = string_length(ctx, text)
    n_before = bytes_before_folded(ctx, text, text_bytes, needle, needle_bytes)
    n_read = min(n_before + needle_bytes, text_bytes + 1)
    return string_read(ctx, text, n_read, STRSTR) and may_read


@kernel
def check_span(ctx: Context, text: u64, members: u64, wanted: bool, family: u64) -> bool:
    """The set is read, and the text up to the byte that ends the span."""
    n_members = string_length(ctx, members)
    may_read = whole_string_read(ctx, members, family)
    n_bytes = span(ctx, text, members, n_members, wanted) + 1
    return string_read(ctx, text, n_bytes, family) and may_read


@kernel
def check_strspn(ctx: Context, text: u64, members: u64) -> bool:
    """strspn."""
    return check_span(ctx, text, members, True, STRSPN)


@kernel
def check_strcspn(ctx: Context, text: u64, members: u64) -> bool:
    """strcspn."""
    return check_span(ctx, text, members, False, STRSPN)


@kernel
def check_strpbrk(ctx: Context, text: u64, members: u64) -> bool:
    """strpbrk."""
    return check_span(ctx, text, members, False, STRPBRK)


@kernel
def next_token(ctx: Context, text: u64, delimiters: u64, place: u64) -> u64:
    """strtok_r but for the check of `place`: 0 at the end of the text."""
    if is_unchecked(ctx, STRTOK):
        return real_strtok_r(text, delimiters, place)
    if text == 0:
        text = load_u64(place)
    if text == 0:
        return 0
    n_delimiters = string_length(ctx, delimiters)
    token = text + span(ctx, text, delimiters, n_delimiters, True)
    end = token + span(ctx, token, delimiters, n_delimiters, False)
    may_read = string_read(ctx, text, end - text + 1, STRTOK)
    may_read = whole_string_read(ctx, delimiters, STRTOK) and may_read
    if not may_read or byte_or_end(ctx, token) == 0:
        store_u64(place, token)
        return 0
    if byte_or_end(ctx, end) != 0:
        if string_write(ctx, end, 1):
            store_u8(end, 0)
        end += 1
    store_u64(place, end)
    return token


@kernel
def i_strtok_r(ctx: Context, text: u64, delimiters: u64, place: u64) -> u64:
    """strtok_r."""
    if not string_write(ctx, place, 8):
        return 0
    return next_token(ctx, text, delimiters, place)


@kernel
def i_strtok(ctx: Context, text: u64, delimiters: u64) -> u64:
    """strtok: one place for the whole program."""
    library_state_used(ctx, STRTOK)
    if ctx.action != actions.NONE:
        return 0  # it is told, and asked for once more
    return next_token(ctx, text, delimiters, STRTOK_PLACE)


@kernel
def i_strsep(ctx: Context, place: u64, delimiters: u64) -> u64:
    """strsep: the token up to a delimiter, which becomes its NUL; the text moves on behind it."""
    if not string_write(ctx, place, 8):
        return 0
    token = load_u64(place)
    if token == 0:
        return 0
    n_delimiters = string_length(ctx, delimiters)
    whole_string_read(ctx, delimiters, NO_FAMILY)
    end = token + span(ctx, token, delimiters, n_delimiters, False)
    n_bytes = needed_bytes(ctx, token, end - token + 1)
    if not string_part_read(ctx, token, n_bytes, NO_FAMILY):
        return token
    following = u64(0)
    if byte_or_end(ctx, end) != 0:
        if string_write(ctx, end, 1):
            store_u8(end, 0)
        following = end + 1
    store_u64(place, following)
    return token


EXPORTS = (
    Export("u64 strlen(ptr)", kernel="i_strlen"),
    Export("u64 strnlen(ptr,u64)", kernel="i_strnlen"),
    Export("ptr strchr(ptr,i32)", kernel="check_strchr", then_real=True),
    Export("ptr strchrnul(ptr,i32)", kernel="check_strchr", then_real=True),
    Export("ptr index(ptr,i32)", kernel="check_strchr", then_real=True),
    Export("ptr strrchr(ptr,i32)", kernel="check_strrchr", then_real=True),
    Export("ptr rindex(ptr,i32)", kernel="check_strrchr", then_real=True),
    Export("ptr strstr(ptr,ptr)", kernel="check_strstr", then_real=True),
    Export("ptr strcasestr(ptr,ptr)", kernel="check_strcasestr", then_real=True),
    Export("u64 strspn(ptr,ptr)", kernel="check_strspn", then_real=True),
    Export("u64 strcspn(ptr,ptr)", kernel="check_strcspn", then_real=True),
    Export("ptr strpbrk(ptr,ptr)", kernel="check_strpbrk", then_real=True),
    Export("ptr strtok(ptr,ptr)", kernel="i_strtok"),
    Export("ptr strtok_r(ptr,ptr,ptr)", kernel="i_strtok_r"),
    Export("ptr __strtok_r(ptr,ptr,ptr)", kernel="i_strtok_r"),
    Export("ptr strsep(ptr,ptr)", kernel="i_strsep"),
)
