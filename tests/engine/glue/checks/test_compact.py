"""Checks of big units as assembly: they answer what inline ones do, and keep all registers."""

from __future__ import annotations

import pytest

from irsan.engine.glue.checks.compact import compact_hooks
from irsan.engine.linker.elf import STT_FUNC, ObjectFile
from irsan.engine.target import TRIPLE
from irsan.instrument.hooks import HOOKS
from tests.support.big_units import big_unit
from tests.support.jit import compile_text
from tests.support.text_runs import TextRuns

HEAD = """
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""
# `never` keeps what makes a function big from running.
REGISTERS = """
static volatile int never, way;
#define PIN(a, b, c) asm volatile("" : "+x"(a), "+x"(b), "+x"(c))
#define PIN_ALL PIN(a, b, c); PIN(d, e, f); PIN(g, h, i); PIN(j, k, l); PIN(m, n, o)
__attribute__((noinline)) static double vectors(char *at, const double *x) {
    double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6], h = x[7];
    double i = x[8], j = x[9], k = x[10], l = x[11], m = x[12], n = x[13], o = x[14];
    PIN_ALL;
    *(volatile long *)at = 1;
    PIN_ALL;
    *(volatile short *)(at + 8) = 2;
    PIN_ALL;
    if (never) { MANY(0) }
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o;
}
#define PIN8(a, b, c, d, e, f, g, h) \\
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h))
__attribute__((noinline)) static long integers(char *at, long a, long b, long c, long d) {
    long e = a * 3, f = b * 5, g = c * 7, h = d * 11;
    PIN8(a, b, c, d, e, f, g, h);
    *(volatile int *)at = 1;
    PIN8(a, b, c, d, e, f, g, h);
    if (never) { MANY(0) }
    return a + b + c + d + e + f + g + h;
}
__attribute__((noinline)) static long leaf(char *at, long start) {
    volatile long here[6];
    for (int i = 0; i < 6; i++) here[i] = start + i;
    *(volatile long *)at = 5;
    if (never) { MANY(0) }
    return here[0] + here[1] + here[2] + here[3] + here[4] + here[5];
}
__attribute__((noinline)) static void bare(char *at) {
    *(volatile long *)at = 7;
    if (never) { MANY(0) }
}
__attribute__((noinline)) static long pushed(char *at, long start) {
    bare(at);
    bare(at + 8);
    return start;
}
typedef int Quad __attribute__((vector_size(16)));
__attribute__((noinline)) static int wide(char *at) {  // the stack is not aligned to 16 bytes
    Quad four = *(volatile Quad *)at;
    if (never) { MANY(0) }
    return four[1];
}
static double x[15];
static char area[8192] __attribute__((aligned(16)));
static void *run(void *unused) {
    char *block = area;
    double sum = 0;
    long total = 0;
    for (int i = 0; i < 100; i++) {
        sum += vectors(block + i * 16, x);
        total += integers(block + 2048 + i * 8, i, 2, 3, 4);
        total += leaf(block + 3072 + i * 8, i);
        total += pushed(block + 4096 + i * 16, i) + wide(block + 6144 + i * 16);
    }
    printf("%.1f %ld\\n", sum, total);
    if (way) block += 8192;
    if (way == 1) sum = vectors(block, x);
    if (way == 2) total = integers(block, 99, 2, 3, 4) + leaf(block + 4, 99);
    if (way == 2) total += pushed(block, 99);
    if (way) printf("%.1f %ld\\n", sum, total);
    return unused;
}
int main(int argc, char **argv) {
    pthread_t thread;
    for (int i = 0; i < 15; i++) x[i] = i + 0.5;
    run(0);
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    way = argc - 1;
    run(0);
    return 0;
}
"""
LAST = 4 * 99 + 84 + 6 * 99 + 15 + 99
SUM = f"{100 * 112.5:.1f} {sum(4 * i + 84 + 6 * i + 15 + i for i in range(100))}\n"
AFTER = {1: SUM.replace("11250.0", "112.5"), 2: f"11250.0 {LAST}\n"}
BAD = """
typedef struct __attribute__((packed)) {
    char head; uint16_t two; uint32_t four; uint64_t eight;
} Odd;
typedef int Quad __attribute__((vector_size(16), aligned(4)));
typedef int Oct __attribute__((vector_size(32), aligned(4)));
typedef int Hex __attribute__((vector_size(64), aligned(4)));
static char *block;
static volatile int never;
static void touch(char *p, int size, int is_write) {
    switch (size + is_write) {
    case 2: *(volatile char *)p; break;
    case 3: *(volatile char *)p = 1; break;
    case 4: *(volatile int16_t *)p; break;
    case 5: *(volatile int16_t *)p = 1; break;
    case 8: *(volatile int32_t *)p; break;
    case 9: *(volatile int32_t *)p = 1; break;
    case 16: *(volatile int64_t *)p; break;
    case 17: *(volatile int64_t *)p = 1; break;
    case 32: *(volatile __int128 *)p; break;
    case 33: *(volatile __int128 *)p = 1; break;
    case 42: ((volatile Odd *)p)->two; break;
    case 43: ((volatile Odd *)p)->two = 1; break;
    case 44: ((volatile Odd *)p)->four; break;
    case 45: ((volatile Odd *)p)->four = 1; break;
    case 48: ((volatile Odd *)p)->eight; break;
    case 49: ((volatile Odd *)p)->eight = 1; break;
    case 52: *(volatile Quad *)p; break;
    case 53: *(volatile Quad *)p = (Quad){1}; break;
    case 54: *(volatile Oct *)p; break;
    case 55: *(volatile Oct *)p = (Oct){1}; break;
    case 56: *(volatile Hex *)p; break;
    case 57: *(volatile Hex *)p = (Hex){1}; break;
    }
    if (never) { char *at = p; MANY(0) }
}
static int size, is_write, offset;
static void *other(void *unused) { touch(block + offset, size, is_write); return unused; }
int main(int argc, char **argv) {
    size = 2 * atoi(argv[1]), is_write = atoi(argv[2]), offset = atoi(argv[3]);
    block = malloc(108);
    memset(block, 0, 108);
    if (argc == 4) { other(0); return 0; }
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    touch(block + offset, size, 1);
    pthread_join(thread, 0);
    return 0;
}
"""
SIZES = (1, 2, 4, 8, 16)
# Of Odd: 2, 4 and 8 bytes at 1, 3 and 7; vectors of 16, 32 and 64 bytes at a multiple of 4.
ODD_SIZES = {21: 3, 22: 7, 24: 15, 26: 16, 27: 32, 28: 64}


def big(text: str) -> str:
    return big_unit(HEAD + text)


@pytest.mark.parametrize("sanitize", ["address", "thread", "address,thread"])
def test_registers_and_the_stack_are_as_before(text_runs: TextRuns, sanitize: str) -> None:
    result = text_runs(big(REGISTERS), sanitize=sanitize)
    assert result.findings == []
    assert result.stdout.decode() == SUM * 3


@pytest.mark.parametrize("way", AFTER)
@pytest.mark.parametrize("sanitize", ["address", "address,thread"])
def test_so_they_are_behind_a_report(text_runs: TextRuns, sanitize: str, way: int) -> None:
    """Making one uses every register."""
    environment = {"ASAN_OPTIONS": "halt_on_error=0"}
    words = ["w"] * way
    result = text_runs(big(REGISTERS), *words, sanitize=sanitize, environment=environment)
    assert {one["kind"] for one in result.findings} == {"global-buffer-overflow"}
    assert result.stdout.decode() == SUM * 3 + AFTER[way]


@pytest.mark.parametrize("is_write", [0, 1])
@pytest.mark.parametrize("size", SIZES)
def test_an_overflow_of_each_size_is_found(text_runs: TextRuns, size: int, is_write: int) -> None:
    for sanitize in ("address", "address,thread,leak"):
        last = 108 // size * size
        fine = text_runs(big(BAD), str(size), str(is_write), str(last - size), sanitize=sanitize)
        assert fine.findings == []
        result = text_runs(big(BAD), str(size), str(is_write), str(last), sanitize=sanitize)
        finding = result.findings[0]
        assert (finding["kind"], finding["access"]["size"]) == ("heap-buffer-overflow", size)
        (access,) = (one for one in finding["stacks"] if one["role"] == "access")
        assert access["frames"][0]["function"] == "touch"


@pytest.mark.parametrize("is_write", [0, 1])
@pytest.mark.parametrize("size", ODD_SIZES)
def test_a_badly_aligned_access_is_looked_at_whole(
    text_runs: TextRuns, size: int, is_write: int
) -> None:
    fine, bad = 108 - ODD_SIZES[size], 109 - ODD_SIZES[size]
    result = text_runs(big(BAD), str(size), str(is_write), str(fine), sanitize="address")
    assert result.findings == []
    result = text_runs(big(BAD), str(size), str(is_write), str(bad), sanitize="address")
    assert [one["kind"] for one in result.findings] == ["heap-buffer-overflow"]


@pytest.mark.parametrize("is_write", [0, 1])
@pytest.mark.parametrize("size", [*SIZES, *ODD_SIZES])
def test_a_race_of_each_size_is_found(text_runs: TextRuns, size: int, is_write: int) -> None:
    for sanitize in ("thread", "address,thread,leak"):
        words = (str(size), str(is_write), "16", "race")
        kinds = [one["kind"] for one in text_runs(big(BAD), *words, sanitize=sanitize).findings]
        assert "data race" in kinds


def test_the_assembly_names_what_the_runtime_has() -> None:
    """As an object: code, with the rest behind it, and one name for each hook."""
    names = [name for name, hook in HOOKS.items() if hook.group == "compact"]
    uses = "\n".join(f"call void @{name}(ptr %p, i32 {-7 - n})" for n, name in enumerate(names))
    hooks = compact_hooks().replace("define ", "define available_externally ")
    text = (
        f'target triple = "{TRIPLE}"\n{hooks}\n@__irsan_context = external global i8\n'
        f"define void @f(ptr %p) noredzone {{\n{uses}\nret void\n}}\n"
    )
    item = ObjectFile.parse(compile_text(inlined(text)))
    undefined = {item.symbol_name(n) for n, one in enumerate(item.symbols) if not one["section"]}
    assert undefined >= {name.replace("_compact_", "_asked_") for name in names}
    code = next(n for n, name in enumerate(item.section_names) if name == ".text")
    ends = [int(one["value"] + one["size"]) for one in item.symbols if one["info"] & 15 == STT_FUNC]
    behind = bytes(item.section_bytes(code))[max(ends) :]
    assert behind.count(b"\xa9\xf9\xff\xff\xff") == 1  # test eax, -7: the first one's site


def inlined(text: str) -> str:
    import llvmlite.binding as llvm

    from irsan.engine.target import target_machine

    machine, module = target_machine(), llvm.parse_assembly(text)
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.PipelineTuningOptions()))
    return str(module)
