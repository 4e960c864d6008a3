"""Shadow of memory outside the arena: zero while it can be read, "ask" before and after.

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
#include <unistd.h>
#define PLAIN __attribute__((disable_sanitizer_instrumentation, noinline))
void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
enum { PAGE = 4096, MAPPINGS = 12, SIZES = 5, FILE_PAGES = 140, SKIPPED = 10 };
enum { DEVICE, REGULAR, SHARED, RESERVED, READ_ONLY, WRITABLE, KINDS };
static const size_t sizes[SIZES] = {1, 5, 64, 129, 300}; // pages; 64 have shadow of 32 KiB
static struct { char *addr; size_t pages, n_open; int is_open, kind; } live[MAPPINGS];
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

static void expect(int at, const char *what) {
    size_t scale, offset, n_open = live[at].is_open ? live[at].n_open : 0;
    __asan_get_shadow_mapping(&scale, &offset);
    for (size_t i = 0; i < live[at].pages; i++) {
        int found = is_open(live[at].addr + i * PAGE, scale, offset), wanted = i < n_open;
        // a unit that is filled anew because a neighbour was looked at says "ask", which is right
        if (found != wanted && !(wanted == 1 && found == 0 && n_open < 64)) {
            printf("%s: page %zu of %zu is %d\n", what, i, live[at].pages, found);
            exit(1);
        }
    }
}

static int is_anonymous(int at) { return live[at].kind >= RESERVED; }

static void begin(int at, int device, int file) {
    int kind = live[at].kind = pick(KINDS), skipped = 0, fd = -1, flags = MAP_PRIVATE;
    int protection = kind == RESERVED ? PROT_NONE : kind == READ_ONLY ? PROT_READ
                                                                     : PROT_READ | PROT_WRITE;
    live[at].pages = live[at].n_open = sizes[pick(SIZES)];
    if (kind == DEVICE)
        fd = device;
    if (kind == REGULAR || kind == SHARED) {
        skipped = SKIPPED, fd = file, flags = kind == SHARED ? MAP_SHARED : MAP_PRIVATE;
        protection = pick(2) ? PROT_READ : PROT_READ | PROT_WRITE;
        if (live[at].n_open > FILE_PAGES - SKIPPED)
            live[at].n_open = FILE_PAGES - SKIPPED;
    }
    if (fd < 0)
        flags |= MAP_ANONYMOUS;
    live[at].is_open = kind != DEVICE && kind != RESERVED;
    live[at].addr = mmap(NULL, live[at].pages * PAGE, protection, flags, fd, skipped * PAGE);
}

int main(int argc, char **argv) {
    state = strtoul(argv[1], NULL, 10);
    int n_opened = 0, n_protected = 0, device = open("/dev/zero", O_RDWR);
    FILE *file = tmpfile();
    if (ftruncate(fileno(file), FILE_PAGES * PAGE - 1))
        return 1;
    for (int step = 0; step < 160; step++) {
        int at = pick(MAPPINGS), kind = pick(4), protection = PROT_READ | PROT_WRITE;
        if (!live[at].addr) {
            begin(at, device, fileno(file));
        } else if (kind == 0) {
            munmap(live[at].addr, live[at].pages * PAGE);
            live[at].is_open = 0;
            expect(at, "unmapped");
            live[at].addr = NULL;
            continue;
        } else if (kind == 1) {
            protection = (int[]){PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE}[pick(3)];
            mprotect(live[at].addr, live[at].pages * PAGE, protection);
            if (!(protection & PROT_READ))
                live[at].is_open = 0;
            else if (is_anonymous(at))
                live[at].is_open = 1, n_protected++;
        } else if (kind == 2) {
            size_t pages = sizes[pick(SIZES)];
            char *addr = mremap(live[at].addr, live[at].pages * PAGE, pages * PAGE, MREMAP_MAYMOVE);
            if (addr == MAP_FAILED) // pages of two protections
                continue;
            live[at].addr = addr;
            live[at].pages = live[at].n_open = pages;
            if (!is_anonymous(at))
                live[at].is_open = 0;
        }
        n_opened += live[at].is_open;
        if (!live[at].is_open || kind != 2)
            expect(at, live[at].is_open ? "open" : "closed");
        if (live[at].is_open)
            for (size_t i = 0; i < live[at].n_open; i++)
                live[at].pages += live[at].addr[i * PAGE] == 99; // it is 0
    }
    printf("%s\n", n_opened > 20 && n_protected ? "good" : "nothing was opened");
    return 0;
}
"""


@pytest.mark.parametrize("sanitize", ["address", "address,thread"])
@pytest.mark.parametrize("seed", range(1, 5))
def test_pages_that_can_be_read_are_not_looked_up(
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


FILE_ENDS = r"""
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static volatile int sink;
int main(int argc, char **argv) {
    FILE *file = tmpfile();
    if (ftruncate(fileno(file), 8193)) return 1;
    char *p = mmap(0, 5 * 4096, PROT_READ, argc > 2 ? MAP_SHARED : MAP_PRIVATE, fileno(file), 0);
    sink = p[100] + p[8194];
    puts("before");
    fflush(stdout);
    switch (argv[1][0]) {
    case 'w': p[5] = 3; break;                              // line 15
    case 'f': memset(p + 10, argc, 1000); break;            // line 16
    case 'e': sink = p[3 * 4096]; break;                    // line 17
    case 'l': for (int i = 0; i < 5 * 4096; i++) sink += p[i]; break;
    case 's': for (int i = 0; i < 4096; i++) p[i] = i; break;
    }
    puts("after");
    return 0;
}
"""


@pytest.mark.parametrize(
    ("how", "finding", "line"),
    [("write", "SEGV", 15), ("fill", "SEGV", 16), ("end", "BUS", 17), ("loop", "BUS", 18),
     ("stores", "SEGV", 19)],
)  # fmt: skip
@pytest.mark.parametrize("kind", [(), ("shared",)])
def test_what_a_mapped_file_refuses_has_its_line(
    text_runs: TextRuns, how: str, finding: str, line: int, kind: tuple[str, ...]
) -> None:
    done = text_runs(FILE_ENDS, how, *kind, sanitize="address")
    assert (done.exit_status, done.stdout) == (66, b"before\n")
    assert finding in done.stderr and "in main" in done.stderr
    assert f".c:{line}:" in done.stderr


LIBRARY = r"""
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#define PLAIN __attribute__((disable_sanitizer_instrumentation, noinline))
void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
static volatile int sink;

PLAIN static int is_open(const void *addr) {
    size_t scale, offset;
    __asan_get_shadow_mapping(&scale, &offset);
    return *(const volatile unsigned char *)(((size_t)addr >> scale) + offset) == 0;
}

__attribute__((noinline)) static void touch(const volatile char *addr) { sink = *addr; }

int main(int argc, char **argv) {
    FILE *file = fopen("/dev/null", "r");
    const void *places[] = {stdout, file, *__ctype_b_loc(), argv[0]};
    for (int i = 0; i < 8; i++) // twice: the first time the host is asked
        touch(places[i % 4]);
    for (int i = 0; i < 4; i++)
        printf("%d", is_open(places[i]));
    puts("");
    return argc != 1;
}
"""


def test_what_the_c_library_has_is_looked_up_once(text_runs: TextRuns) -> None:
    done = text_runs(LIBRARY, sanitize="address")
    assert (done.exit_status, done.stdout) == (0, b"1111\n"), done.stderr
