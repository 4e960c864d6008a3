"""__msan_*: what a program says about initialised memory, and asks.

    __msan_unpoison(p, n)             the bytes count as initialised
    __msan_poison(p, n)               they do not
    __msan_test_shadow(p, n)          offset of the first byte that is not, or -1
    __msan_check_mem_is_initialized(p, n)     a finding when there is one
    __msan_set_expect_umr(1) ... (0)  a use in between is wanted; a finding when there was none
    __sanitizer_dtor_callback_fields(p, n)    the compiler's: a destructor has run

Without `--sanitize memory` all of them do nothing, and everything is initialised.

Source: sanitizer/msan_interface.h; msan_interceptors.cpp for destructors.
Deviations: bytes of destroyed objects are filled as new memory is, so that natively compiled code
that makes a new object of them is seen (uninit_use.py).
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.runtime.kernels.callstack import current_stack_id
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    load_u64,
    real_memmove,
    real_memset,
    real_strlen,
    store_u64,
)
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.report_fault import ROUTINE, report_fault
from irsan.runtime.kernels.scalars import i32, i64, u32, u64
from irsan.runtime.kernels.uninitialised.uninit_origins import (
    bits_copy,
    origin_of,
    origin_put,
    word_to_record,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    bits_begin,
    bits_clear,
    bits_poison,
    first_bits,
    has_bits,
    origins_fill,
    tracks_bits,
)
from irsan.runtime.kernels.uninitialised.uninit_use import first_unset, uninit_read
from irsan.runtime.layout import uninit_layout as ul
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.layout.uninit_layout import (
    CLASS_POINTER,
    EXPECTS_USE,
    FIELDS,
    LIBRARY_UNCHECKED,
    MISSING_USE,
    MOVED,
    OWN_BLOCK,
    PASSED,
    POISONED,
    POISONS_DESTROYED,
    SHADOW_BIAS,
    STORED,
    USE_FOUND,
    USE_ORIGIN,
)

NONE = -1
WITH_ORIGINS = 2
MAX_PASSED = ul.PASSED_BYTES // 8
KIND = int(FaultKind.UNINITIALISED)


@kernel
def poison_as(ctx: Context, addr: u64, size_bytes: u64, kind: u32) -> None:
    """Poison a range with an origin that names the calls in progress."""
    if tracks_bits():
        stack_id = u32(current_stack_id(ctx))
        bits_poison(ctx, addr, size_bytes, origin_put(kind, stack_id, 0))


@kernel
def msan_poison(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__msan_poison."""
    poison_as(ctx, addr, size_bytes, POISONED)


