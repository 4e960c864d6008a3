"""The public interface in programs: callbacks into the program, names of places, every export."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from irsan.interceptors import registry
from tests.support.native_oracle import find_clang
from tests.support.text_runs import FlagRuns, TextRuns

_FUNCTION = re.compile(r"\b(__(?:asan|sanitizer)_[a-z0-9_]+)\s*\(")
# What a program defines for its tools: read or called when it does, and nothing otherwise.
_DEFINED_BY_PROGRAMS = {"__asan_default_options"}

CALLBACKS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __asan_set_error_report_callback(void (*)(const char *));
void __asan_set_death_callback(void (*)(void));
void __asan_on_error(void) { fputs("on error\\n", stdout); }
static void told(const char *text) {
    printf("%d\\n", strstr(text, "heap-use-after-free") != 0);
}
static void dying(void) { char *p = malloc(3); puts("dying"); fflush(stdout); free(p); }
int main(int argc, char **argv) {
    __asan_set_error_report_callback(told);
    __asan_set_death_callback(dying);
    volatile char *p = malloc(4);
    free((void *)p);
    if (argc > 1) return *(volatile int *)(long)(argc * 8);
    p[0] = 1;
    puts("after");
    return 0;
}
"""
HOOKS = """
#include <stdio.h>
#include <stdlib.h>
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                              void (*)(const volatile void *));
int __sanitizer_get_ownership(const volatile void *);
static void *volatile mine;
static int n_made, n_freed, n_owned, n_weak;
void __sanitizer_malloc_hook(const volatile void *p, size_t n) { (void)p; n_weak += n == 77; }
static void made(const volatile void *p, size_t n) {
    if (n == 77) { n_made++; free(malloc(5)); }
    (void)p;
}
static void freed(const volatile void *p) {
    if (p == mine) { n_freed++; n_owned += __sanitizer_get_ownership(p); }
}
int main(void) {
    printf("%d\\n", __sanitizer_install_malloc_and_free_hooks(made, freed));
    mine = malloc(77);
    free(mine);
    mine = realloc(malloc(77), 78);
    free(mine);
    printf("%d %d %d %d\\n", n_made, n_freed, n_owned, n_weak);
    return 0;
}
"""
IGNORES = """
#include <stdio.h>
#include <stdlib.h>
static void *volatile kept;
int __sanitizer_ignore_free_hook(const volatile void *p) { return p == kept; }
int main(void) {
    volatile char *p = malloc(4);
    kept = (void *)p;
    free((void *)p);
    p[0] = 7;
    printf("%d\\n", p[0]);
    return 0;
}
"""
NAMES = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __sanitizer_symbolize_pc(void *, const char *, char *, size_t);
void __sanitizer_symbolize_global(void *, const char *, char *, size_t);
int __sanitizer_get_module_and_offset_for_pc(void *, char *, size_t, void **);
size_t __asan_get_alloc_stack(void *, void **, size_t, int *);
void __sanitizer_print_memory_profile(size_t, size_t);
void __asan_print_accumulated_stats(void);
int wide_global[5];
static __attribute__((noinline)) void *make(void) { void *p = malloc(9); return p; }
static __attribute__((noinline)) void named(void) { puts("named"); }
int main(void) {
    char text[256];
    void *frames[8], *offset = 0;
    void *volatile p = make();
    size_t n = __asan_get_alloc_stack(p, frames, 8, 0);
    for (size_t i = 0; i < n; i++) {
        __sanitizer_symbolize_pc(frames[i], "%f:%l", text, sizeof text);
        printf("%s ", text);
    }
    __sanitizer_symbolize_pc((void *)named, "%f", text, sizeof text);
    puts(text);
    __sanitizer_symbolize_pc((void *)named, "%f", text, 3);
    puts(text);
    __sanitizer_symbolize_global(&wide_global[1], "%g", text, sizeof text);
    puts(text);
    int found = __sanitizer_get_module_and_offset_for_pc((void *)named, text, sizeof text, &offset);
    printf("%d %d %d\\n", found, strstr(text, ".c") != 0, offset != 0);
    named();
    __sanitizer_print_memory_profile(100, 3);
    __asan_print_accumulated_stats();
    free(p);
    return 0;
}
"""
HANDLER = """
#include <cstdio>
#include <new>
static int n_asked;
static void handler() { if (++n_asked == 2) std::set_new_handler(nullptr); }
int main() {
    std::set_new_handler(handler);
    void *volatile p = ::operator new(std::size_t{1} << 45, std::nothrow);
    std::printf("%d %d\\n", p == nullptr, n_asked);
    return 0;
}
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs)


def test_callbacks_of_a_report_that_ends_the_run(run: FlagRuns) -> None:
    result = run(CALLBACKS)
    assert result.stdout == b"on error\n1\ndying\n"
    assert result.exit_status == 66


def test_callbacks_when_the_run_goes_on(run: FlagRuns) -> None:
    result = run(CALLBACKS, "halt_on_error=0")
    assert result.stdout == b"on error\n1\nafter\n"


