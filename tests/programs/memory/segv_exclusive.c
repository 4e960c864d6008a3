// With handle_segv=2 the program's handler is never asked, whatever the address.
// FLAGS: ASAN_OPTIONS=handle_segv=2
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
static sigjmp_buf back;

static void on_fault(int number) {
    siglongjmp(back, number);
}

int main(void) {
    char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, on_fault);
    if (sigsetjmp(back, 1)) return 0;
    ((volatile char *)page)[5] = 1; // EXPECT: SEGV write
    puts("never");
    return 0;
}
