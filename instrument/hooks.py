"""The single table of hook functions: names and signatures of compiler-rt, plus our `__irsan_*`.

Passes look hooks up by (group, size, direction); the engine gives each a body from the same table.
Signatures use the words `void ptr i1 i8 i16 i32 i64 i128`.

    access   __asan_load4(ptr)          __tsan_read4(ptr)         one scalar access
    range    __asan_loadN(ptr, i64)     __tsan_read_range(ptr, i64)
    memory   __asan_memcpy(ptr, ptr, i64) ...                     does the copy as well
    atomic   __tsan_atomic32_load(ptr, i32 order) ...             does the operation as well
    frame    __tsan_func_entry(ptr), __tsan_func_exit()
    start    __asan_init, __tsan_init, version check
    exported __asan_register_globals(ptr, i64), __sanitizer_ptr_cmp(i64, i64) ...
    stack    __asan_stack_malloc_0(i64 bytes) ..., __asan_set_shadow_f8(i64 shadow, i64 bytes) ...
    engine   __irsan_*: left out by `instrument --portable`
    check    __irsan_check_read4_both(ptr, i32 site): the access hooks of one place in one, with its
             site; `operation` is what it checks: address, thread or both, and `_anywhere` when the
             address may be badly aligned
    outlined __irsan_outlined_read4_both(ptr, i32 site): the same as a call that is not inlined
    apart    __irsan_apart_read4_both(ptr, i32 site): the same, its question about races outlined
    compact  __irsan_compact_read4_both(ptr, i32 site): the same as one piece of assembly
    mixed    __irsan_mixed_read4_both(ptr, i32 site): the same, its question about races inline
    small    __irsan_small_memcpy_both(ptr, ptr, i64): a memory hook for few bytes, inlined
    bounds   __irsan_bounds_check(ptr, ptr lo, i64 length, i64 info, i32 site): object_bounds.py
             __irsan_bounds_asked(ptr, ptr root, i64 place, i64 reach, i64 info, i32 site)
             __irsan_bounds_near(ptr, ptr root, 4 x i64 looks, i64 info, i32 site): near_roots.py
    bits     __irsan_bits_from(ptr): where the shadow of uninitialised bits is; uninit: see below
    ids      __irsan_prov_load(ptr, ptr value): the id of a pointer's object, inlined; objects: not

Source: the hook lists of LLVM's AddressSanitizer and ThreadSanitizer passes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

ACCESS_SIZES = (1, 2, 4, 8, 16)
WIDE_SIZES = (32, 64)  # of vectors, whose addresses have checks; for races they are ranges
ATOMIC_BITS = (8, 16, 32, 64, 128)
WEAK = 1 << 20
"""Beside the first memory order of compare_exchange_val: it may fail although the value is as
expected; whether it has is said by __irsan_weak_failed() until another one is made."""
RMW_OPERATIONS = (
    "exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor", "fetch_nand",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook function: its C name, its LLVM signature and what it stands for."""

    name: str
    result: str
    arguments: tuple[str, ...]
    sanitizer: str  # "address", "thread" or "engine"
    group: str
    size_bytes: int = 0
    is_write: bool = False
    operation: str = ""


def _asan_accesses() -> list[Hook]:
    hooks = []
    for word, is_write in (("load", False), ("store", True)):
        for suffix in ("", "_noabort"):
            for size in ACCESS_SIZES:
                name = f"__asan_{word}{size}{suffix}"
                hooks.append(Hook(name, "void", ("ptr",), "address", "access", size, is_write))
            name = f"__asan_{word}N{suffix}"
            hooks.append(Hook(name, "void", ("ptr", "i64"), "address", "range", 0, is_write))
    return hooks


def _tsan_accesses() -> list[Hook]:
    hooks = []
    for word, is_write in (("read", False), ("write", True), ("read_write", True)):
        for prefix in ("", "unaligned_", "volatile_", "unaligned_volatile_"):
            if word == "read_write" and "volatile" in prefix:
                continue
            for size in ACCESS_SIZES:
                name = f"__tsan_{prefix}{word}{size}"
                hooks.append(
                    Hook(name, "void", ("ptr",), "thread", "access", size, is_write, prefix + word)
                )
        if word != "read_write":
            name = f"__tsan_{word}_range"
            hooks.append(Hook(name, "void", ("ptr", "i64"), "thread", "range", 0, is_write))
    hooks.append(Hook("__tsan_vptr_update", "void", ("ptr", "ptr"), "thread", "vptr", 8, True))
    hooks.append(Hook("__tsan_vptr_read", "void", ("ptr",), "thread", "vptr", 8, False))
    return hooks


