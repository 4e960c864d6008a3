// A handler of SIGSEGV reads memory at a low address: stdout may lie there in an executable.
// STDOUT: done
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

static int *low;
static sigjmp_buf back;

static void handler(int number) {
    siglongjmp(back, number + *low);
}

int main(int argc, char **argv) {
    (void)argv;
    low = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (low == MAP_FAILED) return 1;
    signal(SIGSEGV, handler);
    if (!sigsetjmp(back, 1)) return *(volatile int *)(long)(argc * 8);
    puts("done");
    return 0;
}
