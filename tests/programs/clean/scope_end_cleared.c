// A function that returns leaves nothing in the shadow of its stack, wherever its scopes end.
// STDOUT: 0 0
#include <setjmp.h>
#include <stdio.h>

struct failure {
    int code, is_allocated;
    char *why;
};

struct attempt {
    jmp_buf environment;
    struct failure failure;
    struct attempt *next;
};

int __asan_address_is_poisoned(void const volatile *address);
struct attempt *attempts;  // which other units might read
static volatile int rounds = 3;

__attribute__((noinline)) void fail(struct failure failure) {
    attempts->failure = failure;
    longjmp(attempts->environment, 2);
}

__attribute__((noinline)) static void tell(struct failure failure) {
    printf("code %d\n", failure.code);
}

__attribute__((noinline)) static void tries(void) {
    struct failure failure;
    do {
        struct attempt attempt;
        volatile int is_pushed = 1;
        attempt.failure.code = 0;
        attempt.failure.is_allocated = 0;
        attempt.failure.why = NULL;
        attempt.next = attempts;
        attempts = &attempt;
        if (setjmp(attempt.environment) < 2)
            do {
                if (rounds-- > 1) break;
            } while (rounds == 5);
        if (is_pushed) {
            attempts = attempt.next;
            is_pushed = 0;
        }
        failure = attempt.failure;
    } while (0);
    if (failure.code) tell(failure);
}

__attribute__((noinline, no_sanitize("address"))) static int poisoned_below(void) {
    char *here = __builtin_frame_address(0);
    int n_poisoned = 0;
    for (char *at = here - 2048; at < here; at += 8) n_poisoned += __asan_address_is_poisoned(at);
    return n_poisoned;
}

int main(void) {
    int before = poisoned_below();
    tries();
    int after = poisoned_below();
    printf("%d %d\n", before, after);
    return 0;
}