def _tsan_atomics() -> list[Hook]:
    hooks = []
    for bits in ATOMIC_BITS:
        value, size, stem = f"i{bits}", bits // 8, f"__tsan_atomic{bits}_"
        atomic = ("thread", "atomic", size)
        hooks.append(Hook(stem + "load", value, ("ptr", "i32"), *atomic, False, "load"))
        hooks.append(Hook(stem + "store", "void", ("ptr", value, "i32"), *atomic, True, "store"))
        for operation in RMW_OPERATIONS:
            hooks.append(
                Hook(stem + operation, value, ("ptr", value, "i32"), *atomic, True, operation)
            )
        swap = ("ptr", value, value, "i32", "i32")
        hooks.append(
            Hook(stem + "compare_exchange_val", value, swap, *atomic, True, "compare_exchange_val")
        )
        swap = ("ptr", "ptr", value, "i32", "i32")
        for kind in ("strong", "weak"):
            name = f"{stem}compare_exchange_{kind}"
            hooks.append(Hook(name, "i32", swap, *atomic, True, "compare_exchange"))
    for scope in ("thread", "signal"):
        name = f"__tsan_atomic_{scope}_fence"
        hooks.append(Hook(name, "void", ("i32",), "thread", "fence", operation=scope))
    return hooks


def _others() -> list[Hook]:
    copy, fill = ("ptr", "ptr", "i64"), ("ptr", "i32", "i64")
    hooks = []
    for sanitizer, stem in (("address", "__asan_"), ("thread", "__tsan_")):
        hooks.append(Hook(stem + "memcpy", "ptr", copy, sanitizer, "memory", operation="memcpy"))
        hooks.append(Hook(stem + "memmove", "ptr", copy, sanitizer, "memory", operation="memmove"))
        hooks.append(Hook(stem + "memset", "ptr", fill, sanitizer, "memory", operation="memset"))
    return [
        *hooks,
        Hook("__tsan_func_entry", "void", ("ptr",), "thread", "frame", operation="entry"),
        Hook("__tsan_func_exit", "void", (), "thread", "frame", operation="exit"),
        Hook("__tsan_ignore_thread_begin", "void", (), "thread", "ignore", operation="begin"),
        Hook("__tsan_ignore_thread_end", "void", (), "thread", "ignore", operation="end"),
        Hook("__tsan_init", "void", (), "thread", "start"),
        Hook("__asan_init", "void", (), "address", "start"),
        Hook("__asan_version_mismatch_check_v8", "void", (), "address", "start"),
        Hook("__asan_handle_no_return", "void", (), "address", "no_return"),
        *_globals(),
    ]


def _globals() -> list[Hook]:
    """What `interceptors/` defines: globals, their order of initialisation, pairs of pointers."""
    rows = [
        ("__asan_register_globals", ("ptr", "i64")),
        ("__asan_unregister_globals", ("ptr", "i64")),
        ("__asan_register_elf_globals", ("ptr", "ptr", "ptr")),
        ("__asan_unregister_elf_globals", ("ptr", "ptr", "ptr")),
        ("__asan_before_dynamic_init", ("ptr",)),
        ("__asan_after_dynamic_init", ()),
        ("__sanitizer_ptr_cmp", ("i64", "i64")),
        ("__sanitizer_ptr_sub", ("i64", "i64")),
    ]
    return [Hook(name, "void", arguments, "address", "exported") for name, arguments in rows]


SHADOW_OFFSET = 0x7FFF8000
"""Shadow of an address lies at (address >> 3) + this: clang's mapping, and the runtime's."""
N_FAKE_CLASSES = 11
"""Size classes of compiler-rt's fake stacks, from 64 bytes to 64 KiB."""
N_ENGINE_FAKE_CLASSES = 15
SHADOW_VALUES = (*range(8), 0xF1, 0xF2, 0xF3, 0xF5, 0xF8)


