"""Affinity of threads as text: omp_capture_affinity and its kin, by a format.

    %n  %4n  %.4n  %0.4n     a field: at the left, at the right, with zeros
    %{thread_num}            the same by its long name
    %%                       a percent sign

No thread is bound: %A names all processors that there are.  The text is made in memory of the
runtime's own, then copied as memcpy does it.

Source: OpenMP 5.2, section 18.3 (affinity routines), 21.2.5 (OMP_AFFINITY_FORMAT).
Deviation: threads are irsan's, so the number that the system has for one is the process's and its
own added up.
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import (
    league_number,
    league_size,
    omp_self,
    own_implicit,
    own_team,
)
from irsan.interceptors.openmp.omp_h.queries import i_omp_get_ancestor_thread_num
from irsan.interceptors.openmp.openmp_types import member_at, settings_at, task_at, team_at
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.touches import KIND_WRITE, memory_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    real_function,
    real_getpid,
    real_memcmp,
    real_memmove,
    real_strlen,
    store_u8,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.records import thread_at
from irsan.runtime.kernels.scalars import i32, i64, u8, u64
from irsan.runtime.kernels.text.string_scans import string_length
from irsan.runtime.kernels.text.strings import REPLACED, whole_string_read
from irsan.runtime.kernels.uninitialised.uninit_shadow import bits_clear, tracks_bits
from irsan.runtime.records.threads import openmp_records as om
from irsan.runtime.records.threads.openmp_records import TABLE

FORMAT, TEXT, FIELD = om.AFFINITY_FORMAT, om.AFFINITY_TEXT, om.AFFINITY_FIELD
LONGEST = om.FORMAT_BYTES - 1
TEXT_END = TEXT + om.AFFINITY_TEXT_BYTES - 1
HOST, PROCESSORS, UNDEFINED = om.HOST_NAME, om.PROCESSORS, om.UNDEFINED
NAMES, NAME_BYTES, N_NAMES = om.FIELD_NAMES, om.FIELD_NAME_BYTES, om.N_FIELD_NAMES
PERCENT, ZERO, NINE, DOT, OPEN, CLOSE, SPACE, MINUS = (ord(c) for c in "%09.{} -")
L_TEAM, L_TEAMS, L_LEVEL, L_THREAD, L_THREADS, L_ANCESTOR = (ord(c) for c in "tTLnNa")
L_HOST, L_PROCESS, L_NATIVE, L_AFFINITY = (ord(c) for c in "HPiA")
MOST_WIDTH = 1024
real_puts = real_function("puts", 1)


@kernel
def put(at: u64, byte: u64) -> u64:
    """A byte of the text: where the next one goes."""
    if at >= TEXT_END:
        return at
    store_u8(at, u8(byte))
    return at + 1


@kernel
def write_number(value: i64) -> u64:
    """A number as text in FIELD: how many bytes it has."""
    rest = u64(0) - u64(value) if value < 0 else u64(value)
    n, scaled = u64(1), rest
    while scaled >= 10:
        scaled //= 10
        n += 1
    start = u64(0)
    if value < 0:
        store_u8(FIELD, u8(MINUS))
        start = u64(1)
    at = start + n
    while at > start:
        at -= 1
        store_u8(FIELD + at, u8(ZERO + rest % 10))
        rest //= 10
    return start + n


@kernel
def number_of(ctx: Context, letter: u64) -> i64:
    """What a letter stands for, a number."""
    if letter == L_TEAM:
        return i64(league_number(ctx))
    if letter == L_TEAMS:
        return i64(league_size(ctx))
    team = team_at(own_team(ctx))
    if letter == L_LEVEL:
        return i64(team.level)
    if letter == L_THREAD:
        return i64(task_at(own_implicit(ctx)).number)
    if letter == L_THREADS:
        return i64(team.n_threads)
    if letter == L_ANCESTOR:
        return i64(i_omp_get_ancestor_thread_num(ctx, i32(i64(team.level) - 1)))
    process = i64(real_getpid() & 0xFFFF_FFFF)
    return process if letter == L_PROCESS else process + i64(thread_at(ctx.thread).slot)


@kernel
def is_number(letter: u64) -> bool:
    """Whether a letter stands for a number."""
    is_place = letter == L_TEAM or letter == L_TEAMS or letter == L_LEVEL or letter == L_ANCESTOR
    is_thread = letter == L_THREAD or letter == L_THREADS or letter == L_NATIVE
    return is_place or is_thread or letter == L_PROCESS


@kernel
def text_of(ctx: Context, letter: u64) -> u64:
    """Address of a field's text, which ends with a zero."""
    if letter == L_HOST:
        return HOST
    if letter == L_AFFINITY:
        return PROCESSORS
    if not is_number(letter):
        return UNDEFINED
    store_u8(FIELD + write_number(number_of(ctx, letter)), u8(0))
    return FIELD


@kernel
def put_field(at: u64, text: u64, width: u64, is_right: bool, has_zeros: bool) -> u64:
    """A field, as wide as is asked for: a sign stands before zeros."""
    n = real_strlen(text)
    n_spare = width - n if width > n else u64(0)
    start = u64(0)
    if is_right:
        has_zeros = has_zeros and text == FIELD
        if has_zeros and load_u8(text) == MINUS:
            at = put(at, u64(MINUS))
            start = u64(1)
        for _ in range(n_spare):
            at = put(at, u64(ZERO) if has_zeros else u64(SPACE))
    for i in range(start, n):
        at = put(at, u64(load_u8(text + u64(i))))
    if not is_right:
        for _ in range(n_spare):
            at = put(at, u64(SPACE))
    return at


