"""Stubs for native code: what irsan has of the interface links natively and acts as it should."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from irsan.engine.builds.native_stubs import NAMES, stub_text
from irsan.engine.cache import open_cache
from irsan.engine.linker.elf import ObjectFile
from irsan.engine.runtime_image.stored import load_or_build_runtime
from irsan.interceptors.registry import host_exports, kernel_exports

INTERFACE = re.compile(
    r"__(asan|tsan|lsan|msan|ubsan|sanitizer)_\w+|_?Annotate\w+|RunningOnValgrind"
)
#: what a program may define itself, and what is no function that does nothing
NO_STUB = re.compile(
    r"__\w+_(default_\w+|on_\w+)$|__tsan_atomic\w+|"
    r"__[atm]\w+_mem(cpy|move|set)$"
)
#: what only the compiler's own pass names: data, and a function whose name is a version
OF_PASSES = {
    "__asan_option_detect_stack_use_after_return", "__asan_shadow_memory_dynamic_address",
    "__asan_version_mismatch_check_v8", "__ubsan_vptr_type_cache",
}  # fmt: skip

CALLS = """
#include <stdio.h>
void __tsan_func_entry(void *), __tsan_func_exit(void), __tsan_read1(void *);
void __tsan_write_range(void *, unsigned long), __asan_load4(void *);
int __tsan_atomic32_load(const volatile int *, int);
void __tsan_atomic32_store(volatile int *, int, int);
int __tsan_atomic32_fetch_add(volatile int *, int, int);
int __tsan_atomic32_exchange(volatile int *, int, int);
int __tsan_atomic32_fetch_nand(volatile int *, int, int);
int __tsan_atomic32_compare_exchange_strong(volatile int *, int *, int, int, int);
int __tsan_atomic32_compare_exchange_val(volatile int *, int, int, int, int);
__int128 __tsan_atomic128_fetch_add(volatile __int128 *, __int128, int);
void __tsan_atomic_thread_fence(int), __tsan_atomic_signal_fence(int);
int __lsan_do_recoverable_leak_check(void);
static volatile int word = 5;
static volatile __int128 wide = 7;

int main(void) {
    int expected = 100, *at = (int *)&word;
    __tsan_func_entry(0);
    __tsan_read1(at);
    __tsan_write_range(at, 4);
    __asan_load4(at);
    __tsan_func_exit();
    __tsan_atomic32_store(&word, 9, 3);
    printf("%d ", __tsan_atomic32_fetch_add(&word, 3, 0));
    printf("%d ", __tsan_atomic32_exchange(&word, 6, 5));
    printf("%d ", __tsan_atomic32_fetch_nand(&word, 3, 5));
    int is_same = __tsan_atomic32_compare_exchange_strong(&word, &expected, 8, 5, 5);
    printf("%d %d ", is_same, expected);
    is_same = __tsan_atomic32_compare_exchange_strong(&word, &expected, 8, 5, 5);
    printf("%d %d ", is_same, __tsan_atomic32_compare_exchange_val(&word, 8, 11, 5, 5));
    __tsan_atomic_thread_fence(5);
    __tsan_atomic_signal_fence(5);
    printf("%d %d ", (int)__tsan_atomic128_fetch_add(&wide, 2, 5), (int)wide);
    printf("%d\\n", __tsan_atomic32_load(&word, 5));
    return __lsan_do_recoverable_leak_check();
}
"""
PRINTED = "9 12 6 0 -3 1 8 7 9 11\n"


def interface_functions() -> Iterator[str]:
    for export in (*kernel_exports(), *host_exports()):
        if INTERFACE.fullmatch(export.name) and not NO_STUB.match(export.name):
            yield export.name


def test_the_list_of_the_interface_is_what_the_interceptors_export() -> None:
    listed = NAMES.read_text().splitlines()
    assert listed == sorted(set(interface_functions())), "write these names into the file"


def test_all_of_the_interface_in_the_runtime_has_a_stub() -> None:
    image = load_or_build_runtime(open_cache(os.environ), lambda _: None)
    elf = ObjectFile.parse(image.object_bytes, "runtime")
    is_defined = (elf.symbol_sections != 0).tolist()
    names = {elf.symbol_name(i) for i, found in enumerate(is_defined) if found}
    stubs = set(re.findall(r"@(\w+)\(", "\n".join(stub_text())))
    assert {name for name in names if INTERFACE.fullmatch(name)} - OF_PASSES - stubs == set()


def test_what_programs_call_by_hand_links_and_acts(tmp_path: Path) -> None:
    (tmp_path / "calls.c").write_text(CALLS)
    code = "import sys; from irsan.compiler_wrapper import main_c; sys.exit(main_c())"
    subprocess.run(
        [sys.executable, "-c", code, "-w", "calls.c", "-o", "calls"], cwd=tmp_path, check=True
    )
    for more in ({"IRSAN_NATIVE": "1"}, {}):
        done = subprocess.run(
            [tmp_path / "calls"], capture_output=True, text=True, env={**os.environ, **more}
        )
        assert (done.returncode, done.stdout) == (0, PRINTED), done.stderr