def _stack() -> list[Hook]:
    classes = range(N_ENGINE_FAKE_CLASSES)
    pair = ("i64", "i64")
    rows = [
        *((f"__asan_stack_malloc_{number}", "i64", ("i64",)) for number in classes),
        *((f"__asan_stack_free_{number}", "void", pair) for number in classes),
        *((f"__asan_set_shadow_{value:02x}", "void", pair) for value in SHADOW_VALUES),
        ("__asan_alloca_poison", "void", pair),
        ("__asan_allocas_unpoison", "void", pair),
        ("__irsan_copy_shadow", "void", ("i64", "ptr", "i64")),
        ("__irsan_throwing", "void", ("i64",)),
        ("__irsan_unwound_to", "void", ("i64",)),
        ("__irsan_returned_twice", "void", ("i64", "i32")),
    ]
    return [Hook(name, result, taken, "address", "stack") for name, result, taken in rows]


def _engine() -> list[Hook]:
    return [
        Hook("__irsan_site", "void", ("i32",), "engine", "engine", operation="site"),
        Hook("__irsan_count", "void", ("ptr", "i32"), "engine", "count"),
        Hook("__irsan_safepoint", "void", (), "engine", "engine", operation="safepoint"),
        Hook("__irsan_weak_failed", "i64", (), "engine", "engine", operation="weak"),
        Hook("__irsan_tls_block", "ptr", (), "engine", "engine", operation="tls"),
        Hook("__irsan_frame_entry", "i64", (), "engine", "engine", operation="entry"),
        Hook("__irsan_frame_exit", "void", ("i64",), "engine", "engine", operation="exit"),
        Hook("__irsan_frame_depth", "i64", (), "engine", "engine", operation="depth"),
        Hook("__irsan_frame_restore", "void", ("i64",), "engine", "engine", operation="restore"),
        *_strips(),
    ]


MOST_TURNS = 1 << 14  # of one strip of a loop


def _strips() -> list[Hook]:
    """Of loops that ask about many turns at once: loops/strip_code.py; `strips` are not inlined."""
    touched = ("i64", "i64", "i64", "i64", "i32")
    rows = [
        ("engine", "strip_length", "i64", ("i64",)), ("engine", "strip_done", "void", ("i64",)),
        ("engine", "strip_left", "void", ("i64",)), ("engine", "races_ignored", "i1", ()),
        *(("strips", f"strip_{word}", "i1", ("i64",) * 4) for word in ("clean", "defined")),
        ("strips", "strip_read", "i1", touched), ("strips", "strip_write", "i1", touched),
    ]  # fmt: skip
    return [
        Hook(f"__irsan_{name}", result, taken, "engine", group, operation=name)
        for group, name, result, taken in rows
    ]


def check_name(is_write: bool, size_bytes: int, checks: str) -> str:
    """Name of the hook that does `checks` (its `operation`) for an access."""
    return f"__irsan_check_{'write' if is_write else 'read'}{size_bytes}_{checks}"


def _checks() -> list[Hook]:
    plain, anywhere = ("address", "thread", "both"), ("address_anywhere", "both_anywhere")
    asked: dict[int, tuple[str, ...]] = {1: plain}
    asked.update(dict.fromkeys(ACCESS_SIZES[1:], (*plain, *anywhere)))
    asked.update(dict.fromkeys(WIDE_SIZES, anywhere[:1]))
    return [
        Hook(check_name(writes, size, one), "void", ("ptr", "i32"), "engine", "check", size,
             writes, one)
        for writes in (False, True) for size in asked for one in asked[size]
    ]  # fmt: skip


def outlined_name(check: str) -> str:
    """The hook that makes a check out of line, by the name of the check."""
    return check.replace("__irsan_check_", "__irsan_outlined_")


def apart_name(check: str) -> str:
    """The hook that asks about races out of line, by the name of a check that asks about them."""
    return check.replace("__irsan_check_", "__irsan_apart_")


def compact_name(check: str) -> str:
    """The hook that asks the first question of a check in assembly, by the name of the check."""
    return check.replace("__irsan_check_", "__irsan_compact_")


def mixed_name(check: str) -> str:
    """The hook that asks about the address in assembly and about races inline."""
    return check.replace("__irsan_check_", "__irsan_mixed_")


def _outlined() -> list[Hook]:
    return [replace(hook, name=outlined_name(hook.name), group="outlined") for hook in _checks()]


def _apart() -> list[Hook]:
    asking = [hook for hook in _checks() if not hook.operation.startswith("address")]
    return [replace(hook, name=apart_name(hook.name), group="apart") for hook in asking]


