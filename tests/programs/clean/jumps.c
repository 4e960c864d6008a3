// setjmp and longjmp out of nested calls, with values that survive.
// STDOUT: tries 3, code 30
// STDOUT: nested 7 then 9
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;

static void __attribute__((noinline)) fail(int depth, int code) {
    volatile char frame[256];
    frame[depth] = (char)code;
    if (depth > 0) fail(depth - 1, code);
    longjmp(outer, code);
}

static int __attribute__((noinline)) jump_twice(void) {
    volatile int first = setjmp(inner);
    if (first == 0) longjmp(inner, 7);
    return first;
}

int main(void) {
    volatile int tries = 0;
    int code = setjmp(outer);
    if (code < 30) {
        tries += 1;
        fail(6, 10 * tries);
    }
    printf("tries %d, code %d\n", tries, code);
    int nested = jump_twice();
    printf("nested %d then %d\n", nested, nested + 2);
    return 0;
}
