"""Shadow of the program's own memory: zero while it can be written, "ask" before and after.

A program maps, unmaps, protects and moves at random, and keeps beside it what each page is. A
function without checks looks at the shadow.
"""

from __future__ import annotations

import pytest

from tests.support.text_runs import TextRuns

STEPS = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#define PLAIN __attribute__((disable_sanitizer_instrumentation, noinline))
void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
enum { PAGE = 4096, MAPPINGS = 12, SIZES = 5 };
static const size_t sizes[SIZES] = {1, 5, 64, 129, 300}; // pages; 64 have shadow of 32 KiB
static struct { char *addr; size_t pages; int is_open; } live[MAPPINGS];
static unsigned long state;

static unsigned pick(unsigned n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

PLAIN static int is_open(const char *page, size_t scale, size_t offset) {
    const volatile unsigned char *shadow = (unsigned char *)((size_t)page >> scale) + offset;
    int n_zero = 0;
    for (int i = 0; i < PAGE >> scale; i++)
        n_zero += shadow[i] == 0;
    return n_zero == 0 ? 0 : n_zero == PAGE >> scale ? 1 : -1;
}

static void expect(const char *addr, size_t pages, int wanted, const char *what) {
    size_t scale, offset;
    __asan_get_shadow_mapping(&scale, &offset);
    for (size_t i = 0; i < pages; i++) {
        int found = is_open(addr + i * PAGE, scale, offset);
        // a unit that is filled anew because a neighbour was looked at says "ask", which is right
        if (found != wanted && !(wanted == 1 && found == 0 && pages < 64)) {
            printf("%s: page %zu of %zu is %d\n", what, i, pages, found);
            exit(1);
        }
    }
}

int main(int argc, char **argv) {
    state = strtoul(argv[1], NULL, 10);
    int n_opened = 0, file = open("/dev/zero", O_RDWR);
    for (int step = 0; step < 120; step++) {
        int at = pick(MAPPINGS), kind = pick(4);
        if (!live[at].addr) {
            live[at].pages = sizes[pick(SIZES)];
            int what = pick(5); // of a file, only to read, or else
            live[at].is_open = what > 1;
            live[at].addr = mmap(NULL, live[at].pages * PAGE,
                                 what == 1 ? PROT_READ : PROT_READ | PROT_WRITE,
                                 what == 0 ? MAP_PRIVATE : MAP_PRIVATE | MAP_ANONYMOUS,
                                 what == 0 ? file : -1, 0);
        } else if (kind == 0) {
            munmap(live[at].addr, live[at].pages * PAGE);
            expect(live[at].addr, live[at].pages, 0, "unmapped");
            live[at].addr = NULL;
            continue;
        } else if (kind == 1) {
            int protection = (int[]){PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE}[pick(3)];
            mprotect(live[at].addr, live[at].pages * PAGE, protection);
            live[at].is_open = live[at].is_open && (protection & PROT_WRITE);
        } else if (kind == 2) {
            size_t pages = sizes[pick(SIZES)];
            char *addr = mremap(live[at].addr, live[at].pages * PAGE, pages * PAGE, MREMAP_MAYMOVE);
            if (addr == MAP_FAILED) // pages of two protections
                continue;
            live[at].addr = addr;
            live[at].pages = pages;
        }
        n_opened += live[at].is_open;
        if (live[at].is_open && kind != 2)
            expect(live[at].addr, live[at].pages, 1, "open");
        if (!live[at].is_open)
            expect(live[at].addr, live[at].pages, 0, "closed");
        if (live[at].is_open)
            for (size_t i = 0; i < live[at].pages; i++)
                live[at].addr[i * PAGE] = (char)i;
    }
    printf("%s\n", n_opened > 20 ? "good" : "nothing was opened");
    return 0;
}
"""


@pytest.mark.parametrize("sanitize", ["address", "address,thread"])
@pytest.mark.parametrize("seed", range(1, 5))
def test_pages_that_can_be_written_are_not_looked_up(
    text_runs: TextRuns, sanitize: str, seed: int
) -> None:
    done = text_runs(STEPS, str(seed), sanitize=sanitize)
    assert (done.exit_status, done.stdout) == (0, b"good\n"), done.stderr


GUARD = r"""
#include <stdio.h>
#include <sys/mman.h>
int main(int argc, char **argv) {
    char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p[0] = p[8191] = 1;
    switch (argv[1][0]) {
    case 'u': munmap(p, 8192); break;
    case 'p': mprotect(p, 8192, PROT_NONE); break;
    case 'h': munmap(p + 4096, 4096); p[0] = 2; p += 4096; break;
    case 'r': mprotect(p, 8192, PROT_READ); break;
    }
    puts("before");
    fflush(stdout);
    p[5] = 3;
    puts("after");
    return argc;
}
"""


STRANGE = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
    char *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *places[] = {(void *)-4096ul, (void *)(1ul << 63), (void *)(1ul << 47), p};
    for (int i = 0; i < 4; i++) {
        printf("%d ", munmap(places[i], -8192ul) ? errno : 0);
        printf("%d ", i < 3 && mprotect(places[i], (1ul << 47) - 4096, PROT_NONE) ? errno : 0);
        printf("%d\n", mremap(places[i], 4096, -8192ul, 0) == MAP_FAILED ? errno : 0);
    }
    p[0] = p[(1 << 20) - 1] = 1;
    return 0;
}
"""


@pytest.mark.parametrize("sanitize", ["address", "address,thread"])
def test_what_is_no_mapping_is_refused_as_natively(text_runs: TextRuns, sanitize: str) -> None:
    done = text_runs(STRANGE, sanitize=sanitize)
    assert done.stdout == b"22 12 22\n" * 3 + b"22 0 22\n"
    assert done.exit_status == 0, done.stderr


@pytest.mark.parametrize("how", ["unmapped", "protected", "half unmapped", "read only"])
@pytest.mark.parametrize("sanitize", ["address", "address,thread"])
def test_a_mapping_that_is_gone_is_a_fault(text_runs: TextRuns, sanitize: str, how: str) -> None:
    done = text_runs(GUARD, how, sanitize=sanitize)
    assert done.stdout == b"before\n"
    assert done.exit_status == 66
    assert "SEGV" in done.stderr and "WRITE" in done.stderr
    assert "in main" in done.stderr and ".c:15" in done.stderr