def _compact() -> list[Hook]:
    return [replace(hook, name=compact_name(hook.name), group="compact") for hook in _checks()]


def _mixed() -> list[Hook]:
    asking = [hook for hook in _checks() if hook.operation.startswith("both")]
    return [replace(hook, name=mixed_name(hook.name), group="mixed") for hook in asking]


MAX_SMALL_BYTES = 56
"""What a hook of the group `small` may be called for: one look at the shadow holds all of it."""
SIDES = ("to", "from")  # of a copy, by the number of the argument


def small_name(word: str, checks: str, side: str = "") -> str:
    """Name of the hook that does `memcpy`, `memmove` or `memset` of a few bytes with `checks`;
    side: one of SIDES where the shadow of the other one is known to be clear."""
    return f"__irsan_small_{word}_{checks}" + (f"_{side}" if side else "")


def _small() -> list[Hook]:
    rows = (("memcpy", "ptr"), ("memmove", "ptr"), ("memset", "i32"))
    return [
        Hook(
            small_name(word, checks, side), "ptr", ("ptr", second, "i64"), "engine", "small",
            operation=f"{word}_{checks}_{side}",
        )
        for word, second in rows
        for checks in ("address", "thread", "both")
        for side in (("",) if word == "memset" or checks == "thread" else ("", *SIDES))
    ]  # fmt: skip


def _bounds() -> list[Hook]:
    def hook(name: str, result: str, *arguments: str) -> Hook:
        return Hook(f"__irsan_{name}", result, arguments, "engine", "bounds", operation=name)

    return [
        hook("bounds_asked", "void", "ptr", "ptr", "i64", "i64", "i64", "i32"),
        hook("bounds_check", "void", "ptr", "ptr", "i64", "i64", "i32"),
        hook("bounds_near", "void", "ptr", "ptr", *["i64"] * 4, "i64", "i32"),
        hook("bounds_range", "void", "ptr", "ptr", "i64", "i64", "i64", "i32"),
        hook("object_lo", "ptr", "ptr", "i64", "i64"),
        hook("object_length", "i64", "ptr", "i64"),
        hook("pointer_kept", "void", "ptr", "ptr", "i64", "ptr"),
    ]


def _uninitialised() -> list[Hook]:
    """`bits` are inlined. `uninit` are slow ways that end with a site; `bits_shown` has none."""
    rows = [
        ("bits", "__irsan_bits_from", "ptr", ("ptr",)),
        ("bits", "__irsan_bits_to", "ptr", ("ptr",)),
        ("bits", "__irsan_bits_at", "ptr", ("ptr",)),
        ("bits", "__irsan_bits_beside", "ptr", ("ptr", "ptr", "i64")),
        ("bits", "__irsan_bits_passed", "ptr", ("i64",)),
        ("bits", "__irsan_bits_passed_place", "ptr", ("i64",)),
        ("bits", "__irsan_bits_result", "ptr", ()),
        ("bits", "__irsan_bits_result_place", "ptr", ()),
        ("bits", "__irsan_bits_callee", "ptr", ()),
        ("bits", "__irsan_bits_returned", "ptr", ()),
        ("bits", "__irsan_bits_variadic", "ptr", ("i64",)),
        ("bits", "__irsan_bits_variadic_place", "ptr", ("i64",)),
        ("bits", "__irsan_bits_variadic_set", "ptr", ()),
        ("bits", "__irsan_bits_variadic_on_stack", "ptr", ()),
        ("uninit", "__irsan_uninit_use", "void", ("ptr", "i64", "i32")),
        ("uninit", "__irsan_uninit_stored", "void", ("ptr", "i64", "ptr", "i64", "i32")),
        ("bits_range", "__irsan_bits_begin", "void", ("ptr", "i64", "i32")),
        ("bits_range", "__irsan_bits_clear", "void", ("ptr", "i64")),
        ("bits_shown", "__irsan_bits_shown", "void", ("ptr", "i64")),
        ("bits_range", "__irsan_bits_copy", "void", ("ptr", "ptr", "i64")),
        ("bits_range", "__irsan_bits_variadic_begin", "void", ("ptr", "i64")),
        ("bits_range", "__irsan_bits_variadic_copy", "void", ("i64", "ptr", "i64")),
        ("bits_range", "__irsan_bits_variadic_forward", "void", ("ptr", "ptr", "i64")),
        ("bits_range", "__irsan_uninit_variadic", "i64", ("ptr", "ptr", "i32")),
    ]
    return [Hook(name, result, taken, "engine", group) for group, name, result, taken in rows]


