// Variables in fake frames end with the functions that longjmp and pthread_exit leave.
// SANITIZE: address,provenance
// FLAGS: ASAN_OPTIONS=detect_stack_use_after_return=1:halt_on_error=0
// NATIVE: skip no native tool follows pointers
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static int *kept, *left;

__attribute__((noinline, no_sanitize("address"))) static int read_it(int *from)
{
    return from[0]; // EXPECT: use-of-dead-provenance read 4
}

__attribute__((noinline, no_sanitize("address"))) static int read_other(int *from)
{
    return from[1]; // EXPECT: use-of-dead-provenance read 4
}

__attribute__((noinline)) static void deeper(int *values, int depth)
{
    int own[16] = {depth};
    if (depth == 0) {
        kept = values;
        longjmp(back, 1);
    }
    deeper(own, depth - 1);
    values[0] += own[0];
}

static void *run(void *argument)
{
    int own[16] = {1, 2};
    left = own;
    printf("%d\n", read_other(left));
    pthread_exit(argument);
}

int main(void)
{
    int first[4] = {7};
    pthread_t thread;
    if (setjmp(back) == 0)
        deeper(first, 3);
    printf("%d\n", read_it(first));
    printf("%d\n", read_it(kept));
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    printf("%d\n", read_other(left));
    return 0;
}