@kernel
def msan_allocated_memory(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__msan_allocated_memory: an allocator of the program's own hands out a block."""
    poison_as(ctx, addr, size_bytes, OWN_BLOCK)


@kernel
def msan_unpoison(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__msan_unpoison."""
    if tracks_bits():
        bits_clear(ctx, addr, size_bytes)


@kernel
def msan_unpoison_string(ctx: Context, text: u64) -> None:
    """__msan_unpoison_string: with its NUL."""
    if tracks_bits():
        bits_clear(ctx, text, real_strlen(text) + 1)


@kernel
def msan_unpoison_param(ctx: Context, n_arguments: u64) -> None:
    """__msan_unpoison_param: the first arguments of the call that comes are initialised."""
    if tracks_bits():
        real_memset(PASSED, 0, min(n_arguments, u64(MAX_PASSED)) * 8)


@kernel
def msan_partial_poison(ctx: Context, addr: u64, shadow: u64, size_bytes: u64) -> None:
    """__msan_partial_poison: the shadow itself, bit by bit."""
    if tracks_bits() and has_bits(addr, size_bytes):
        msan_poison(ctx, addr, size_bytes)
        real_memmove(addr + SHADOW_BIAS, shadow, size_bytes)


@kernel
def origins_stored(ctx: Context, target: u64, size_bytes: u64) -> None:
    """Poisoned bytes of a range get an origin that promises nothing of their contents."""
    stack_id = u32(current_stack_id(ctx))
    i = first_bits(target, size_bytes)
    while i < size_bytes:
        at = target + i
        word = origin_of(ctx, at)
        record = word_to_record(word)
        if record != 0 and load_u32(record) == MOVED:
            word = load_u32(record + 8)  # the step that the copy itself has added
        origins_fill(at, 1, origin_put(STORED, stack_id, word))
        i += 4 - (at & 3)
        i += first_bits(target + i, size_bytes - min(i, size_bytes))


@kernel
def msan_copy_shadow(ctx: Context, target: u64, source: u64, size_bytes: u64) -> None:
    """__msan_copy_shadow: the bytes themselves are others, and no trace of native code."""
    if tracks_bits() and has_bits(target, size_bytes):
        bits_copy(ctx, target, source, size_bytes)
        origins_stored(ctx, target, size_bytes)


@kernel
def msan_test_shadow(ctx: Context, addr: u64, size_bytes: u64) -> i64:
    """__msan_test_shadow: offset of the first byte that is not initialised, -1 for none."""
    if not tracks_bits() or not has_bits(addr, size_bytes):
        return NONE
    offset = first_unset(ctx, addr, size_bytes)
    if offset == size_bytes:
        return NONE
    return i64(offset)


@kernel
def msan_check(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__msan_check_mem_is_initialized."""
    if tracks_bits():
        uninit_read(ctx, addr, size_bytes)


@kernel
def msan_get_origin(ctx: Context, addr: u64) -> u32:
    """__msan_get_origin: 0 for an initialised byte."""
    if not tracks_bits() or not has_bits(addr, 1):
        return 0
    if load_u8(addr + SHADOW_BIAS) == 0:
        return 0
    return origin_of(ctx, addr)


@kernel
def msan_set_origin(ctx: Context, addr: u64, size_bytes: u64, word: u32) -> None:
    """__msan_set_origin."""
    if tracks_bits() and size_bytes != 0 and has_bits(addr, size_bytes):
        origins_fill(addr, size_bytes, word)


@kernel
def msan_is_descendant(ctx: Context, word: u32, ancestor: u32) -> i32:
    """__msan_origin_is_descendant_or_same: whether `ancestor` is on the way of an origin."""
    while word != ancestor:
        record = word_to_record(word)
        if record == 0:
            return 0
        word = load_u32(record + 8)
    return 1


@kernel
def msan_disable_checks(ctx: Context) -> None:
    """__msan_scoped_disable_interceptor_checks."""
    store_u64(LIBRARY_UNCHECKED, load_u64(LIBRARY_UNCHECKED) + 1)


@kernel
def msan_enable_checks(ctx: Context) -> None:
    """__msan_scoped_enable_interceptor_checks."""
    depth = load_u64(LIBRARY_UNCHECKED)
    if depth != 0:
        store_u64(LIBRARY_UNCHECKED, depth - 1)


@kernel
def destroyed_as(ctx: Context, addr: u64, size_bytes: u64, kind: u32) -> None:
    """What a destructor leaves behind is uninitialised."""
    if tracks_bits() and load_u64(POISONS_DESTROYED) != 0:
        stack_id = u32(current_stack_id(ctx))
        bits_begin(ctx, addr, size_bytes, origin_put(kind, stack_id, 0))


@kernel
def msan_fields_destroyed(ctx: Context, addr: u64, size_bytes: u64) -> None:
    """__sanitizer_dtor_callback_fields: members whose own destructors do nothing."""
    destroyed_as(ctx, addr, size_bytes, FIELDS)


@kernel
def msan_class_pointer_destroyed(ctx: Context, addr: u64) -> None:
    """__sanitizer_dtor_callback_vptr."""
    destroyed_as(ctx, addr, 8, CLASS_POINTER)


@kernel
def msan_expect_use(ctx: Context, is_on: i32) -> None:
    """__msan_set_expect_umr: uses are noted and not reported; 0 ends that, and one must have
    come.
    """
    if not tracks_bits():
        return
    if is_on != 0:
        store_u64(USE_FOUND, 0)
    elif load_u64(USE_FOUND) == 0:
        report_fault(ctx, KIND, 0, 0, ROUTINE)
        ctx.fault[6] = MISSING_USE
    store_u64(EXPECTS_USE, u64(is_on))


@kernel
def msan_use_origin(ctx: Context) -> u32:
    """__msan_get_umr_origin: the origin of the last use that was expected."""
    return u32(load_u64(USE_ORIGIN))


@kernel
def msan_chain_origin(ctx: Context, word: u32) -> u32:
    """__msan_chain_origin: an origin as it is once its value was stored here."""
    if word == 0 or not tracks_bits():
        return word
    return origin_put(STORED, u32(current_stack_id(ctx)), word)


@kernel
def msan_track_origins(ctx: Context) -> i32:
    """__msan_get_track_origins: 2, the stores on the way are reported as well."""
    return i32(WITH_ORIGINS)


@kernel
def msan_has_dynamic_component(ctx: Context) -> i32:
    """__msan_has_dynamic_component: everything is linked into one program."""
    return 0


EXPORTS = (
    Export("void __msan_poison(ptr,u64)", kernel="msan_poison"),
    Export("void __msan_allocated_memory(ptr,u64)", kernel="msan_allocated_memory"),
    Export("void __msan_unpoison(ptr,u64)", kernel="msan_unpoison"),
    Export("void __msan_unpoison_string(ptr)", kernel="msan_unpoison_string"),
    Export("void __msan_unpoison_param(u64)", kernel="msan_unpoison_param"),
    Export("void __msan_partial_poison(ptr,ptr,u64)", kernel="msan_partial_poison"),
    Export("void __msan_copy_shadow(ptr,ptr,u64)", kernel="msan_copy_shadow"),
    Export("i64 __msan_test_shadow(ptr,u64)", kernel="msan_test_shadow"),
    Export("void __msan_check_mem_is_initialized(ptr,u64)", kernel="msan_check"),
    Export("u32 __msan_get_origin(ptr)", kernel="msan_get_origin"),
    Export("void __msan_set_origin(ptr,u64,u32)", kernel="msan_set_origin"),
    Export("i32 __msan_origin_is_descendant_or_same(u32,u32)", kernel="msan_is_descendant"),
    Export("void __msan_scoped_disable_interceptor_checks()", kernel="msan_disable_checks"),
    Export("void __msan_scoped_enable_interceptor_checks()", kernel="msan_enable_checks"),
    Export("i32 __msan_has_dynamic_component()", kernel="msan_has_dynamic_component"),
    Export("void __msan_set_expect_umr(i32)", kernel="msan_expect_use"),
    Export("u32 __msan_get_umr_origin()", kernel="msan_use_origin"),
    Export("u32 __msan_chain_origin(u32)", kernel="msan_chain_origin"),
    Export("i32 __msan_get_track_origins()", kernel="msan_track_origins"),
    Export("void __sanitizer_dtor_callback(ptr,u64)", kernel="msan_fields_destroyed"),
    Export("void __sanitizer_dtor_callback_fields(ptr,u64)", kernel="msan_fields_destroyed"),
    Export("void __sanitizer_dtor_callback_vptr(ptr)", kernel="msan_class_pointer_destroyed"),
)
