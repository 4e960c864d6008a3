// With handle_segv=1 the handler is asked, as it is by default.
// STDOUT: handled
// FLAGS: ASAN_OPTIONS=handle_segv=1
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
    if (sigsetjmp(back, 1)) return puts("handled") < 0;
    ((volatile char *)page)[5] = 1;
    puts("never");
    return puts("handled") < 0;
}
