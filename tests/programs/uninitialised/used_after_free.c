// The same as used_after_free_ok.c with what nobody has written: it is not taken for native code's
// because the memory has changed when it is used.
// FLAGS: MSAN_OPTIONS=halt_on_error=0
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next, *previous;
    long padding[16];
    long value, other;
};

__attribute__((noinline)) static void value_of(struct node *at) {
    long value = at->value;
    free(at);
    if (value > 3) // EXPECT: use-of-uninitialized-value
        puts("freed");
}

__attribute__((noinline)) static void overwritten(struct node *at) {
    long value = at->value;
    at->value = 5;
    if (value > 3) // EXPECT: use-of-uninitialized-value
        puts("overwritten");
}

__attribute__((noinline)) static void counted(struct node *at) {
    at->value++; // goes back where it came from, and is no more set than before
    if (at->value > 3) // EXPECT: use-of-uninitialized-value
        puts("counted");
}

int main(void) {
    struct node *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    insque(one, 0);
    insque(two, one);
    overwritten(two);
    counted(one);
    struct node *three = malloc(sizeof *three);
    insque(three, one);
    value_of(three);
    free(one);
    free(two);
}
