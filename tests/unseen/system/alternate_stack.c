// Handlers on an alternate stack, faults that are mended, nested handlers, SA_RESETHAND.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *stack, *guarded;
static size_t page, stack_size;
static volatile sig_atomic_t on_stack, faults, nested;

static int is_on_alternate(void) {
    char here;
    uintptr_t at = (uintptr_t)&here, low = (uintptr_t)stack;
    return at >= low && at < low + stack_size;
}
static void on_usr1(int number) {
    stack_t now;
    sigaltstack(NULL, &now);
    on_stack += (now.ss_flags & SS_ONSTACK) != 0;
    if (number == SIGUSR1) raise(SIGUSR2);
}
static void on_usr2(int number) { nested += number == SIGUSR2; }
static void on_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    assert(number == SIGSEGV);
    char *address = info->si_addr;
    if (address < guarded || address >= guarded + 4 * page) _exit(9);
    char *start = guarded + (size_t)(address - guarded) / page * page;
    mprotect(start, page, PROT_READ | PROT_WRITE);
    faults++;
}

int main(void) {
    page = (size_t)sysconf(_SC_PAGESIZE);
    stack_size = (size_t)SIGSTKSZ * 4;
    stack = malloc(stack_size);
    stack_t wanted = {.ss_sp = stack, .ss_size = stack_size}, old;
    assert(sigaltstack(&wanted, &old) == 0 && (old.ss_flags & SS_DISABLE));
    struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = on_usr2;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR1);
    printf("%d %d %d\n", (int)on_stack, (int)nested, is_on_alternate());

    guarded = mmap(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction fault = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    fault.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &fault, NULL);
    for (size_t i = 0; i < 4; i += 2) guarded[i * page + 5] = (char)('a' + i);
    printf("%d faults, %c %c\n", (int)faults, guarded[5], guarded[2 * page + 5]);
    signal(SIGSEGV, SIG_DFL);
    munmap(guarded, 4 * page);

    action.sa_handler = on_usr2;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &action);
    printf("%d %d\n", (int)nested, action.sa_handler == SIG_DFL);
    wanted.ss_flags = SS_DISABLE;
    assert(sigaltstack(&wanted, NULL) == 0);
    free(stack);
    return 0;
}