def takes_site_last(name: str) -> bool:
    """Whether a hook's last argument is the number of its site, filled in by `marking`."""
    return name.startswith(("__irsan_bounds_", "__irsan_uninit_"))


def _provenance() -> list[Hook]:
    """`ids` are inlined, `objects` are not; both deal in ids of objects, i64."""
    rows = [
        ("ids", "load", "i64", ("ptr", "ptr")), ("ids", "store", "void", ("ptr", "ptr", "i64")),
        ("ids", "wipe", "void", ("ptr",)), ("ids", "wipe_part", "void", ("ptr",)),
        ("ids", "show", "void", ("ptr", "i64")),
        ("ids", "pass", "void", ("i64", "ptr", "i64")),
        ("ids", "pass_variadic", "void", ("i64", "i64", "ptr", "i64")),
        ("ids", "call_variadic", "void", ("ptr", "i64", "i64")),
        ("ids", "call", "void", ("ptr",)), ("ids", "take", "i64", ("i64", "ptr", "ptr")),
        ("ids", "taken", "void", ()), ("ids", "return", "void", ("ptr", "ptr", "i64")),
        ("ids", "of_global", "i64", ("ptr",)), ("ids", "expose", "void", ("i64",)),
        ("objects", "result", "i64", ("ptr", "ptr")),
        ("objects", "stack", "i64", ("ptr", "i64", "i32")), ("objects", "begin", "void", ("i64",)),
        ("objects", "end", "void", ("i64",)), ("objects", "global", "void", ("ptr", "i64")),
        ("objects", "initial", "void", ("ptr", "i64")), ("objects", "refresh", "void", ("ptr",)),
        ("objects", "thread_variable", "i64", ("ptr", "ptr", "i64")),
        ("objects", "from_int", "i64", ("i64",)), ("objects", "popped", "void", ("ptr", "ptr")),
        ("objects", "copy", "void", ("ptr", "ptr", "i64")),
        ("objects", "take_copy", "void", ("i64", "ptr", "ptr", "i64")),
        ("objects", "wipe_range", "void", ("ptr", "i64")),
        ("objects", "show_range", "void", ("ptr", "i64")),
        ("objects", "expose_pointer", "void", ("ptr", "i64")),
        ("objects", "sorting", "i64", ("ptr", "i64")),
        ("objects", "sorted", "void", ("i64", "ptr", "i64")),
        ("objects", "functions", "void", ("ptr", "i64")),
        ("objects", "called", "void", ("ptr", "ptr", "i64")),
        ("objects", "vectors", "void", ("ptr", "i64")),
        ("objects", "messages", "void", ("ptr", "i64", "i64")),
        ("objects", "take_variadic", "i64", ("ptr", "ptr", "i64")),
        ("objects", "forward_variadic", "void", ("ptr", "ptr", "i64", "i64")),
        ("objects", "weak", "void", ("ptr", "ptr", "i64")),
        ("objects", "common", "void", ("ptr", "i64")),
    ]  # fmt: skip
    checks = [
        ("ids", "__irsan_bounds_of_id", ("ptr", "i64", "i64", "i32")),
        ("objects", "__irsan_bounds_of_range", ("ptr", "i64", "i64", "i64", "i32")),
    ]
    return [
        *(
            Hook(f"__irsan_prov_{name}", result, taken, "engine", group)
            for group, name, result, taken in rows
        ),
        *(Hook(name, "void", taken, "engine", group) for group, name, taken in checks),
    ]


HOOKS: dict[str, Hook] = {
    hook.name: hook
    for hooks in (
        _asan_accesses, _tsan_accesses, _tsan_atomics, _others, _stack, _engine, _checks, _outlined,
        _apart, _compact, _mixed, _small, _bounds, _uninitialised, _provenance,
    )
    for hook in hooks()
}  # fmt: skip


def is_hook_name(name: str) -> bool:
    """Whether a function of this name belongs to a sanitizer's run-time."""
    return name in HOOKS or name.startswith(("__asan_", "__tsan_", "__sanitizer_", "__irsan_"))