@kernel
def letter_of_name(name: u64, n_bytes: u64) -> u64:
    """The letter of a long name; 0: it is none."""
    for i in range(N_NAMES):
        row = NAMES + u64(i) * NAME_BYTES
        is_it = real_strlen(row) == n_bytes
        if is_it and real_memcmp(row, name, n_bytes) & 0xFFFF_FFFF == 0:
            return u64(load_u8(row + NAME_BYTES - 1))
    return 0


@kernel
def end_of_name(at: u64) -> u64:
    """Where a long name ends: at its brace, or with the format."""
    while load_u8(at) != CLOSE and load_u8(at) != 0:
        at += 1
    return at


@kernel
def start_of_letter(at: u64) -> u64:
    """Where the letter of a field stands: behind its flags and its width."""
    at += u64(load_u8(at) == ZERO)
    at += u64(load_u8(at) == DOT)
    while load_u8(at) >= ZERO and load_u8(at) <= NINE:
        at += 1
    return at


@kernel
def end_of_field(at: u64) -> u64:
    """Where a field ends, or the format in the middle of it."""
    at = start_of_letter(at)
    if load_u8(at) == OPEN:
        at = end_of_name(at + 1)
    return at + u64(load_u8(at) != 0)


@kernel
def describe_field(ctx: Context, at: u64, text: u64) -> u64:
    """One field, from behind its percent sign: the end of the text."""
    place = start_of_letter(at)
    letter = u64(load_u8(place))
    if letter == OPEN:
        letter = letter_of_name(place + 1, end_of_name(place + 1) - place - 1)
    has_zeros = load_u8(at) == ZERO
    at += u64(has_zeros)
    is_right = load_u8(at) == DOT
    at += u64(is_right)
    width = u64(0)
    while at < place:
        width = min(width * 10 + u64(load_u8(at)) - ZERO, u64(MOST_WIDTH))
        at += 1
    return put_field(text, text_of(ctx, letter), width, is_right, has_zeros)


@kernel
def describe(ctx: Context, at: u64) -> u64:
    """Make the text of the running thread by a format: how many bytes it has."""
    text = u64(TEXT)
    while load_u8(at) != 0:
        byte = u64(load_u8(at))
        at += 1
        if byte != PERCENT or load_u8(at) == PERCENT:
            at += u64(byte == PERCENT)
            text = put(text, byte)
        else:
            text = describe_field(ctx, at, text)
            at = end_of_field(at)
    store_u8(text, u8(0))
    return text - TEXT


@kernel
def format_of(ctx: Context, text: u64) -> u64:
    """A format of the program's, or the one that is set where it gives none; 0: unreadable."""
    if text == 0:
        return FORMAT
    if not whole_string_read(ctx, text, REPLACED):
        return 0
    return text if load_u8(text) != 0 else u64(FORMAT)


@kernel
def hand_out(ctx: Context, buffer: u64, room: u64, text: u64, n_bytes: u64) -> u64:
    """Copy a text, as much of it as there is room for, with a zero: how long it is."""
    if buffer == 0 or room == 0:
        return n_bytes
    n_copied = min(n_bytes, room - 1)
    if not memory_access(ctx, buffer, n_copied + 1, KIND_WRITE):
        return n_bytes
    if tracks_bits():
        bits_clear(ctx, buffer, n_copied + 1)
    real_memmove(buffer, text, n_copied)
    store_u8(buffer + n_copied, u8(0))
    return n_bytes


@kernel
def i_omp_capture_affinity(ctx: Context, buffer: u64, room: u64, text: u64) -> u64:
    """omp_capture_affinity."""
    chosen = format_of(ctx, text)
    return u64(0) if chosen == 0 else hand_out(ctx, buffer, room, TEXT, describe(ctx, chosen))


@kernel
def i_omp_display_affinity(ctx: Context, text: u64) -> None:
    """omp_display_affinity: a line on the standard output."""
    chosen = format_of(ctx, text)
    if chosen != 0:
        describe(ctx, chosen)
        real_puts(TEXT)


@kernel
def i_omp_set_affinity_format(ctx: Context, text: u64) -> None:
    """omp_set_affinity_format."""
    if text == 0 or not whole_string_read(ctx, text, REPLACED):
        return
    n_bytes = min(string_length(ctx, text), u64(LONGEST))
    real_memmove(FORMAT, text, n_bytes)
    store_u8(FORMAT + n_bytes, u8(0))


@kernel
def i_omp_get_affinity_format(ctx: Context, buffer: u64, room: u64) -> u64:
    """omp_get_affinity_format."""
    return hand_out(ctx, buffer, room, FORMAT, real_strlen(FORMAT))


@kernel
def omp_show_affinity(ctx: Context) -> None:
    """OMP_DISPLAY_AFFINITY: a thread begins its part of a region of another size or level."""
    if settings_at(TABLE).shows_affinity == 0:
        return
    member, team = member_at(omp_self(ctx)), team_at(own_team(ctx))
    if member.shown_threads == team.n_threads and member.shown_level == team.level:
        return
    member.shown_threads, member.shown_level = team.n_threads, team.level
    describe(ctx, FORMAT)
    real_puts(TEXT)


EXPORTS = (
    Export("u64 omp_capture_affinity(ptr,u64,ptr)", kernel="i_omp_capture_affinity"),
    Export("void omp_display_affinity(ptr)", kernel="i_omp_display_affinity"),
    Export("void omp_set_affinity_format(ptr)", kernel="i_omp_set_affinity_format"),
    Export("u64 omp_get_affinity_format(ptr,u64)", kernel="i_omp_get_affinity_format"),
)
