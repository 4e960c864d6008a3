"""Whole runs: accesses to addresses that nobody has, and to memory that is not irsan's."""

from __future__ import annotations

import signal

import pytest

from irsan.runtime.layout import memory_map
from tests.support.big_units import big_unit
from tests.support.text_runs import TextRuns

WILD = """
#include <stdint.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    uint64_t place = strtoull(argv[1], 0, 0);
    switch (atoi(argv[2])) {
    case 1: return *(volatile char *)place;
    case 2: return *(volatile short *)place;
    case 4: return *(volatile int *)place;
    case 8: return (int)*(volatile long *)place;
    case 16: { __int128 value = *(volatile __int128 *)place; return (int)value; }
    default: *(volatile int *)place = 3;
    }
    return 0;
}
"""
FIRST_LINE = 7  # of the access of one byte
LINES = {size: FIRST_LINE + number for number, size in enumerate((1, 2, 4, 8, 16, 0))}
PLACES = (
    0x10,
    0x4141414141414140,
    0xFFFF_FFFF_FFFF_FF00,
    1 << 51,
    memory_map.TIB * 2,  # its shadow is a gap of the arena
    memory_map.SHADOW_OFFSET + 4096,
    memory_map.STACKS_LO - 4096,
    memory_map.HEAP_LO + (1 << 37),  # heap that no one has yet
    memory_map.RACE_SHADOW,
    0x1700_0000_0000,
    0x7000_1234_5678 & ~15,
)
FOREIGN = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#define SIZE (1L << 24)
static ucontext_t outside, inside;
static sigjmp_buf back;
static volatile char *where;
static void on_fault(int number, siginfo_t *info, void *context) {
    printf("%d at the place: %d\\n", number, (char *)info->si_addr == where);
    siglongjmp(back, 1);
}
static void fiber(void) {
    volatile char kept[100];
    volatile int index = 50;
    for (int i = 0; i < 100; i++) kept[i] = i;
    printf("fiber %d\\n", kept[index]);
    swapcontext(&inside, &outside);
}
int main(int argc, char **argv) {
    if (!strcmp(argv[1], "blocked")) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, 0);
    }
    char *memory = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long sum = 0;
    for (long i = 0; i < SIZE; i += 64) memory[i] = 1;
    for (long i = 0; i < SIZE; i += 64) sum += memory[i];
    getcontext(&inside);
    inside.uc_stack.ss_sp = memory;
    inside.uc_stack.ss_size = 1 << 20;
    makecontext(&inside, fiber, 0);
    swapcontext(&outside, &inside);
    if (!strcmp(argv[1], "handled")) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &action, 0);
        munmap(memory, SIZE);
        where = memory + 12345;
        if (!sigsetjmp(back, 1)) *where = 1;
    }
    printf("%ld\\n", sum);
    return 0;
}
"""
SUM = f"{(1 << 24) // 64}\n"


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize("place", PLACES, ids=hex)
def test_a_wild_access_is_reported_where_it_is_made(
    text_runs: TextRuns, place: int, engine: str
) -> None:
    sizes = LINES if place == PLACES[1] else (8,)
    for size in sizes:
        result = text_runs(WILD, hex(place), str(size), sanitize="address", engine=engine)
        (finding,) = result.findings
        assert (finding["kind"], int(finding["address"], 16)) == ("SEGV", place)
        (access,) = (one for one in finding["stacks"] if one["role"] == "access")
        assert access["frames"][0]["line"] == LINES[size], size


@pytest.mark.parametrize("place", PLACES, ids=hex)
def test_so_it_is_in_a_unit_of_many_checks(text_runs: TextRuns, place: int) -> None:
    for size in LINES:
        result = text_runs(big_unit(WILD), hex(place), str(size))
        (finding,) = result.findings
        assert (finding["kind"], int(finding["address"], 16)) == ("SEGV", place)
        (access,) = (one for one in finding["stacks"] if one["role"] == "access")
        assert access["frames"][0]["line"] == LINES[size], size


@pytest.mark.parametrize(
    ("how", "printed"),
    [
        ("plain", f"fiber 50\n{SUM}"),
        ("blocked", f"fiber 50\n{SUM}"),
        ("handled", f"fiber 50\n{int(signal.SIGSEGV)} at the place: 1\n{SUM}"),
    ],
)
@pytest.mark.parametrize("sanitize", ["address", "address,thread,leak"])
def test_memory_of_others_is_fine_also_where_no_fault_can_come(
    text_runs: TextRuns, how: str, printed: str, sanitize: str
) -> None:
    result = text_runs(FOREIGN, how, sanitize=sanitize)
    assert (result.stdout.decode(), result.findings) == (printed, [])
