// The program's own handlers of faults run wherever they do natively, under the default checks.
// STDOUT: guarded page: left by a jump 3 times
// STDOUT: opened and gone on: 42 at 1
// STDOUT: hole: 1
// STDOUT: null: 1
// STDOUT: library: 1
// STDOUT: never opened: 1
// STDOUT: behind the file: bus 1
// STDOUT: division: 1
// STDOUT: instruction: 1
// STDOUT: on its own stack: 1
// STDOUT: far away: 1
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf back;
static char *volatile page;
static void *volatile seen;
static volatile int number_seen, is_apart;
static char other_stack[1 << 16];

static void on_fault(int number, siginfo_t *info, void *context) {
    char here;
    (void)context;
    seen = info->si_addr;
    number_seen = number;
    is_apart = &here >= other_stack && &here < other_stack + sizeof other_stack;
    siglongjmp(back, 1);
}

static void on_closed_page(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    seen = info->si_addr;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
    page[8] = 42;
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    sigaction(number, &action, NULL);
}

static int touch(char *volatile place) {
    if (sigsetjmp(back, 1)) return seen == (void *)place;
    *(volatile char *)place = 1;
    return 0;
}

int main(void) {
    handle(SIGSEGV, on_fault, 0);
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int n = 0;
    for (int i = 0; i < 3; i++) n += touch(page + i);
    printf("guarded page: left by a jump %d times\n", n);
    handle(SIGSEGV, on_closed_page, 0);
    int value = *(volatile char *)(page + 8);
    printf("opened and gone on: %d at %d\n", value, seen == (void *)(page + 8));
    handle(SIGSEGV, on_fault, 0);
    char *hole = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(hole, 4096);
    printf("hole: %d\n", touch(hole + 16));
    printf("null: %d\n", touch(NULL));
    mprotect(page, 4096, PROT_NONE);
    int found = sigsetjmp(back, 1);
    if (!found) memset(page, 1, 100);
    printf("library: %d\n", found);
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    found = sigsetjmp(back, 1);
    if (!found) memset(page, 1, 100);
    printf("never opened: %d\n", found);

    char name[] = "/tmp/faultsXXXXXX";
    int file = mkstemp(name);
    unlink(name);
    if (ftruncate(file, 10)) return 1;
    char *mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    handle(SIGBUS, on_fault, 0);
    int is_there = touch(mapped + 5000);
    printf("behind the file: %s %d\n", number_seen == SIGBUS ? "bus" : "?", is_there);
    close(file);
    handle(SIGFPE, on_fault, 0);
    volatile int zero = 0, one = 1;
    found = sigsetjmp(back, 1);
    if (!found) one = one / zero;
    printf("division: %d\n", found && number_seen == SIGFPE);
    handle(SIGILL, on_fault, 0);
    found = sigsetjmp(back, 1);
    if (!found) __asm__ volatile("ud2");
    printf("instruction: %d\n", found && number_seen == SIGILL);

    stack_t apart = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&apart, NULL);
    handle(SIGSEGV, on_fault, SA_ONSTACK);
    touch(NULL);
    printf("on its own stack: %d\n", is_apart);
    apart.ss_flags = SS_DISABLE;
    sigaltstack(&apart, NULL);
    handle(SIGSEGV, on_fault, 0);
    printf("far away: %d\n", touch((char *)0x9000000000));
    return 0;
}
