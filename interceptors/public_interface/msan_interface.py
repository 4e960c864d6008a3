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

from typing import Any

import numpy as np

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
from irsan.runtime.kernels.report_fault import ROUTINE, report_fault
from irsan.runtime.kernels.uninitialised.uninit_origins import (
    bits_copy,
    origin_of,
    origin_put,
    word_to_record,
)
from irsan.runtime.kernels.uninitialised.uninit_shadow import (
    U64_SHADOW,
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

I32_0 = np.int32(0)
I32_1 = np.int32(1)
I64_NONE = np.int64(-1)
U8_0 = np.uint8(0)
U32_0 = np.uint32(0)
U32_POISONED = np.uint32(ul.POISONED)
U32_OWN_BLOCK = np.uint32(ul.OWN_BLOCK)
U32_STORED = np.uint32(ul.STORED)
U32_MOVED = np.uint32(ul.MOVED)
U32_FIELDS = np.uint32(ul.FIELDS)
U32_CLASS_POINTER = np.uint32(ul.CLASS_POINTER)
U32_WITH_ORIGINS = np.uint32(2)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_3 = np.uint64(3)
U64_4 = np.uint64(4)
U64_8 = np.uint64(8)
U64_PASSED = np.uint64(ul.PASSED)
U64_MAX_PASSED = np.uint64(ul.PASSED_BYTES // 8)
U64_LIBRARY_UNCHECKED = np.uint64(ul.LIBRARY_UNCHECKED)
U64_POISONS_DESTROYED = np.uint64(ul.POISONS_DESTROYED)
U64_EXPECTS_USE = np.uint64(ul.EXPECTS_USE)
U64_USE_FOUND = np.uint64(ul.USE_FOUND)
U64_USE_ORIGIN = np.uint64(ul.USE_ORIGIN)
U64_MISSING_USE = np.uint64(ul.MISSING_USE)
U64_KIND = np.uint64(int(FaultKind.UNINITIALISED))


@kernel("void(ctx,u64,u64,u32)")
def poison_as(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> None:
    """Poison a range with an origin that names the calls in progress."""
    if tracks_bits():
        stack_id = np.uint32(current_stack_id(ctx))
        bits_poison(ctx, addr, size_bytes, origin_put(kind, stack_id, U32_0))


@kernel("void(ctx,u64,u64)")
def msan_poison(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__msan_poison."""
    poison_as(ctx, addr, size_bytes, U32_POISONED)


@kernel("void(ctx,u64,u64)")
def msan_allocated_memory(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__msan_allocated_memory: an allocator of the program's own hands out a block."""
    poison_as(ctx, addr, size_bytes, U32_OWN_BLOCK)


@kernel("void(ctx,u64,u64)")
def msan_unpoison(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__msan_unpoison."""
    if tracks_bits():
        bits_clear(ctx, addr, size_bytes)


@kernel("void(ctx,u64)")
def msan_unpoison_string(ctx: Any, text: Any) -> None:
    """__msan_unpoison_string: with its NUL."""
    if tracks_bits():
        bits_clear(ctx, text, real_strlen(text) + U64_1)


@kernel("void(ctx,u64)")
def msan_unpoison_param(ctx: Any, n_arguments: Any) -> None:
    """__msan_unpoison_param: the first arguments of the call that comes are initialised."""
    if tracks_bits():
        real_memset(U64_PASSED, U64_0, min(n_arguments, U64_MAX_PASSED) * U64_8)


@kernel("void(ctx,u64,u64,u64)")
def msan_partial_poison(ctx: Any, addr: Any, shadow: Any, size_bytes: Any) -> None:
    """__msan_partial_poison: the shadow itself, bit by bit."""
    if tracks_bits() and has_bits(addr, size_bytes):
        msan_poison(ctx, addr, size_bytes)
        real_memmove(addr + U64_SHADOW, shadow, size_bytes)


@kernel("void(ctx,u64,u64)")
def origins_stored(ctx: Any, target: Any, size_bytes: Any) -> None:
    """Poisoned bytes of a range get an origin that promises nothing of their contents."""
    stack_id = np.uint32(current_stack_id(ctx))
    i = first_bits(target, size_bytes)
    while i < size_bytes:
        at = target + i
        word = origin_of(ctx, at)
        record = word_to_record(word)
        if record != U64_0 and load_u32(record) == U32_MOVED:
            word = load_u32(record + U64_8)  # the step that the copy itself has added
        origins_fill(at, U64_1, origin_put(U32_STORED, stack_id, word))
        i += U64_4 - (at & U64_3)
        i += first_bits(target + i, size_bytes - min(i, size_bytes))


@kernel("void(ctx,u64,u64,u64)")
def msan_copy_shadow(ctx: Any, target: Any, source: Any, size_bytes: Any) -> None:
    """__msan_copy_shadow: the bytes themselves are others, and no trace of native code."""
    if tracks_bits() and has_bits(target, size_bytes):
        bits_copy(ctx, target, source, size_bytes)
        origins_stored(ctx, target, size_bytes)


@kernel("i64(ctx,u64,u64)")
def msan_test_shadow(ctx: Any, addr: Any, size_bytes: Any) -> Any:
    """__msan_test_shadow: offset of the first byte that is not initialised, -1 for none."""
    if not tracks_bits() or not has_bits(addr, size_bytes):
        return I64_NONE
    offset = first_unset(ctx, addr, size_bytes)
    if offset == size_bytes:
        return I64_NONE
    return np.int64(offset)


@kernel("void(ctx,u64,u64)")
def msan_check(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__msan_check_mem_is_initialized."""
    if tracks_bits():
        uninit_read(ctx, addr, size_bytes)


@kernel("u32(ctx,u64)")
def msan_get_origin(ctx: Any, addr: Any) -> Any:
    """__msan_get_origin: 0 for an initialised byte."""
    if not tracks_bits() or not has_bits(addr, U64_1):
        return U32_0
    if load_u8(addr + U64_SHADOW) == U8_0:
        return U32_0
    return origin_of(ctx, addr)


@kernel("void(ctx,u64,u64,u32)")
def msan_set_origin(ctx: Any, addr: Any, size_bytes: Any, word: Any) -> None:
    """__msan_set_origin."""
    if tracks_bits() and size_bytes != U64_0 and has_bits(addr, size_bytes):
        origins_fill(addr, size_bytes, word)


@kernel("i32(ctx,u32,u32)")
def msan_is_descendant(ctx: Any, word: Any, ancestor: Any) -> Any:
    """__msan_origin_is_descendant_or_same: whether `ancestor` is on the way of an origin."""
    while word != ancestor:
        record = word_to_record(word)
        if record == U64_0:
            return I32_0
        word = load_u32(record + U64_8)
    return I32_1


@kernel("void(ctx)")
def msan_disable_checks(ctx: Any) -> None:
    """__msan_scoped_disable_interceptor_checks."""
    store_u64(U64_LIBRARY_UNCHECKED, load_u64(U64_LIBRARY_UNCHECKED) + U64_1)


@kernel("void(ctx)")
def msan_enable_checks(ctx: Any) -> None:
    """__msan_scoped_enable_interceptor_checks."""
    depth = load_u64(U64_LIBRARY_UNCHECKED)
    if depth != U64_0:
        store_u64(U64_LIBRARY_UNCHECKED, depth - U64_1)


@kernel("void(ctx,u64,u64,u32)")
def destroyed_as(ctx: Any, addr: Any, size_bytes: Any, kind: Any) -> None:
    """What a destructor leaves behind is uninitialised."""
    if tracks_bits() and load_u64(U64_POISONS_DESTROYED) != U64_0:
        stack_id = np.uint32(current_stack_id(ctx))
        bits_begin(ctx, addr, size_bytes, origin_put(kind, stack_id, U32_0))


@kernel("void(ctx,u64,u64)")
def msan_fields_destroyed(ctx: Any, addr: Any, size_bytes: Any) -> None:
    """__sanitizer_dtor_callback_fields: members whose own destructors do nothing."""
    destroyed_as(ctx, addr, size_bytes, U32_FIELDS)


@kernel("void(ctx,u64)")
def msan_class_pointer_destroyed(ctx: Any, addr: Any) -> None:
    """__sanitizer_dtor_callback_vptr."""
    destroyed_as(ctx, addr, U64_8, U32_CLASS_POINTER)


@kernel("void(ctx,i32)")
def msan_expect_use(ctx: Any, is_on: Any) -> None:
    """__msan_set_expect_umr: uses are noted and not told; 0 ends that, and one must have come."""
    if not tracks_bits():
        return
    if is_on != I32_0:
        store_u64(U64_USE_FOUND, U64_0)
    elif load_u64(U64_USE_FOUND) == U64_0:
        report_fault(ctx, U64_KIND, U64_0, U64_0, ROUTINE)
        ctx.fault[6] = U64_MISSING_USE
    store_u64(U64_EXPECTS_USE, np.uint64(is_on))


@kernel("u32(ctx)")
def msan_use_origin(ctx: Any) -> Any:
    """__msan_get_umr_origin: the origin of the last use that was expected."""
    return np.uint32(load_u64(U64_USE_ORIGIN))


@kernel("u32(ctx,u32)")
def msan_chain_origin(ctx: Any, word: Any) -> Any:
    """__msan_chain_origin: an origin as it is once its value was stored here."""
    if word == U32_0 or not tracks_bits():
        return word
    return origin_put(U32_STORED, np.uint32(current_stack_id(ctx)), word)


@kernel("i32(ctx)")
def msan_track_origins(ctx: Any) -> Any:
    """__msan_get_track_origins: 2, the stores on the way are told as well."""
    return np.int32(U32_WITH_ORIGINS)


@kernel("i32(ctx)")
def msan_has_dynamic_component(ctx: Any) -> Any:
    """__msan_has_dynamic_component: everything is linked into one program."""
    return I32_0


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