def test_callbacks_after_a_native_fault(run: FlagRuns) -> None:
    assert run(CALLBACKS, "", "word").stdout == b"on error\n0\ndying\n"


def test_malloc_hooks_are_called_while_the_block_is_owned(run: FlagRuns) -> None:
    result = run(HOOKS)
    assert (result.stdout, result.stderr) == (b"1\n2 2 2 2\n", "")


def test_a_free_that_the_program_ignores(run: FlagRuns) -> None:
    result = run(IGNORES)
    assert (result.stdout, result.stderr) == (b"7\n", "")


def test_names_of_places(run: FlagRuns) -> None:
    result = run(NAMES)
    lines = result.stdout.decode().splitlines()
    stack = lines[0].split()
    assert stack[0].startswith("malloc:") and stack[-1] == "named"
    assert re.fullmatch(r"make:12", stack[1]) and stack[2].startswith("main:")
    assert lines[1:4] == ["na", "wide_global", "1 1 1"]
    assert "Live Heap Allocations: 9 bytes in 1 chunks" in result.stderr
    assert "9 byte(s) (100%) in 1 allocation(s)" in result.stderr
    assert "Stats: 1 calls of malloc, 0 calls of free" in result.stderr


def test_a_refused_nothrow_new_asks_the_new_handler(run: FlagRuns) -> None:
    result = run(HANDLER, "allocator_may_return_null=1", suffix=".cpp")
    assert result.stdout == b"1 2\n"
    warnings = [line.partition("==WARNING: ")[2] for line in result.stderr.splitlines()]
    assert warnings == ["AddressSanitizer failed to allocate 0x200000000000 bytes"] * 3


def _headers() -> list[Path]:
    clang = shutil.which(find_clang() or "")
    if clang is None:
        return []
    folder = Path(clang).resolve().parent.parent / "lib" / "clang"
    return sorted(folder.glob("*/include/sanitizer/*.h"))


@pytest.mark.parametrize(
    "name", ["asan_interface", "allocator_interface", "common_interface_defs"]
)
def test_every_function_of_the_headers_is_exported(name: str) -> None:
    headers = [path for path in _headers() if path.stem == name]
    if not headers:
        pytest.skip("no clang with sanitizer headers on PATH")
    known = {e.name for e in (*registry.kernel_exports(), *registry.host_exports())}
    wanted = {word for path in headers for word in _FUNCTION.findall(path.read_text())}
    assert len(wanted) > 5 and wanted - known - _DEFINED_BY_PROGRAMS == set()


ORDER = """
#include <stdio.h>
#include <stdlib.h>
void __asan_on_error(void) { fputs("told first\\n", stderr); fflush(stderr); }
int main(void) {
    volatile char *p = malloc(4);
    free((void *)p);
    p[0] = 1;
    return 0;
}
"""


def test_the_program_is_told_before_the_report_is_printed(run: FlagRuns) -> None:
    text = run(ORDER).stderr
    assert -1 < text.find("told first") < text.find("heap-use-after-free")


def test_suppressions_of_the_program_that_make_no_sense_are_refused(run: FlagRuns) -> None:
    text = 'const char *__asan_default_suppressions(void) { return "FooBar"; }\nint main(void) {}\n'
    result = run(text)
    assert result.exit_status == 2
    assert "AddressSanitizer: failed to parse suppressions: __asan_default_sup" in result.stderr
    assert "Traceback" not in result.stderr


WAITS = """
#include <atomic>
#include <cstdio>
#include <pthread.h>
#include <unistd.h>
static std::atomic<int> begun, ended, waiting_when_made;
namespace __tsan {
void OnPotentiallyBlockingRegionBegin() { begun++; }
void OnPotentiallyBlockingRegionEnd() { ended++; }
}
static int make() {
    usleep(1000);
    waiting_when_made = begun - ended;
    return 7;
}
static void *use(void *) {
    static int made = make();
    return made == 7 ? nullptr : &begun;
}
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void nothing() {}
int main() {
    pthread_t threads[3];
    for (pthread_t &thread : threads) pthread_create(&thread, nullptr, use, nullptr);
    for (pthread_t &thread : threads) pthread_join(thread, nullptr);
    std::printf("%d %d\\n", begun == ended, waiting_when_made.load());
    begun = ended = 0;
    pthread_once(&once, nothing);
    std::printf("%d %d\\n", begun.load(), ended.load());
    return 0;
}
"""


@pytest.mark.parametrize(
    ("sanitize", "printed"), [("thread", b"1 2\n1 1\n"), ("address", b"1 0\n0 0\n")]
)
def test_a_program_is_told_when_it_waits_for_an_initialiser(
    run: FlagRuns, sanitize: str, printed: bytes
) -> None:
    result = run(WAITS, suffix=".cpp", sanitize=sanitize)
    assert (result.stdout, result.exit_status) == (printed, 0), result.stderr
