// Every 16 MiB of where programs lie, and of room for stacks that no thread has: nothing of it
// belongs to an object, so each access is a fault, which the handler counts.
// NATIVE: skip natively other addresses are free
// STDOUT: 0 reads and 0 writes went through
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

static sigjmp_buf back;

static void on_fault(int number) { siglongjmp(back, number); }

int main(void) {
    char here;
    int n_read = 0, n_written = 0;
    uintptr_t own = (uintptr_t)&here >> 24;
    volatile uintptr_t at;
    signal(SIGSEGV, on_fault);
    for (at = 0x20000000; at < 0x2320000000; at += 1 << 24) {
        if (at == 0x7f000000) at = 0x2300000000;
        volatile int *place = (volatile int *)(at + 0x8b4560);
        if (at >> 24 == own || at == 0x20000000) continue;
        if (!sigsetjmp(back, 1)) n_read += *place | 1;
        if (!sigsetjmp(back, 1)) *place = 1, n_written++;
    }
    printf("%d reads and %d writes went through\n", n_read, n_written);
    return 0;
}
